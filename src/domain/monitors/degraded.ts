// Slow, but answering: when a passing check counts as DEGRADED.

export type DegradedRule = {
  /** null: response times never matter. */
  degradedThresholdMs: number | null
  degradedThresholdMode: 'LAST' | 'P95'
  degradedSamples: number
}

/** `samplesMs`: response times of passed checks, newest last. */
export function isDegraded(rule: DegradedRule, samplesMs: readonly number[]): boolean {
  const { degradedThresholdMs: thresholdMs, degradedSamples: count } = rule
  if (thresholdMs === null || samplesMs.length < count) return false
  const recent = samplesMs.slice(-count)

  return rule.degradedThresholdMode === 'LAST'
    ? recent.every((ms) => ms > thresholdMs)
    : percentile95(recent) > thresholdMs
}

/** No more are kept than are judged: they lie in a row that every check writes anew. */
export function addSample(
  { degradedSamples }: DegradedRule,
  samplesMs: readonly number[],
  responseMs: number,
): number[] {
  return [...samplesMs, responseMs].slice(-degradedSamples)
}

// Nearest rank: the element number ceil(0.95 n). In whole numbers, because 0.95 * 20 is not 19.
function percentile95(samplesMs: readonly number[]): number {
  const rank = Math.ceil((95 * samplesMs.length) / 100)
  return samplesMs.toSorted((a, b) => a - b)[rank - 1] ?? 0
}
