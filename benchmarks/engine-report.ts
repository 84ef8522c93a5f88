// The goals of one question as a table for people and a line of JSON for machines.
import { describeMachine, type watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'

export type GoalRow = {
  goal: string
  measure: string
  unit: string
  ours: number
  bare?: number
  /** The goal, if any: a limit on `ours`, or on the ratio of `ours` to `bare` if `by` is set. */
  atMost?: number
  atLeast?: number
  by?: 'ratio'
}

const SLACK = 0.15

/** Prints everything. The process fails if a goal is missed; ratios have some slack. */
export function reportGoals(
  question: string,
  {
    setting,
    busy,
  }: { setting: Record<string, string | number>; busy: ReturnType<typeof watchBusyness> },
  rows: readonly GoalRow[],
): void {
  const run = { question, setting: { ...describeMachine(), ...setting }, busy: busy() }
  printRun(run)
  print(goalTable(rows))
  const passed = rows.every((row) => verdictOf(row) !== 'MISSED')
  printJson({ ...run, slack: SLACK, rows, passed })
  process.send?.({ rows })
  if (!passed) process.exitCode = 1
}

export function goalTable(rows: readonly GoalRow[]): string {
  const head = ['goal', 'measure', 'ours', 'bare', 'ours/bare', 'wanted', '']
  return table([head, ...rows.map(toCells)])
}

function toCells(row: GoalRow): string[] {
  const { goal, measure, unit, ours, bare, atMost, atLeast, by } = row
  const wanted =
    atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''
  return [
    goal,
    measure,
    `${short(ours)} ${unit}`,
    bare === undefined ? '' : `${short(bare)} ${unit}`,
    bare === undefined ? '' : (ours / bare).toFixed(2),
    by === 'ratio' ? `${wanted} x` : wanted,
    verdictOf(row),
  ]
}

export function verdictOf({ ours, bare = Number.NaN, atMost, atLeast, by }: GoalRow): string {
  const value = by === 'ratio' ? ours / bare : ours
  const slack = by === 'ratio' ? SLACK : 0
  if (atMost !== undefined) return value <= atMost * (1 + slack) ? 'held' : 'MISSED'
  if (atLeast !== undefined) return value >= atLeast * (1 - slack) ? 'held' : 'MISSED'
  return ''
}

const short = (value: number) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(+value.toPrecision(5))
