// What every store in the comparison does with results, each in its own way.

/** A result as a line of text without its line break: monitor, slot in ms, and five numbers, separated by tabs. */
export type ResultLine = string

/** Results per batch, as the recorder writes them. */
export const BATCH_SIZE = 500
export const DAY_MS = 86_400_000

/** What readers ask for. Each returns how many rows it read, so that the stores can be compared. */
export type Reads = {
  newest(monitorNo: number): Promise<number>
  chart(monitorNo: number): Promise<number>
  summary(): Promise<number>
}

export type StoreFigures = {
  store: string
  bytesPerResult?: number | undefined
  /** To store results as they arrive, with what the store does about them later. */
  writeMicros?: number
  batchMs?: number
  newestMs?: number
  chartMs?: number
  summaryMs?: number
}

/** The median duration. */
export async function medianMs(
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    await work(round)
    times.push(performance.now() - startedMs)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
}
