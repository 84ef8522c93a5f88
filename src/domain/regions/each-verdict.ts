// What a check says that ran in several regions at once (mode EACH). Each region has confirmed its failure in itself and
// has judged whether its own network is in doubt; here they are only counted.

/** NONE: the region gave no verdict, through a fault of ours. */
export type RegionOutcome = 'FAILED' | 'OK' | 'NONE'

/** Of a region that had a live probe when the check began. */
export type RegionAnswer = {
  region: string
  outcome: RegionOutcome
  /** Whether it has ever reached this target. */
  hasPassed: boolean
}

/** NOT_DOWN is DEGRADED if any region failed; otherwise the rules for slow responses and expiry decide. */
export type EachVerdict = 'DOWN' | 'NOT_DOWN' | 'ASK_AGAIN' | 'NO_VERDICT'

type Asked = { downWhen: number | null; isLastRound: boolean }

/**
 * A region that has never reached the target says nothing by failing, unless no region passes: then nobody knows better.
 */
export function regionsThatCount<A extends RegionAnswer>(answers: readonly A[]): A[] {
  const isReached = answers.some(({ outcome }) => outcome === 'OK')
  return answers.filter(({ outcome, hasPassed }) => {
    return !isReached || outcome !== 'FAILED' || hasPassed
  })
}

/** How many of `count` regions have to fail, by default the majority. */
function failuresNeeded(downWhen: number | null, count: number): number {
  return Math.min(downWhen ?? Math.floor(count / 2) + 1, count)
}

/** ASK_AGAIN: those without a verdict decide, so they are asked once more. Without answers there is NO_VERDICT. */
export function verdictOfEach(
  answers: readonly RegionAnswer[],
  { downWhen, isLastRound }: Asked,
): EachVerdict {
  const counted = regionsThatCount(answers)
  const count = counted.length
  if (count === 0) return 'NO_VERDICT'
  const failed = counted.filter(({ outcome }) => outcome === 'FAILED').length
  const passed = counted.filter(({ outcome }) => outcome === 'OK').length
  const needed = failuresNeeded(downWhen, count)
  if (failed >= needed) return 'DOWN'
  if (count - passed < needed) return 'NOT_DOWN'
  if (!isLastRound) return 'ASK_AGAIN'
  if (passed > 0) return 'NOT_DOWN'
  return failed > 0 ? 'DOWN' : 'NO_VERDICT'
}

/** The middle one; of two in the middle, the smaller. Null without values. */
export function lowerMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}
