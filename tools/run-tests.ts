// Runs one suite with node --test, and fails if no test ran: an empty suite proves nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, globSync } from 'node:fs'
import { dirname } from 'node:path'
import { COMPILE_CACHE } from './compile-cache.ts'

type Suite = {
  files: string
  concurrency: number
  timeoutSeconds: number
  /** Runs all files in one process, one after the other, so they can share slow setup. */
  oneProcess?: boolean
  /** In CI, failed files are run once more on their own: docs/decisions/0016. */
  repeats?: boolean
}

const FAILED = /^test at (\S+\.ts):\d+:\d+\n✖ (.*) \([\d.]+ms\)$/gm
// More failures than this are not a coincidence.
const MAX_REPEATED_FILES = 3

const SUITES: Record<string, Suite> = {
  unit: {
    files:
      '{{src,tools,cli,sdk,web/src,benchmarks}/**/!(*.db|*.slow),test/{private,hostile}/guards/plants}.test.ts',
    concurrency: 2,
    timeoutSeconds: 60,
  },
  db: { files: '{src,tools}/**/*.db.test.ts', concurrency: 2, timeoutSeconds: 180, repeats: true },
  slow: {
    files: '{src,tools,cli,sdk}/**/*.slow.test.ts',
    concurrency: 1,
    timeoutSeconds: 180,
    repeats: true,
  },
  sim: { files: 'test/{sim,oracle}/**/*.test.ts', concurrency: 2, timeoutSeconds: 180 },
  contract: {
    files: 'test/contract/**/*.test.ts',
    concurrency: 2,
    timeoutSeconds: 240,
    repeats: true,
  },
  app: { files: 'test/private/**/*.test.ts', concurrency: 2, timeoutSeconds: 180, repeats: true },
  web: { files: 'test/web/**/*.test.ts', concurrency: 2, timeoutSeconds: 300, repeats: true },
  fuzz: { files: 'test/fuzz/**/*.test.ts', concurrency: 1, timeoutSeconds: 600 },
  e2e: { files: 'test/e2e/**/*.test.ts', concurrency: 3, timeoutSeconds: 300, repeats: true },
  hostile: {
    files: 'test/hostile/**/*.test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    oneProcess: true,
    repeats: true,
  },
  deploy: {
    files: 'test/deploy/**/*.test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    oneProcess: true,
    repeats: true,
  },
  fault: {
    files: 'test/fault/**/!(soak).test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    repeats: true,
  },
  // Measures what processes hold while nothing is in flight, so nothing may run beside it.
  soak: {
    files: 'test/fault/**/soak.test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    repeats: true,
  },
}

const [name = '', ...only] = process.argv.slice(2)
const suite = SUITES[name]
if (suite === undefined) throw new Error(`Suites: ${Object.keys(SUITES).join(', ')}`)

const files = globSync(suite.files, { exclude: ['**/node_modules/**'] })
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .toSorted()
if (files.length === 0) throw new Error(`Suite "${name}" has no test file.`)

// The large sizes of npm run long take longer than any suite may take in CI.
const timeoutSeconds = Number(process.env['TEST_TIMEOUT_SECONDS'] ?? suite.timeoutSeconds)

type Run = { isGood: boolean; output: string; passed: number; failed: number; skipped: number }

let run = await runFiles(files, suite.concurrency)
if (!run.isGood && suite.repeats && process.env['CI']) run = await repeatAlone(run)
if (process.env['TEST_COUNTS_FILE'])
  appendFileSync(
    process.env['TEST_COUNTS_FILE'],
    `${name} ${run.passed} ${run.failed} ${run.skipped}\n`,
  )
if (run.passed + run.failed === 0) console.error(`Suite "${name}" ran no test.`)
process.exitCode = run.isGood && run.passed > 0 ? 0 : 1

/** Runs the few failed files once more, each on its own. The output of the first run stays. */
async function repeatAlone(first: Run): Promise<Run> {
  const failing = failedFiles(first.output)
  const isFew = failing.size > 0 && failing.size <= MAX_REPEATED_FILES
  const names = [...failing.keys()]
  if (!isFew || !names.every((file) => files.includes(file))) return first
  console.log(`\n== failed, and now repeated alone: ${names.join(', ')}`)
  let failed = 0
  let isGood = true
  for (const [file, tests] of failing) {
    const second = await runFiles([file], 1, tests)
    failed += second.failed
    isGood &&= second.isGood && second.passed > 0
  }
  if (isGood) reportFlaky(names)
  return { ...first, isGood, failed, passed: first.passed + first.failed - failed }
}

function reportFlaky(failing: readonly string[]): void {
  console.log(`\n== FLAKY: passed only when repeated: ${failing.join(', ')}`)
  const file = process.env['TEST_FLAKY_FILE']
  if (file) appendFileSync(file, `FLAKY: ${failing.join(', ')}\n`)
}

/** As the reporter lists them at the end: files, and the names of tests that a file only starts. */
function failedFiles(output: string): Map<string, string[]> {
  const failing = new Map<string, string[]>()
  for (const [, file = '', name = ''] of output.matchAll(FAILED)) {
    const own = testFileOf(file)
    failing.set(own, [...(failing.get(own) ?? []), ...(own === file ? [] : [name])])
  }
  return failing
}

/** The tests in `test/web/monitors/welcome.ts` are started by `test/web/monitors.test.ts`, and need none before them. */
function testFileOf(file: string): string {
  return file.endsWith('.test.ts') ? file : `${dirname(file)}.test.ts`
}

async function runFiles(
  some: readonly string[],
  concurrency: number,
  tests: readonly string[] = [],
): Promise<Run> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      ...(suite?.oneProcess ? ['--test-isolation=none'] : []),
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeoutSeconds * 1000}`,
      '--test-reporter=spec',
      ...tests.map((name) => `--test-name-pattern=^${RegExp.escape(name)}$`),
      ...some,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...COMPILE_CACHE } },
  )
  // A test process that never exits must not block the ones after it. A long suite that goes on is left alone.
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 3 * timeoutSeconds * 1000)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    watchdog.refresh()
    process.stdout.write(chunk)
    output += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(watchdog)
  const count = (what: string) =>
    Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  return {
    isGood: code === 0,
    output,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
  }
}
