// Answers every question about the engine, one after the other, and prints one table of all goals at the end.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type GoalRow, goalTable, verdictOf } from './engine-report.ts'
import { print, printJson } from './report.ts'

const QUESTIONS = [
  'rate',
  'https',
  'idle',
  'timetable',
  'memory',
  'neighbour',
  'record',
  'cold',
  'probes',
  'heartbeat',
  'ping',
]

const { positionals } = parseArgs({ allowPositionals: true })
const selected = positionals.length === 0 ? QUESTIONS : positionals
const rows: GoalRow[] = []
const broken: string[] = []
for (const question of selected) {
  const found = await runQuestion(question)
  if (found.length === 0) broken.push(question)
  rows.push(...found)
}
print('\nAll goals of the engine')
print(goalTable(rows.filter((row) => verdictOf(row) !== '')))
for (const question of broken) print(`No figures: ${question}`)
const missed = rows.filter((row) => verdictOf(row) === 'MISSED')
printJson({
  question: 'engine',
  asked: selected,
  broken,
  rows,
  passed: missed.length + broken.length === 0,
})
if (missed.length + broken.length > 0) process.exitCode = 1

/** The question's rows; empty if it failed. */
async function runQuestion(question: string): Promise<GoalRow[]> {
  const child = fork(join(import.meta.dirname, `engine-${question}.ts`))
  let found: GoalRow[] = []
  child.on('message', (message: { rows: GoalRow[] }) => {
    found = message.rows
  })
  await once(child, 'exit')
  return found
}
