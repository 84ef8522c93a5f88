// What the suites cost when they were last recorded. `CI_TIMES_FILE=tools/tests/times.json .ci/run` records them again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Cost = { wallSeconds: number; cpuSeconds: number }
export type SuiteCost = Cost & { passed: number; failed: number; skipped: number }
export type Times = { suites: Record<string, SuiteCost>; files: Record<string, Cost> }

const RECORDED = join(import.meta.dirname, 'times.json')
// More than this above the recorded CPU time is reported.
const TOLERATED = 1.25
const NOISE_SECONDS = 5
const UNKNOWN: Cost = { wallSeconds: 60, cpuSeconds: 35 }
const UNKNOWN_UNIT: Cost = { wallSeconds: 1, cpuSeconds: 1 }

export function readRecorded(): Times {
  return readTimes(RECORDED)
}

/** A file that was never measured counts as long, unless it is a unit test. */
export function costOf(suite: string, file: string, recorded: Times): Cost {
  return recorded.files[file] ?? (suite === 'unit' ? UNKNOWN_UNIT : UNKNOWN)
}

function readTimes(path: string): Times {
  if (!existsSync(path)) return { suites: {}, files: {} }
  return JSON.parse(readFileSync(path, 'utf8')) as Times
}

/** Replaces what is known of these suites and keeps the others, so that several runs can share a file. */
export function writeTimes(path: string, measured: Times): void {
  const known = readTimes(path)
  const times: Times = {
    suites: sorted({ ...known.suites, ...measured.suites }),
    files: sorted({ ...known.files, ...measured.files }),
  }
  writeFileSync(path, `${JSON.stringify(times, null, 1)}\n`)
}

const sorted = <T>(rows: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(rows).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A line for each suite that used clearly more CPU time than recorded. */
export function findSlower(measured: Times['suites'], recorded: Times['suites']): string[] {
  return Object.entries(measured).flatMap(([name, { cpuSeconds }]) => {
    const before = recorded[name]?.cpuSeconds
    if (before === undefined || cpuSeconds <= before * TOLERATED + NOISE_SECONDS) return []
    const percent = Math.round((cpuSeconds / before - 1) * 100)
    return [`${name}: ${cpuSeconds} CPU s, ${percent}% more than the recorded ${before}`]
  })
}
