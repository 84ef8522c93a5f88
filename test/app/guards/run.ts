// node test/app/guards/run.ts [part of a guard's name]: takes each guard away, alone, in a copy of the product, and runs
// the tests that should notice. Ends with 1 when one is not missed.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Edit, PLANTS, type Plant } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = ['src', 'test', 'tools', 'migrations', 'sdk', 'cli', 'package.json', 'openapi.json']
const TIMEOUT_MS = 300_000

const [wanted = ''] = process.argv.slice(2)
const copy = mkdtempSync(join(tmpdir(), 'upvane-guards-'))
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const plant of PLANTS.filter(({ guard }) => guard.includes(wanted))) {
    const caught = without(plant, () => firstFailure(plant))
    console.log(`${plant.guard.padEnd(52)} ${caught ?? 'NOT MISSED'}`)
    if (caught === undefined) process.exitCode = 1
  }
} finally {
  rmSync(copy, { recursive: true })
}

function without<T>({ edits }: Plant, work: () => T): T {
  const before = edits.map(({ file }) => readFileSync(join(copy, file), 'utf8'))
  try {
    for (const edit of edits) apply(edit)
    return work()
  } finally {
    edits.forEach(({ file }, index) => {
      writeFileSync(join(copy, file), before[index] ?? '')
    })
  }
}

/** A guard that was reworded is told, not passed over. */
function apply({ file, from, to }: Edit): void {
  const text = readFileSync(join(copy, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly once:\n${from}`)
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  )
}

/** Only what a test asserts counts: a product that did not start proves nothing. */
function firstFailure({ tests, only, guard }: Plant): string | undefined {
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`]
  const { stdout } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=spec', ...pattern, ...tests],
    { cwd: copy, encoding: 'utf8', timeout: TIMEOUT_MS },
  )
  const ran = Number(/^ℹ tests (\d+)$/m.exec(stdout)?.[1] ?? 0)
  const failed = /^ *✖ (.+?) \(\d/m.exec(stdout)?.[1]
  if (ran > 0 && failed === undefined) return undefined
  if (failed === undefined || !stdout.includes('AssertionError'))
    throw new Error(`The tests of "${guard}" did not run:\n${stdout}`)
  return failed
}
