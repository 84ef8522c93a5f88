// A loop like `every` that rests while it is quiet: nothing was found, and only this process could bring more.
import type { Work, WorkSignal } from '../platform/process/work-signal.ts'
import type { Loop } from './every.ts'

type Pace = {
  /** Between rounds while there is work or other processes may bring some. */
  waitMs: number
  /** Otherwise, unless woken: the safety net. */
  restMs: number
  work: Work
  /** Undefined: it never rests. */
  signal: WorkSignal | undefined
}

/** `round` returns whether something is left that time alone makes due. */
export function everyOrWoken(
  { waitMs, restMs, work, signal }: Pace,
  round: () => Promise<boolean>,
  onError: (error: unknown) => void,
): Loop {
  let isStopped = false
  let isWoken = false
  let isResting = false
  let endSleep = () => {}
  const end = signal?.listen(work, () => {
    isWoken = true
    // Otherwise the next round is near, and a busy process must not run them one after the other.
    if (isResting) endSleep()
  })
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const running = (async () => {
    while (!isStopped) {
      await sleep(isResting ? restMs : waitMs)
      if (isStopped) return
      // What a woken round does not find may be locked, and is found by the next one.
      const wasWoken = isWoken
      isResting = false
      isWoken = false
      const isLeft = await round().catch((error: unknown) => {
        onError(error)
        return true
      })
      isResting = !isLeft && !wasWoken && !isWoken && signal?.isAlone === true
    }
  })()
  return {
    async stop() {
      isStopped = true
      end?.()
      endSleep()
      await running
    },
  }
}
