// Decides whether a release is good. Pure.

/** What was seen of one monitor after the release, and of its response times in the hour before. */
export type Measurement = {
  monitorId: string
  name: string
  /** Regions that were checked. */
  regions: readonly string[]
  failures: readonly { region: string; cause: string }[]
  /** Regions whose check could not be run. */
  inconclusive: readonly string[]
  beforeMs: readonly number[]
  afterMs: readonly number[]
}

export type Verdict = 'OK' | 'SLOW' | 'BROKEN' | 'UNKNOWN'

export type Judgement = {
  monitorId: string
  name: string
  verdict: Verdict
  /** Null if there were too few checks to compare. */
  p95BeforeMs: number | null
  p95AfterMs: number | null
  /** For people. May hold text of the service. */
  reason: string
}

/** Fewer response times say nothing about an hour. */
export const FEWEST_BEFORE = 5
// A difference that nobody notices, whatever the ratio.
const SMALLEST_DIFFERENCE_MS = 50

/** `maxSlowdown` 1.5: a p95 of more than one and a half of the one before is slow. */
export function judge(measurement: Measurement, maxSlowdown: number): Judgement {
  const { monitorId, name, beforeMs, afterMs } = measurement
  const p95BeforeMs = beforeMs.length < FEWEST_BEFORE ? null : percentile95(beforeMs)
  const p95AfterMs = percentile95(afterMs)
  const figures = { monitorId, name, p95BeforeMs, p95AfterMs }
  return { ...figures, ...decide(measurement, figures, maxSlowdown) }
}

type Figures = Pick<Judgement, 'p95BeforeMs' | 'p95AfterMs'>
type Decision = Pick<Judgement, 'verdict' | 'reason'>

function decide(
  { regions, failures, inconclusive }: Measurement,
  { p95BeforeMs, p95AfterMs }: Figures,
  maxSlowdown: number,
): Decision {
  const [failure] = failures
  if (failure !== undefined)
    return { verdict: 'BROKEN', reason: `${failure.cause}, from ${failure.region}` }
  if (inconclusive.length > 0)
    return { verdict: 'UNKNOWN', reason: `no result from ${inconclusive.join(', ')}` }
  const seen = `up from ${regions.join(', ')}`
  if (p95AfterMs === null) return { verdict: 'OK', reason: seen }
  if (p95BeforeMs === null)
    return { verdict: 'OK', reason: `${seen}; p95 ${p95AfterMs} ms, nothing to compare with` }
  const compared = `p95 ${p95AfterMs} ms, ${p95BeforeMs} ms in the hour before`
  return isSlow(p95BeforeMs, p95AfterMs, maxSlowdown)
    ? { verdict: 'SLOW', reason: compared }
    : { verdict: 'OK', reason: `${seen}; ${compared}` }
}

function isSlow(beforeMs: number, afterMs: number, maxSlowdown: number): boolean {
  return afterMs > beforeMs * maxSlowdown && afterMs - beforeMs >= SMALLEST_DIFFERENCE_MS
}

/** The nearest rank, as the service computes it. Null of nothing. */
export function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null
}
