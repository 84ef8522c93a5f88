// A loop that runs a round, waits, and runs the next. Rounds never overlap, and stopping waits for the running one.

export type Loop = { stop(): Promise<void> }

export function every(
  waitMs: number,
  round: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Loop {
  let stopped = false
  let wake = () => {}
  const running = (async () => {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (!stopped) await round().catch(onError)
    }
  })()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
