// node test/sim/engine/run-plants.ts [part of a bug's name]: makes each bug in a copy of the product, one at a time, and
// simulates seeds until one of them violates the rule that must find it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CANDIDATES, PLANTS, type Plant } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = ['src', 'test', 'tools', 'migrations', 'package.json']
const MAX_SEEDS = 200

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, seconds: { type: 'string', default: '300' } },
})
const [wanted = ''] = positionals
const first = Number(values.seed)
const maxSeconds = Number(values.seconds)

type Search = { seeds: number; seconds: number; violation: string | undefined }

/** What seeds violate in the product as it is. */
const withoutBugs = new Map<string, string[]>()
const copy = mkdtempSync(join(tmpdir(), 'upvane-sim-plants-'))
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const named = wanted === '' ? PLANTS : [...PLANTS, ...CANDIDATES]
  for (const plant of named.filter(({ bug }) => bug.includes(wanted))) {
    const { seeds, seconds, violation } = searchWith(plant)
    const shown = violation ?? 'NOT FOUND'
    console.log(`${plant.bug.padEnd(52)} ${seeds} seeds, ${Math.round(seconds)} s: ${shown}`)
    if (violation === undefined) process.exitCode = 1
  }
} finally {
  rmSync(copy, { recursive: true })
}

function searchWith(plant: Plant): Search {
  const { bug, file, changes } = plant
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  let changed = text
  for (const { from, to } of changes) {
    if (text.split(from).length !== 2) throw new Error(`${bug}: ${file} has changed`)
    changed = changed.replace(from, () => to)
  }
  writeFileSync(path, changed)
  try {
    return search(plant)
  } finally {
    writeFileSync(path, text)
  }
}

function search(plant: Plant): Search {
  const { rule } = plant
  const startMs = performance.now()
  let seeds = 0
  let seconds = 0
  let violation: string | undefined
  while (violation === undefined && seeds < MAX_SEEDS && seconds < maxSeconds) {
    const seed = first + seeds
    violation = violationsIn(copy, seed, plant).find((text) => rule.test(text))
    // Otherwise it shows nothing about the bug.
    if (violation !== undefined && isViolatedAnyway(plant, seed)) violation = undefined
    seeds += 1
    seconds = (performance.now() - startMs) / 1000
  }
  return { seeds, seconds, violation }
}

function isViolatedAnyway(plant: Plant, seed: number): boolean {
  const name = `${seed} ${plant.minutes} ${plant.without}`
  const known = withoutBugs.get(name) ?? violationsIn(ROOT, seed, plant)
  withoutBugs.set(name, known)
  return known.some((text) => plant.rule.test(text))
}

/** In a process of its own: modules that were loaded stay as they were. */
function violationsIn(cwd: string, seed: number, { minutes, without }: Plant): string[] {
  const size = ['--monitors', '6', '--minutes', String(minutes), '--without', without]
  const command = [
    'test/sim/engine/run.ts',
    '--seed',
    String(seed),
    '--json',
    '--no-shrink',
    ...size,
  ]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8' })
  const lines = stderr.split('\n').flatMap((line) => /^seed \d+: (.*)$/.exec(line)?.[1] ?? [])
  if (status !== 0 && lines.length === 0) throw new Error(`Seed ${seed} failed:\n${stderr}`)
  return lines
}
