// Judges the record of a run: `node test/oracle/main.ts run.json [--control]`. Exits with 1 if an invariant was
// violated, or if the negative control was not caught.
import { readFileSync } from 'node:fs'
import { judge } from './judge.ts'
import { control } from './plant.ts'
import type { Run } from './run.ts'

const MAX_SHOWN = 50

const [file, flag] = process.argv.slice(2)
if (file === undefined) throw new Error('Usage: node test/oracle/main.ts run.json [--control]')
const run = JSON.parse(readFileSync(file, 'utf8')) as Run

const { counts, violations } = judge(run)
console.log(JSON.stringify(counts))
for (const { rule, text } of violations.slice(0, MAX_SHOWN)) console.log(`${rule} ${text}`)
if (violations.length > 0 || counts['slotsDue'] === 0) process.exitCode = 1

if (flag === '--control') {
  const outcomes = control(run)
  for (const { name, outcome } of outcomes) console.log(`${outcome.padEnd(9)} ${name}`)
  if (outcomes.some(({ outcome }) => outcome === 'MISSED')) process.exitCode = 1
}
