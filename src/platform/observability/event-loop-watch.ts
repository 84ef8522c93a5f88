// Finds out what kept the event loop busy. Node does not say which callback ran before a late timer, and hooks on every
// callback cost too much, so operations note when they start, wait and resume. The longest time between two notes names
// its operation; without a note it is "unknown".
import { AsyncLocalStorage } from 'node:async_hooks'

/** `operation` is SUSPENDED if the process hardly ran in that time: then the machine is the cause. */
export type Block = { operation: string; blockedMs: number; cpuMs: number }

export type EventLoopWatch = {
  /** Whether the event loop was blocked at any moment since then (`performance.now()` time). */
  hasStalledSince(ms: number): boolean
  stop(): void
}

export const UNKNOWN = 'unknown'
export const SUSPENDED = 'suspended'
const BLOCKED_MS = 200

const TICK_MS = 50
const LEAST_CPU_MS = 100

const operations = new AsyncLocalStorage<{ name: string }>()

// Global to the process: it has one event loop.
let running: string | undefined
let notedMs = performance.now()
let longestMs = 0
let longestOperation: string | undefined
let forgetting = false

function note(operation: string | undefined, next: string | undefined): void {
  const nowMs = performance.now()
  if (nowMs - notedMs > longestMs) {
    longestMs = nowMs - notedMs
    longestOperation = operation
  }
  notedMs = nowMs
  running = next
}

/** Runs `work`, and everything it starts, under this name. Names are constants: they are labels of a metric. */
export function watched<T>(name: string, work: () => T): T {
  const outer = running
  const operation = { name }
  note(outer, name)
  try {
    const result = operations.run(operation, work)
    if (result instanceof Promise) {
      const settled = () => note(running ?? operation.name, undefined)
      result.then(settled, settled)
    }
    return result
  } finally {
    note(operation.name, outer)
  }
}

/** Renames the current operation once it is known more precisely. */
export function nameOperation(name: string): void {
  const operation = operations.getStore()
  if (operation === undefined) return
  if (running === operation.name) running = name
  operation.name = name
}

/** Waits for something external: work meanwhile does not belong to the current operation, work afterwards does. */
export async function outsideOperation<T>(waiting: Promise<T>): Promise<T> {
  const operation = operations.getStore()
  if (operation === undefined) return waiting
  note(running ?? operation.name, undefined)
  try {
    return await waiting
  } finally {
    note(running, operation.name)
    forgetSoon()
  }
}

/** A resumed operation may wait again without a note. It ends at the latest with this round's callbacks. */
function forgetSoon(): void {
  if (forgetting) return
  forgetting = true
  setImmediate(() => {
    forgetting = false
    note(running, undefined)
  })
}

/** One timer for the whole process. */
export function startEventLoopWatch(onBlock: (block: Block) => void = () => {}): EventLoopWatch {
  let tickedMs = performance.now()
  let stalledMs = Number.NEGATIVE_INFINITY
  let cpu = process.threadCpuUsage()
  const lateMs = () => performance.now() - tickedMs - TICK_MS
  note(undefined, undefined)
  longestMs = 0

  const timer = setInterval(() => {
    note(running, undefined)
    const late = lateMs()
    const used = process.threadCpuUsage(cpu)
    const blockedMs = Math.max(late, longestMs)
    const operation = longestOperation ?? UNKNOWN
    if (late > BLOCKED_MS) stalledMs = performance.now()
    tickedMs = performance.now()
    cpu = process.threadCpuUsage()
    longestMs = 0
    longestOperation = undefined
    if (blockedMs <= BLOCKED_MS) return
    const cpuMs = Math.round((used.user + used.system) / 1000)
    const isOurs = cpuMs >= LEAST_CPU_MS
    onBlock({ operation: isOurs ? operation : SUSPENDED, blockedMs: Math.round(blockedMs), cpuMs })
  }, TICK_MS)
  timer.unref()
  return {
    // An attempt may end before the late tick runs, so lateness itself counts too.
    hasStalledSince: (ms) => stalledMs >= ms || lateMs() > BLOCKED_MS,
    stop: () => clearInterval(timer),
  }
}
