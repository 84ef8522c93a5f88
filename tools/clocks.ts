// `npm run long clocks`: runs tests at hours and on days at which a wrong one fails, and end-to-end tests on one processor.
// Each run starts at its moment, and time passes from there. Needs Linux, root and a C compiler.
// NATS keeps the true time: it asks the kernel and not the C library.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const DAY_MINUTES = ['00:02', '11:03', '23:58']
// Europe's clocks change on the second of these days at 01:00 UTC.
const DAYS = ['2027-03-27', '2027-03-28']
// Those of the United States change back between 06:00 and 10:00 UTC.
const UNITED_STATES = ['2027-11-07T00:02', '2027-11-07T23:58']
const MOMENTS = [
  ...DAYS.flatMap((day) => DAY_MINUTES.map((time) => `${day}T${time}`)),
  ...UNITED_STATES,
]
const SUITES = ['unit', 'db', 'app']
const ONE_PROCESSOR = 'e2e'
const TOLERANCE_MS = 10_000
const USAGE = `node tools/clocks.ts [--at ${MOMENTS[0]}]… [--suites ${[...SUITES, ONE_PROCESSOR].join(',')}] [--only PART]…`

// In a mount namespace, so that no process outside of it notices. The first file lists what is loaded into every process.
const IN_NAMESPACE = 'mount --bind "$1" /etc && mount --bind "$2" "$3" && shift 3 && exec "$@"'

type Place = { etc: string; temporary: string }

const { at, suites, only } = readArguments()
const failed: string[] = []
const directory = mkdtempSync(join(tmpdir(), 'upvane-clocks-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const place = makePlace()
for (const moment of at)
  for (const suite of suites.filter((name) => name !== ONE_PROCESSOR)) runAt(moment, suite)
if (suites.includes(ONE_PROCESSOR))
  report(`${ONE_PROCESSOR} on one processor`, () =>
    run(['taskset', '-c', '0', ...testsOf(ONE_PROCESSOR)]),
  )
if (failed.length > 0) console.error(`Failed:\n  ${failed.join('\n  ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

function readArguments() {
  const { values } = parseArgs({
    options: {
      at: { type: 'string', multiple: true, default: MOMENTS },
      suites: { type: 'string', default: [...SUITES, ONE_PROCESSOR].join(',') },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  const isValid = values.at.every((moment) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(moment))
  if (isValid && process.getuid?.() === 0) return { ...values, suites: values.suites.split(',') }
  console.error(isValid ? 'Only root may mount in a namespace.' : USAGE)
  process.exit(2)
}

function makePlace(): Place {
  const [etc, temporary] = [join(directory, 'etc'), join(directory, 'tmp')]
  cpSync('/etc', etc, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(etc, 'ld.so.preload'), '/etc/shifted-clock.so\n')
  // Its own, because tests delete what looks old there.
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  return { etc, temporary }
}

function runAt(moment: string, suite: string): void {
  report(`${moment} ${suite}`, () => {
    shiftTo(new Date(`${moment}Z`))
    return run(inNamespace(testsOf(suite)))
  })
}

/** Every process that starts in the namespace from now on has this time. */
function shiftTo(moment: Date): void {
  const ahead = Math.round((moment.getTime() - Date.now()) / 1000)
  const library = join(place.etc, 'shifted-clock.so')
  const source = join(import.meta.dirname, 'shifted-clock.c')
  const flags = ['-O2', '-shared', '-fPIC', `-DAHEAD=(${ahead}L)`]
  if (run(['cc', ...flags, '-o', library, source]) !== 0) throw new Error('cc failed.')
  const seen = Number(read(inNamespace([process.execPath, '-p', 'Date.now()'])))
  if (!(Math.abs(seen - moment.getTime()) < TOLERANCE_MS))
    throw new Error(`The clock could not be set to ${moment.toISOString()}.`)
}

function inNamespace(command: string[]): string[] {
  const mounts = [place.etc, place.temporary, tmpdir()]
  const shell = ['sh', '-c', IN_NAMESPACE, 'sh', ...mounts, ...command]
  return ['unshare', '--mount', '--propagation', 'private', ...shell]
}

function testsOf(suite: string): string[] {
  return [process.execPath, 'tools/run-tests.ts', suite, ...only]
}

function run(command: string[]): number | null {
  return start(command, { stdio: 'inherit' }).status
}

function read(command: string[]): string {
  return String(start(command, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout)
}

function start([program = '', ...args]: string[], options: SpawnSyncOptions) {
  const result = spawnSync(program, args, { cwd: ROOT, ...options })
  if (result.error) throw result.error
  return result
}

function report(name: string, work: () => number | null): void {
  const startedAt = performance.now()
  const isGood = work() === 0
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`== ${name}: ${isGood ? 'passed' : 'FAILED'} after ${seconds} s`)
  if (!isGood) failed.push(name)
}
