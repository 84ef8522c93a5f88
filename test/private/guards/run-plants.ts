// Removes each guard, one at a time, in a copy of the product, and runs the tests that should notice.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Judgement, judge, runTests } from './judge.ts'
import type { Edit, Plant } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = [
  'src',
  'test',
  'tools',
  'benchmarks',
  'migrations',
  'deploy',
  'sdk',
  'cli',
  'package.json',
  'openapi.json',
  'openapi-ext.json',
]

type Counts = { noticed: number; unnoticed: number; unclear: number }

/** Exits with 1 if the removal of a guard is not noticed, or if its tests prove nothing. */
export async function runPlants(plants: readonly Plant[]): Promise<void> {
  const counts: Counts = { noticed: 0, unnoticed: 0, unclear: 0 }
  const copy = mkdtempSync(join(tmpdir(), 'upvane-guards-'))
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    await assertAllPass(copy, plants)
    for (const plant of plants) {
      const judgement = await without(copy, plant)
      console.log(`${plant.guard.padEnd(52)} ${toText(judgement)}`)
      counts[toKind(judgement)]++
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
  console.log(`${plants.length} guards:`, counts)
  if (counts.noticed < plants.length) process.exitCode = 1
}

/** With every guard in place; otherwise a failure without one would prove nothing. */
async function assertAllPass(copy: string, plants: readonly Plant[]): Promise<void> {
  const files = Map.groupBy(plants, ({ tests }) => tests.join(' '))
  for (const [file, own] of files) {
    // The whole file if one of its guards needs all tests.
    const only = [...new Set(own.map((plant) => plant.only ?? ''))].join('|')
    const tests = { cwd: copy, files: file.split(' '), only }
    const first = await runTests(tests)
    // A busy machine may cause one failure.
    const outcome = judge(first) === 'unnoticed' ? first : await runTests(tests)
    const judgement = judge(outcome)
    if (judgement !== 'unnoticed') throw new Error(`${file}: ${toText(judgement)}`)
    console.log(`${file}: ${outcome.passed} tests pass with every guard`)
  }
}

async function without(copy: string, { edits, tests, only }: Plant): Promise<Judgement> {
  const before = edits.map(({ file }) => readFileSync(join(copy, file), 'utf8'))
  try {
    for (const edit of edits) apply(copy, edit)
    return judge(await runTests({ cwd: copy, files: tests, ...(only && { only }) }))
  } finally {
    edits.forEach(({ file }, index) => {
      writeFileSync(join(copy, file), before[index] ?? '')
    })
  }
}

/** A guard whose source text changed is reported, not skipped. */
function apply(copy: string, { file, from, to }: Edit): void {
  const text = readFileSync(join(copy, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly once:\n${from}`)
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  )
}

function toKind(judgement: Judgement): keyof Counts {
  if (judgement === 'unnoticed') return 'unnoticed'
  return 'noticedBy' in judgement ? 'noticed' : 'unclear'
}

function toText(judgement: Judgement): string {
  if (judgement === 'unnoticed') return 'NOT MISSED'
  return 'noticedBy' in judgement ? judgement.noticedBy : `UNCLEAR: ${judgement.unclear}`
}
