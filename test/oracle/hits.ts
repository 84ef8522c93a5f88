// I2: the target's own log confirms what a result reports. I11: how late checks began.
import { type Hit, instant, type Life, type ResultRow, short, type Violation } from './run.ts'

// The engine extrapolates the database clock between two readings; the target reads the machine's.
const CLOCK_MS = 100
const MAX_REQUESTED_MS = 60_000
const NEAR_MS = 2_000

export function judgeHits(life: Life): { violations: Violation[]; latenessMs: number[] } {
  const scheduled = life.results.filter(({ kind }) => kind === 'SCHEDULED')
  const latenessMs: number[] = []
  const found: string[] = []
  for (const result of life.results) {
    const hits = life.hits.filter((hit) => isWithin(hit, result.slotMs, endOf(result, scheduled)))
    const problem = contradiction(life, result, hits)
    if (problem !== undefined) found.push(`${result.kind} ${instant(result.slotMs)}: ${problem}`)
    const [first] = hits
    const wasRun = result.verdict !== 'INCONCLUSIVE' && result.verdict !== 'SUPERSEDED'
    if (result.kind === 'SCHEDULED' && wasRun && first !== undefined)
      latenessMs.push(Math.max(0, first.atMs - result.slotMs))
  }
  const violations = [...found, ...falseAlarms(life)].map((text) => ({
    rule: 'I2',
    text: `${short(life.monitor.uuid)}: ${text}`,
  }))
  return { violations, latenessMs }
}

/** The next slot that ran began after this one had ended: those in between are recorded as overlap. */
function endOf({ kind, slotMs }: ResultRow, scheduled: readonly ResultRow[]): number {
  if (kind !== 'SCHEDULED') return slotMs + MAX_REQUESTED_MS
  return scheduled.find((other) => other.slotMs > slotMs)?.slotMs ?? Number.POSITIVE_INFINITY
}

function isWithin({ atMs }: Hit, fromMs: number, toMs: number): boolean {
  return atMs >= fromMs - CLOCK_MS && atMs < toMs + CLOCK_MS
}

function contradiction(life: Life, result: ResultRow, hits: readonly Hit[]): string | undefined {
  const { verdict, statusCode, slotMs } = result
  if (verdict === 'INCONCLUSIVE' || verdict === 'SUPERSEDED') return undefined
  if (statusCode !== null)
    return hits.some(({ status }) => status === statusCode)
      ? undefined
      : `${verdict} with status ${statusCode}, which the target never answered`
  if (verdict !== 'FAILED') return hits.length > 0 ? undefined : `${verdict} without a probe`
  const wasOut = life.outages.some(
    ({ fromMs, toMs }) => toMs >= slotMs && fromMs <= slotMs + 60_000,
  )
  return wasOut || hits.some(({ status }) => status === 0)
    ? undefined
    : 'FAILED, but the target let nobody down'
}

// An incident begins with the first failed attempt, so there must be a failure at that time.
function falseAlarms({ incidents, hits, outages }: Life): string[] {
  return incidents.flatMap(({ id, startedMs }) => {
    const isSeen = hits.some(
      ({ atMs, status }) => isBad(status) && Math.abs(atMs - startedMs) < NEAR_MS,
    )
    const isOut = outages.some(
      ({ fromMs, toMs }) => fromMs - CLOCK_MS <= startedMs && startedMs <= toMs + CLOCK_MS,
    )
    return isSeen || isOut
      ? []
      : [`incident ${short(id)} at ${instant(startedMs)} is a false alarm`]
  })
}

function isBad(status: number): boolean {
  return status === 0 || status >= 400
}
