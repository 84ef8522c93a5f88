// What a soak must show: processes retain nothing, and every check has the verdict its target deserves. A line is fitted
// through the readings of memory over the recorded checks.
import assert from 'node:assert/strict'
import type { Held } from './inspector.ts'
import type { Kind } from './soak-targets.ts'

const MOST_BYTES_EACH = 16
// Collections do not leave the same bytes each time: compiled code is dropped and recreated, tables grow by doubling.
// Over few checks that is more than 16 B each, so this total is the bound instead.
const NOISE_BYTES = 512 * 1024
// Every wait has a timer, so their count rises for a moment when the machine delays everything.
const MOST_SPREAD = { descriptors: 10, timers: 20 }
// What is never let go of raises even the lowest count.
const MOST_HANDLES_KEPT = 5
const LEAST_DECIDED = 0.95
const INCONCLUSIVE = 3

export type Reading = { checks: number; held: Map<string, Held> }
/** `undisturbed`: of these, in intervals in which the machine had its processors. */
export type Tally = { name: string; verdict: number; count: number; undisturbed: number }
type Course = { leastReadings: number; busy: readonly string[] }
type Fit = { role: string; bytesEach: number; checks: number; first: Held; last: Held }

/** One line for people: bytes a check, and handles at the beginning and the end. */
export function describeHeld(readings: readonly Reading[]): string {
  const lines = fitAll(readings).map(({ role, bytesEach, first, last }) => {
    const handles = `fd ${first.descriptors}-${last.descriptors}, timers ${first.timers}-${last.timers}`
    return `${role} ${bytesEach.toFixed(1)} B/check at ${mib(last.bytes)} MiB, ${handles}`
  })
  return [`${readings.length} readings`, ...lines].join('; ')
}

export function assertFlat({ leastReadings, busy }: Course, readings: readonly Reading[]): void {
  const isEnough = readings.length >= leastReadings
  assert.ok(isEnough, `too few quiet moments: ${busy.join('; ')}`)
  assert.deepEqual(
    fitAll(readings).flatMap((fit) => whatGrew(fit, readings)),
    [],
  )
}

/** Whether more intervals have to show if it goes on: what a process compiles and caches early on ends growing, a leak does not. */
export const hasGrown = (readings: readonly Reading[]): boolean =>
  readings.length > 1 && fitAll(readings).some((fit) => whatGrew(fit, readings).length > 0)

/** A fault of ours may leave a check inconclusive; it never gives a target the wrong verdict. */
export function assertVerdicts(kinds: readonly Kind[], tallies: readonly Tally[]): void {
  for (const { name, verdicts } of kinds) {
    const own = tallies.filter((tally) => tally.name === name)
    for (const verdict of verdicts)
      assert.ok(
        own.some((tally) => tally.verdict === verdict),
        `no ${name} monitor was checked`,
      )
    const right = own.filter(({ verdict }) => verdicts.includes(verdict))
    const undecided = own.filter(({ verdict }) => verdict === INCONCLUSIVE)
    const counts = `${name}: ${JSON.stringify(own)}`
    assert.equal(sum(right, 'count') + sum(undecided, 'count'), sum(own, 'count'), counts)
    // Where the machine was disturbed all along, there is nothing better to judge by.
    const which = sum(own, 'undisturbed') > 0 ? 'undisturbed' : 'count'
    assert.ok(sum(right, which) >= LEAST_DECIDED * sum(own, which), counts)
  }
}

const sum = (tallies: readonly Tally[], which: 'count' | 'undisturbed'): number =>
  tallies.reduce((total, tally) => total + tally[which], 0)

function fitAll(readings: readonly Reading[]): Fit[] {
  const roles = readings[0] === undefined ? [] : [...readings[0].held.keys()]
  return roles.map((role) => fit(role, readings))
}

/** Least squares of the bytes held over the checks recorded. */
function fit(role: string, readings: readonly Reading[]): Fit {
  const held = readings.map((reading) => heldBy(role, reading))
  const [first, last] = [held[0], held.at(-1)]
  assert.ok(first !== undefined && last !== undefined)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const checksMean = mean(readings.map(({ checks }) => checks))
  const bytesMean = mean(held.map(({ bytes }) => bytes))
  let [together, alone] = [0, 0]
  for (const reading of readings) {
    const apart = reading.checks - checksMean
    together += apart * (heldBy(role, reading).bytes - bytesMean)
    alone += apart ** 2
  }
  const checks = (readings.at(-1)?.checks ?? 0) - (readings[0]?.checks ?? 0)
  return { role, bytesEach: together / alone, checks, first, last }
}

function whatGrew({ role, bytesEach, checks }: Fit, readings: readonly Reading[]): string[] {
  const most = Math.max(MOST_BYTES_EACH * checks, NOISE_BYTES)
  const held = readings.map((reading) => heldBy(role, reading))
  const memory = held.map(({ bytes }) => mib(bytes)).join(' ')
  const faults: string[] = []
  if (!(bytesEach * checks < most))
    faults.push(`${role} grew by ${bytesEach.toFixed(1)} B a check: ${memory} MiB`)
  for (const what of ['descriptors', 'timers'] as const) {
    const counts = held.map((each) => each[what])
    const spread = usuallyAtMost(counts) - Math.min(...counts)
    if (!(spread <= MOST_SPREAD[what] && kept(counts) <= MOST_HANDLES_KEPT))
      faults.push(`${role} does not let go of ${what}: ${counts.join(' ')}`)
  }
  return faults
}

/** Of three readings one may meet what a delayed machine still does. */
function usuallyAtMost(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b)
  return sorted[Math.floor((2 * (sorted.length - 1)) / 3)] ?? Number.POSITIVE_INFINITY
}

/** How much higher the lowest count of the last third is than that of the first. */
function kept(counts: readonly number[]): number {
  const third = Math.ceil(counts.length / 3)
  return Math.min(...counts.slice(-third)) - Math.min(...counts.slice(0, third))
}

function heldBy(role: string, { held }: Reading): Held {
  const one = held.get(role)
  assert.ok(one, `${role} was not read`)
  return one
}

const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(2)
