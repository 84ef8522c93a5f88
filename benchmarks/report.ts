// One table for people, one line of JSON for machines.
import { parseArgs } from 'node:util'
import { DEFAULT_SLACK, type Figure, MIN_ROUNDS, missed } from './harness.ts'
import type { Busyness } from './machine.ts'

type Run = {
  question: string
  setting: Record<string, string | number | boolean>
  busy: { before: Busyness; after: Busyness }
}

export function readOptions() {
  const { values } = parseArgs({
    options: { slack: { type: 'string' }, rounds: { type: 'string' } },
  })
  return {
    slack: Number(values.slack ?? DEFAULT_SLACK),
    rounds: Number(values.rounds ?? MIN_ROUNDS),
  }
}

/** Prints everything, and makes the process fail if a goal is missed by more than the slack. */
export function reportFigures(run: Run, figures: readonly Figure[], slack: number): void {
  const rows = figures.map((figure) => [
    figure.question,
    figure.measure,
    figure.oursUs.toFixed(1),
    figure.bareUs.toFixed(1),
    figure.ratio.toFixed(3),
    figure.goal === undefined ? '' : `>= ${figure.goal}`,
    `${figure.spreadPercent.ours.toFixed(0)} / ${figure.spreadPercent.bare.toFixed(0)} %`,
  ])
  const head = ['question', 'measure', 'ours us/op', 'bare us/op', 'ratio', 'goal', 'spread']
  printRun(run)
  print(table([head, ...rows]))
  const misses = missed(figures, slack)
  for (const { question, measure, ratio, goal } of misses)
    print(`MISSED: ${question}, ${measure}: ${ratio.toFixed(3)} < ${goal} (slack ${slack})`)
  printJson({ ...run, slack, figures, passed: misses.length === 0 })
  if (misses.length > 0) process.exitCode = 1
}

export function printRun({ question, setting, busy }: Run): void {
  print(question)
  for (const [name, value] of Object.entries(setting)) print(`  ${name}: ${value}`)
  const { before, after } = busy
  print(`  load average: ${before.load1.toFixed(2)} before, ${after.load1.toFixed(2)} after`)
  print(`  steal: ${after.stealPercent.toFixed(2)} % during the run`)
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n')
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
