/**
 * Processor time of this thread that a call takes: unlike wall clock time, it does not grow with the machine's load.
 */
export function cpuMs(call: () => unknown): number {
  const before = process.threadCpuUsage()
  call()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The lower of two: the first may include compiling the code, which only happens once. */
export function steadyCpuMs(call: () => unknown, limitMs: number): number {
  const firstMs = cpuMs(call)
  return firstMs < limitMs ? firstMs : Math.min(firstMs, cpuMs(call))
}

/** Blocks the event loop until this thread has computed for that long. */
export function keepBusy(ms: number): void {
  const before = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= ms * 1000) return
  }
}
