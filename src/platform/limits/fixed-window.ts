// Counts per key, in windows of a fixed length. A key's window starts with the first count in it.
import { BoundedMap, type WhenFull } from '../bounded-map.ts'

type FixedWindowOptions = { windowMs: number; maxKeys: number; whenFull: WhenFull }

export class FixedWindow {
  readonly #windowMs: number
  readonly #windows: BoundedMap<string, { startedMs: number; count: number }>

  constructor({ windowMs, maxKeys, whenFull }: FixedWindowOptions) {
    this.#windowMs = windowMs
    this.#windows = new BoundedMap(maxKeys, whenFull)
  }

  /** Counts one more. Returns how many that makes in the key's window. */
  add(key: string, nowMs: number): number {
    const window = this.#windows.get(key)
    if (window !== undefined && !this.#hasEnded(window.startedMs, nowMs)) {
      window.count += 1
      return window.count
    }
    this.#windows.set(key, { startedMs: nowMs, count: 1 })
    return 1
  }

  /** How many were counted in the key's window; 0 once it has ended. */
  countOf(key: string, nowMs: number): number {
    const window = this.#windows.get(key)
    return window === undefined || this.#hasEnded(window.startedMs, nowMs) ? 0 : window.count
  }

  /** What was counted for a key counts for another one from now on. */
  merge(from: string, into: string, nowMs: number): void {
    const moved = this.#windows.get(from)
    this.#windows.delete(from)
    if (moved === undefined || this.#hasEnded(moved.startedMs, nowMs)) return
    const other = this.#windows.get(into)
    if (other === undefined || this.#hasEnded(other.startedMs, nowMs))
      this.#windows.set(into, moved)
    else other.count += moved.count
  }

  /** Takes back one count. */
  takeBack(key: string): void {
    const window = this.#windows.get(key)
    if (window !== undefined) window.count -= 1
  }

  forget(key: string): void {
    this.#windows.delete(key)
  }

  /** Start of the key's last window, which may have ended. */
  startedMs(key: string): number | undefined {
    return this.#windows.get(key)?.startedMs
  }

  /** When the key's window ends, or would end if it started now. */
  endsMs(key: string, nowMs: number): number {
    return (this.startedMs(key) ?? nowMs) + this.#windowMs
  }

  #hasEnded(startedMs: number, nowMs: number): boolean {
    return nowMs - startedMs >= this.#windowMs
  }
}
