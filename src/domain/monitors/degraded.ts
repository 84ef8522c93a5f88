// When a passing check counts as DEGRADED: the target responds, but slowly.
import type { MonitorSettings } from './monitor.ts'

/** A threshold of null means that response times never matter. */
export type DegradedRule = Pick<
  MonitorSettings,
  'degradedThresholdMs' | 'degradedThresholdMode' | 'degradedSamples'
>

/** `samplesMs`: response times of passed checks, newest last. */
export function isDegraded(rule: DegradedRule, samplesMs: readonly number[]): boolean {
  const { degradedThresholdMs: thresholdMs, degradedSamples: count } = rule
  if (thresholdMs === null || samplesMs.length < count) return false
  const recent = samplesMs.slice(-count)

  return rule.degradedThresholdMode === 'LAST'
    ? recent.every((ms) => ms > thresholdMs)
    : percentile95(recent) > thresholdMs
}

/** Keeps no more samples than the rule uses: they are stored in a row that every check rewrites. */
export function addSample(
  { degradedSamples }: DegradedRule,
  samplesMs: readonly number[],
  responseMs: number,
): number[] {
  return [...samplesMs, responseMs].slice(-degradedSamples)
}

// Nearest rank: element ceil(0.95 n), computed in integers so that rounding errors cannot shift it.
function percentile95(samplesMs: readonly number[]): number {
  const rank = Math.ceil((95 * samplesMs.length) / 100)
  return samplesMs.toSorted((a, b) => a - b)[rank - 1] ?? 0
}
