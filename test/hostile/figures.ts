// What was measured in one phase, its bounds, and the table of all phases.
import assert from 'node:assert/strict'

/** Flagged if the measuring process itself was late meanwhile. */
export type Sample = { fromMs: number; ms: number; flagged: boolean }
export type Figures = {
  name: string
  list: Sample[]
  create: Sample[]
  livez: Sample[]
  /** Requests that failed: a status of 500 or above, or no response. */
  failures: string[]
  /** From the slot to the request at the target; infinite if there was none. */
  checkLateMs: number[]
  /** From the event's timestamp to its arrival; infinite if it did not arrive. */
  deliveryLateMs: number[]
  /** The longest time the measuring process itself was late. */
  ownLagMs: number
  /** Share of the time that the product waited for a processor: high if the machine is busy with other work. */
  waitedShare: number
  /** Share of all processor time that the machine's host gave to others. */
  stealPercent: number
  /** Growth of the product's resident memory, in MiB. */
  grownMib: number
}

// The limits of what one organization may do to another.
const TIMES_QUIET = 5
const ALWAYS_ALLOWED_MS = 100
const MAX_P99_MS = 250
const MAX_LIVEZ_MS = 100
/** Relaxed when every attack runs at once: see together.test.ts. */
export type LatencyBounds = {
  maxP99Ms: number
  maxLivezMs: number
  timesQuiet: number
  /** A p99 that is allowed however fast the quiet service was. */
  allowedP99Ms?: number
}
const BOUNDS: LatencyBounds = {
  maxP99Ms: MAX_P99_MS,
  maxLivezMs: MAX_LIVEZ_MS,
  timesQuiet: TIMES_QUIET,
}
export const MAX_CHECK_LATE_MS = 1_000
export const MAX_DELIVERY_LATE_MS = 2_000
/** Samples taken while the measuring process was late are excluded, but no more than this share of them. */
const MAX_FLAGGED_SHARE = 0.05

/** Nearest rank. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Without the flagged ones, unless there are too many to exclude. */
function usable(samples: readonly Sample[]): number[] {
  const clean = samples.filter(({ flagged }) => !flagged)
  const isAllowed = samples.length - clean.length <= MAX_FLAGGED_SHARE * samples.length
  return (isAllowed ? clean : samples).map(({ ms }) => ms)
}

const worst = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)

const allowedMs = (quietMs: number, bounds = BOUNDS): number => {
  const { maxP99Ms, timesQuiet, allowedP99Ms = ALWAYS_ALLOWED_MS } = bounds
  return Math.min(maxP99Ms, Math.max(timesQuiet * quietMs, allowedP99Ms))
}

/** Requests that failed, as text. */
export function failuresOf({ failures }: Figures): string[] {
  return Map.groupBy(failures, (failure) => failure)
    .entries()
    .map(([failure, times]) => `failed ${times.length} times: ${failure}`)
    .toArray()
}

/** Every bound that was exceeded, as text. */
export function faultsOf(figures: Figures, quiet: Figures, bounds = BOUNDS): string[] {
  const faults = failuresOf(figures)
  for (const operation of ['list', 'create'] as const) {
    const p99 = percentile(usable(figures[operation]), 0.99)
    const allowed = allowedMs(percentile(usable(quiet[operation]), 0.99), bounds)
    if (!(p99 <= allowed))
      faults.push(`p99 of ${operation} is ${round(p99)} ms, allowed ${round(allowed)}`)
  }
  const livez = worst(usable(figures.livez))
  if (livez >= bounds.maxLivezMs) faults.push(`/livez took ${round(livez)} ms`)
  const check = worst(figures.checkLateMs)
  if (check > MAX_CHECK_LATE_MS) faults.push(`a check was ${round(check)} ms late`)
  const delivery = worst(figures.deliveryLateMs)
  if (delivery > MAX_DELIVERY_LATE_MS) faults.push(`a delivery was ${round(delivery)} ms late`)
  return faults
}

/** A phase in which hardly anything was measured proves nothing. */
export function assertMeasured(figures: Figures, seconds: number): void {
  const { name, list, create, livez, checkLateMs, deliveryLateMs } = figures
  assert.ok(list.length >= 8 * seconds, `${name}: ${list.length} lists`)
  assert.ok(create.length >= 4 * seconds, `${name}: ${create.length} creates`)
  assert.ok(livez.length >= 15 * seconds, `${name}: ${livez.length} of /livez`)
  assert.ok(checkLateMs.length >= seconds, `${name}: ${checkLateMs.length} checks`)
  assert.ok(deliveryLateMs.length >= 4 * seconds, `${name}: ${deliveryLateMs.length} deliveries`)
}

const COLUMNS = [
  'attack',
  'list p50/p99',
  'create p50/p99',
  'livez worst',
  'checks: worst, late',
  'deliveries: worst, late',
  'failed',
  'own lag, flagged',
  'CPU wait',
  'steal',
  'MiB',
]

export function tableOf(phases: readonly Figures[]): string {
  const rows = [COLUMNS, ...phases.map(rowOf)]
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
  return rows.map((row) => line(row).join('  ')).join('\n')
}

function rowOf(figures: Figures): string[] {
  const { list, create, livez, checkLateMs, deliveryLateMs } = figures
  const pair = (samples: readonly Sample[]) =>
    [0.5, 0.99].map((share) => round(percentile(usable(samples), share))).join(' / ')
  const lateness = (values: readonly number[], limitMs: number) =>
    `${round(worst(values))}, ${values.filter((ms) => ms > limitMs).length} of ${values.length}`
  const all = [...list, ...create, ...livez]
  const flagged = all.filter((sample) => sample.flagged).length
  return [
    figures.name,
    pair(list),
    pair(create),
    round(worst(usable(livez))),
    lateness(checkLateMs, MAX_CHECK_LATE_MS),
    lateness(deliveryLateMs, MAX_DELIVERY_LATE_MS),
    String(figures.failures.length),
    `${round(figures.ownLagMs)}, ${flagged} of ${all.length}`,
    `${Math.round(figures.waitedShare * 100)} %`,
    `${Math.round(figures.stealPercent)} %`,
    String(Math.round(figures.grownMib)),
  ]
}

const round = (ms: number): string => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)))
