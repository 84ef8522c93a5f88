/** Ends early, with the signal's reason, when the caller aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

export type Deadline = { signal: AbortSignal; isOver(): boolean; clear(): void }

/** A signal that fires when the time is over or the caller aborts. */
export function createDeadline(ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, ms)
  const forward = () => controller.abort(caller?.reason)
  caller?.addEventListener('abort', forward, { once: true })
  if (caller?.aborted) forward()
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', forward)
    },
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
