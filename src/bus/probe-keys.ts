// Who really answered. A probe tells a key in its announcements, which the server lets it publish under its own name
// alone, and only the service hears. A response with that key comes from that probe; its name alone proves nothing.
import type { ProbeAnnouncement, ProbeLocation } from './bus.ts'

const KEPT_MS = 3_600_000
// Several processes may share one user of NATS, and with it a name.
const MAX_KEYS = 64
const MAX_NAMES = 10_000
// Probes announce themselves every 2 s: until then, a process that just started knows few of them.
const DISCOVERY_MS = 3_000

/** When each key was told last. Undefined stands for an announcement without a key: from a probe before 0.2. */
type Keys = Map<string | undefined, number>

/** All times are from `performance.now()`. */
export class ProbeKeys {
  readonly #names = new Map<string, Keys>()
  #sinceMs: number | undefined

  /** Announcements are heard from now on. */
  listen(nowMs: number): void {
    this.#sinceMs ??= nowMs
  }

  note({ region, probe, answerKey }: ProbeAnnouncement, nowMs: number): void {
    const name = `${region} ${probe}`
    const keys = this.#names.get(name)
    if (keys === undefined) {
      if (this.#isFull()) this.#forget(nowMs)
      if (!this.#isFull()) this.#names.set(name, new Map([[answerKey, nowMs]]))
      return
    }
    // The newest is last.
    keys.delete(answerKey)
    keys.set(answerKey, nowMs)
    for (const [key, atMs] of keys)
      if (keys.size > MAX_KEYS || nowMs - atMs > KEPT_MS) keys.delete(key)
  }

  /** Whether a response under this name, with this key, may come from the probe of that name. */
  proves({ region, probe }: ProbeLocation, key: string | undefined, nowMs: number): boolean {
    const keys = this.#names.get(`${region} ${probe}`)
    if (keys !== undefined) return nowMs - (keys.get(key) ?? Number.NEGATIVE_INFINITY) <= KEPT_MS
    // Who does not listen, or cannot remember more names, knows no better.
    return this.#sinceMs === undefined || nowMs - this.#sinceMs < DISCOVERY_MS || this.#isFull()
  }

  #isFull(): boolean {
    return this.#names.size >= MAX_NAMES
  }

  #forget(nowMs: number): void {
    for (const [name, keys] of this.#names) {
      const newestMs = Math.max(...keys.values())
      if (nowMs - newestMs > KEPT_MS) this.#names.delete(name)
    }
  }
}
