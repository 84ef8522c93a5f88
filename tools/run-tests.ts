// Runs one suite with node --test, and fails when it ran nothing: an empty suite proves nothing.
import { spawn } from 'node:child_process'
import { appendFileSync, globSync } from 'node:fs'
import { COMPILE_CACHE } from './compile-cache.ts'

type Suite = {
  files: string
  concurrency: number
  timeoutSeconds: number
  /** All files in one process, one after the other, so that they can share what takes long to start. */
  oneProcess?: boolean
}

const SUITES: Record<string, Suite> = {
  unit: {
    files: '{src,tools,cli,sdk,web/src}/**/!(*.db|*.slow).test.ts',
    concurrency: 2,
    timeoutSeconds: 60,
  },
  db: { files: '{src,tools}/**/*.db.test.ts', concurrency: 2, timeoutSeconds: 180 },
  slow: { files: '{src,tools}/**/*.slow.test.ts', concurrency: 1, timeoutSeconds: 180 },
  sim: { files: 'test/{sim,oracle}/**/*.test.ts', concurrency: 1, timeoutSeconds: 180 },
  contract: { files: 'test/contract/**/*.test.ts', concurrency: 2, timeoutSeconds: 240 },
  app: { files: 'test/app/**/*.test.ts', concurrency: 2, timeoutSeconds: 180 },
  web: { files: 'test/web/**/*.test.ts', concurrency: 2, timeoutSeconds: 300 },
  fuzz: { files: 'test/fuzz/**/*.test.ts', concurrency: 1, timeoutSeconds: 600 },
  e2e: { files: 'test/e2e/**/*.test.ts', concurrency: 3, timeoutSeconds: 300 },
  hostile: {
    files: 'test/hostile/**/*.test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    oneProcess: true,
  },
  deploy: {
    files: 'test/deploy/**/*.test.ts',
    concurrency: 1,
    timeoutSeconds: 600,
    oneProcess: true,
  },
  fault: { files: 'test/fault/**/*.test.ts', concurrency: 1, timeoutSeconds: 600 },
}

const [name = '', ...only] = process.argv.slice(2)
const suite = SUITES[name]
if (suite === undefined) throw new Error(`Suites: ${Object.keys(SUITES).join(', ')}`)

const files = globSync(suite.files, { exclude: ['**/node_modules/**'] })
  .filter((file) => only.length === 0 || only.some((part) => file.includes(part)))
  .toSorted()
if (files.length === 0) throw new Error(`Suite "${name}" has no test file.`)

// The large sizes of npm run long take longer than any suite may in CI.
const timeoutSeconds = Number(process.env['TEST_TIMEOUT_SECONDS'] ?? suite.timeoutSeconds)
const child = spawn(
  process.execPath,
  [
    '--test',
    ...(suite.oneProcess ? ['--test-isolation=none'] : []),
    `--test-concurrency=${suite.concurrency}`,
    `--test-timeout=${timeoutSeconds * 1000}`,
    '--test-reporter=spec',
    ...files,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...COMPILE_CACHE } },
)
// A test process that does not end by itself must not hold up everything behind it.
const watchdog = setTimeout(() => child.kill('SIGKILL'), 3 * timeoutSeconds * 1000)
let output = ''
child.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk)
  output += chunk.toString()
})
child.on('close', (code) => {
  clearTimeout(watchdog)
  const passed = count('pass')
  const failed = count('fail')
  if (process.env['TEST_COUNTS_FILE'])
    appendFileSync(
      process.env['TEST_COUNTS_FILE'],
      `${name} ${passed} ${failed} ${count('skipped')}\n`,
    )
  if (passed + failed === 0) console.error(`Suite "${name}" ran no test.`)
  process.exitCode = code !== 0 || passed === 0 ? 1 : 0
})

function count(what: string): number {
  return Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
}
