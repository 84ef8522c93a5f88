// The clock and all timers of the simulated processes. Node's own are replaced while a simulation runs, so that nothing
// in the product, or in a package it uses, can wait for the real time. Time advances to the next timer only when nothing
// is left to run.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { TimerHeap } from './timer-heap.ts'

const require = createRequire(import.meta.url)
const timersPromises = require('node:timers/promises') as Record<string, unknown>

const RealDate = globalThis.Date
const realNow = RealDate.now.bind(RealDate)
const realPerformanceNow = performance.now.bind(performance)
const realSetImmediate = globalThis.setImmediate
const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
}
const realPromises = { ...timersPromises }
const realAbortTimeout = AbortSignal.timeout

/** One simulated process. Its timers end with it. */
export type Owner = {
  readonly name: string
  isDead: boolean
  /** How far its wall clock is from the true time. */
  skewMs: number
  /** Its timers fire late, at whole multiples of this, as on a busy machine. */
  tickMs?: number
  /** Stopped until then, without noticing: like a machine that sleeps. */
  frozenUntilMs?: number
}

const owners = new AsyncLocalStorage<Owner>()

export const currentOwner = (): Owner | undefined => owners.getStore()
/** Runs `work`, and everything it starts, as this process. */
export const runAs = <T>(owner: Owner, work: () => T): T => owners.run(owner, work)
const outside = AsyncLocalStorage.snapshot()
/** Runs `work` as the world outside of all processes. It must not be inside a transaction that it ends, for example. */
export const runAsWorld = <T>(work: () => T): T => outside(work)

/** Runs `work` as this process when something reaches it from outside, unless it died; later if it is frozen. */
export function reach(owner: Owner, work: () => void): void {
  if (owner.isDead) return
  const waitMs = (owner.frozenUntilMs ?? 0) - trueNow()
  if (waitMs > 0) runAsWorld(() => setTimeout(() => reach(owner, work), waitMs))
  else runAs(owner, work)
}

let trueNow = () => 0

type Options = { signal?: AbortSignal; ref?: boolean }

export class VirtualTime {
  /** Unix milliseconds. */
  nowMs: number
  readonly #startMs: number
  readonly #heap = new TimerHeap()
  #immediates: SimTimer[] = []
  /** Timers that fired. */
  fired = 0

  constructor(startMs: number) {
    this.nowMs = startMs
    this.#startMs = startMs
  }

  /** Real milliseconds, for measuring the simulation itself. */
  static realMs(): number {
    return realPerformanceNow()
  }

  install(): void {
    const wall = () => this.nowMs + (owners.getStore()?.skewMs ?? 0)
    const timeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      this.#add(run, ms, args)
    const immediate = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      this.#addImmediate(run, args)
    const interval = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      this.#add(run, ms, args, true)
    const clear = (timer: unknown) => {
      if (timer instanceof SimTimer) timer.isCleared = true
      else real.clearTimeout(timer as NodeJS.Timeout)
    }
    trueNow = () => this.nowMs
    RealDate.now = wall
    performance.now = () => this.nowMs - this.#startMs + 1000
    Object.assign(globalThis, {
      Date: dateOf(wall),
      setTimeout: timeout,
      clearTimeout: clear,
      setInterval: interval,
      clearInterval: clear,
      setImmediate: immediate,
      clearImmediate: clear,
    })
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController()
      timeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms)
      return controller.signal
    }
    Object.assign(timersPromises, {
      setTimeout: (ms = 1, value?: unknown, options?: Options) =>
        promised((run) => timeout(run, ms), value, options),
      setImmediate: (value?: unknown, options?: Options) =>
        promised((run) => immediate(run), value, options),
    })
    syncBuiltinESMExports()
  }

  uninstall(): void {
    RealDate.now = realNow
    performance.now = realPerformanceNow
    Object.assign(globalThis, real)
    AbortSignal.timeout = realAbortTimeout
    Object.assign(timersPromises, realPromises)
    syncBuiltinESMExports()
  }

  /** Runs `work`, which must not wait, as of another time. */
  at<T>(ms: number, work: () => T): T {
    const { nowMs } = this
    this.nowMs = ms
    try {
      return work()
    } finally {
      this.nowMs = nowMs
    }
  }

  /** Runs everything that is due up to and including this time. */
  runUntil(untilMs: number): Promise<void> {
    // Not inside a promise's callback: those that wait could not run before it ends.
    return new Promise((resolve, reject) => {
      realSetImmediate(() => {
        try {
          owners.exit(() => this.#play(untilMs))
          resolve()
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  #play(untilMs: number): void {
    for (;;) {
      settle()
      const immediates = this.#immediates
      if (immediates.length > 0) {
        this.#immediates = []
        for (const timer of immediates) {
          timer.fire()
          settle()
        }
        continue
      }
      const next = this.#heap.firstMs
      if (next === undefined || next > untilMs) break
      const timer = this.#heap.take() as SimTimer
      if (timer.isCleared || timer.owner?.isDead) continue
      this.nowMs = Math.max(this.nowMs, next)
      const frozenUntilMs = timer.owner?.frozenUntilMs ?? 0
      if (frozenUntilMs > this.nowMs) this.#heap.add(timer, frozenUntilMs)
      else this.#fire(timer)
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  #fire(timer: SimTimer): void {
    this.fired += 1
    if (timer.everyMs > 0) timer.refresh()
    timer.fire()
  }

  #add(run: (...args: unknown[]) => void, ms: number, args: unknown[], repeats = false): SimTimer {
    // As Node does: whole milliseconds, at least one.
    const waitMs = ms >= 1 && ms <= 0x7fffffff ? Math.trunc(ms) : 1
    const timer = new SimTimer(run, args, repeats ? waitMs : 0)
    const tickMs = timer.owner?.tickMs ?? 1
    const start = () => this.#heap.add(timer, Math.ceil((this.nowMs + waitMs) / tickMs) * tickMs)
    timer.refresh = () => {
      start()
      return timer
    }
    start()
    return timer
  }

  #addImmediate(run: (...args: unknown[]) => void, args: unknown[]): SimTimer {
    const timer = new SimTimer(run, args, 0)
    this.#immediates.push(timer)
    return timer
  }
}

class SimTimer {
  isCleared = false
  readonly everyMs: number
  readonly owner = owners.getStore()
  readonly #inContext = AsyncLocalStorage.snapshot()
  readonly #run: (...args: unknown[]) => void
  readonly #args: unknown[]
  refresh = () => this

  constructor(run: (...args: unknown[]) => void, args: unknown[], everyMs: number) {
    this.#run = run
    this.#args = args
    this.everyMs = everyMs
  }

  fire(): void {
    if (!this.isCleared && this.owner?.isDead !== true) this.#inContext(this.#run, ...this.#args)
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  close(): void {
    this.isCleared = true
  }

  [Symbol.dispose](): void {
    this.isCleared = true
  }
}

// Internal to Node, but without an equivalent: a turn of the event loop instead costs ten times as much.
const settleNow = (process as unknown as { _tickCallback(): void })._tickCallback

/** Runs all next ticks and promises that can run. Nothing in a simulation waits for anything else. */
function settle(): void {
  settleNow()
}

function promised<T>(
  start: (run: () => void) => SimTimer,
  value: T,
  { signal }: Options = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal))
    const abort = () => {
      timer.close()
      if (signal !== undefined) reject(abortError(signal))
    }
    const timer = start(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}

function dateOf(now: () => number): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      args.length === 0 ? new target(now()) : Reflect.construct(target, args),
  })
}
