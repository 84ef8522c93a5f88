// Reports that change the state too often: the latest report of each token is held here until its minute ends, or until
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

  constructor(record: (ping: ReceivedPing) => Promise<unknown>, log: Log) {
    this.#record = record
    this.#log = log
  }

  /** Replaces the held report, unless that one is newer. */
  hold(ping: ReceivedPing, delayMs: number): void {
    const other = this.#held.get(ping.token)
    if (other !== undefined && other.ping.receivedMs > ping.receivedMs) return
    // If there is no room, it is applied now: too early is better than never.
    const isFull = other === undefined && this.#held.size >= MAX_HELD
    this.#keep(ping, isFull ? 0 : delayMs, 0)
  }

  /** A newer report was applied, or matches the state: the held report is out of date. */
  supersede({ token, receivedMs }: Pick<ReceivedPing, 'token' | 'receivedMs'>): void {
    const held = this.#held.get(token)
    if (held === undefined || held.ping.receivedMs > receivedMs) return
    clearTimeout(held.timer)
    this.#held.delete(token)
  }

  /** Applies all held reports now. */
  async flush(): Promise<void> {
    const all = [...this.#held.values()]
    this.#held.clear()
    for (const { timer } of all) clearTimeout(timer)
    await Promise.all(all.map((held) => this.#apply({ ...held, tries: MAX_TRIES })))
  }

  #keep(ping: ReceivedPing, delayMs: number, tries: number): void {
    clearTimeout(this.#held.get(ping.token)?.timer)
    const timer = setTimeout(
      () => {
        const held = this.#held.get(ping.token)
        this.#held.delete(ping.token)
        if (held !== undefined) void this.#apply(held)
      },
      Math.max(0, delayMs),
    )
    // A stopping process flushes first, and waits for nothing else.
    timer.unref()
    this.#held.set(ping.token, { ping, timer, tries })
  }

  async #apply({ ping, tries }: Held): Promise<void> {
    try {
      // It counts only if it still changes something.
      await this.#record({ ...ping, mayChange: () => true })
    } catch (err) {
      this.#log.error({ err }, 'heartbeat failed')
      const isOutdated = this.#held.has(ping.token)
      // Its job received a 200 and will not send it again.
      if (tries < MAX_TRIES && !isOutdated) this.#keep(ping, RETRY_MS, tries + 1)
    }
  }
}
