/** Ends early, with the signal's reason, when the caller aborts. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await untilAborted(passed, signal).finally(() => clearTimeout(timer))
}

export type Deadline = { signal: AbortSignal; isOver(): boolean; clear(): void }

/** A signal that fires when the time is over or the caller aborts. */
export function createDeadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), ms)
  return {
    signal: caller ? AbortSignal.any([caller, signal]) : signal,
    isOver: () => signal.aborted,
    clear: () => clearTimeout(timer),
  }
}

/** The promise, or a rejection as soon as the caller aborts. */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal?.reason)
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
    const settle = () => signal?.removeEventListener('abort', end)
    promise.then(resolve, reject).finally(settle)
  })
}
