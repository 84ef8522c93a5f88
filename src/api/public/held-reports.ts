// Reports that change the state too often: the latest report of each monitor is held here until its time has come, or until
// the process stops.
import type { ReceivedPing } from '../../actions/results/record-pings.ts'
import type { Log } from '../../platform/observability/log.ts'

type Held = { ping: ReceivedPing; timer: NodeJS.Timeout; tries: number }

// Each may hold 10 kB of text.
const MAX_HELD = 5_000
const RETRY_MS = 5_000
const MAX_TRIES = 60

export class HeldReports {
  readonly #held = new Map<string, Held>()
  readonly #record: (ping: ReceivedPing) => Promise<unknown>
  readonly #log: Log
  readonly #keyOf: (token: string) => string

  /** `keyOf`: what tokens of one monitor share. */
  constructor(
    record: (ping: ReceivedPing) => Promise<unknown>,
    log: Log,
    keyOf: (token: string) => string,
  ) {
    this.#record = record
    this.#log = log
    this.#keyOf = keyOf
  }

  /** Replaces the held report, unless that one is newer. */
  hold(ping: ReceivedPing, delayMs: number): void {
    const other = this.#held.get(this.#keyOf(ping.token))
    if (other !== undefined && other.ping.receivedMs > ping.receivedMs) return
    // If there is no room, it is applied now: too early is better than never.
    const isFull = other === undefined && this.#held.size >= MAX_HELD
    this.#keep(ping, isFull ? 0 : delayMs, 0)
  }

  /** A newer report was applied, or matches the state: the held report is out of date. */
  supersede({ token, receivedMs }: Pick<ReceivedPing, 'token' | 'receivedMs'>): void {
    const held = this.#held.get(this.#keyOf(token))
    if (held === undefined || held.ping.receivedMs > receivedMs) return
    clearTimeout(held.timer)
    this.#held.delete(this.#keyOf(token))
  }

  /** Applies all held reports now. */
  async flush(): Promise<void> {
    const all = [...this.#held.values()]
    this.#held.clear()
    for (const { timer } of all) clearTimeout(timer)
    await Promise.all(all.map((held) => this.#apply({ ...held, tries: MAX_TRIES })))
  }

  #keep(ping: ReceivedPing, delayMs: number, tries: number): void {
    const key = this.#keyOf(ping.token)
    clearTimeout(this.#held.get(key)?.timer)
    const timer = setTimeout(
      () => {
        const held = this.#held.get(key)
        this.#held.delete(key)
        if (held !== undefined) void this.#apply(held)
      },
      Math.max(0, delayMs),
    )
    // A stopping process flushes first, and waits for nothing else.
    timer.unref()
    this.#held.set(key, { ping, timer, tries })
  }

  async #apply({ ping, tries }: Held): Promise<void> {
    try {
      // It counts only if it still changes something.
      await this.#record({ ...ping, mayChange: () => true, isHeld: true })
    } catch (err) {
      this.#log.error({ err }, 'heartbeat failed')
      const isOutdated = this.#held.has(this.#keyOf(ping.token))
      // Its job received a 200 and will not send it again.
      if (tries < MAX_TRIES && !isOutdated) this.#keep(ping, RETRY_MS, tries + 1)
    }
  }
}
