// Runs a test file again inside its own network namespace, where any address may be used and nothing can leave. Needs
// root and iproute2.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const INSIDE = 'UPVANE_TEST_NAMESPACE'

export const isInside = (): boolean => process.env[INSIDE] !== undefined

type InnerRun = { passed: number; failed: number; output: string }

/** The test runner runs `file` inside; the namespace is removed afterward. */
export function runInNamespace(
  file: string,
  setup: readonly string[],
  timeoutMs = 60_000,
): InnerRun {
  const name = `upvane-${process.pid}`
  execFileSync('ip', ['netns', 'add', name])
  try {
    const inside = (...command: string[]) => ['netns', 'exec', name, ...command]
    for (const line of setup) execFileSync('ip', inside('sh', '-c', line))
    const limit = `--test-timeout=${timeoutMs}`
    const node = [process.execPath, '--test', '--test-reporter=spec', limit, file]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const run = spawnSync('ip', inside(...node), {
      env: { ...env, [INSIDE]: name },
      encoding: 'utf8',
    })
    return readRun(run.stdout + run.stderr)
  } finally {
    execFileSync('ip', ['netns', 'del', name])
  }
}

function readRun(output: string): InnerRun {
  const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1])
  return { passed: count('pass'), failed: count('fail'), output }
}

type Meanwhile = { setup: readonly string[]; only: string; timeoutSeconds: number }

/** The same for the tests of that name, while other tests run. */
export async function runInNamespaceMeanwhile(
  file: string,
  { setup, only, timeoutSeconds }: Meanwhile,
): Promise<InnerRun> {
  const name = `upvane-${process.pid}-${only.replaceAll(/\W/g, '')}`
  execFileSync('ip', ['netns', 'add', name])
  try {
    for (const line of setup) execFileSync('ip', ['netns', 'exec', name, 'sh', '-c', line])
    const options = ['--test-reporter=spec', `--test-timeout=${timeoutSeconds * 1000}`]
    const node = [process.execPath, '--test', ...options, `--test-name-pattern=${only}`, file]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const run = spawn('ip', ['netns', 'exec', name, ...node], {
      env: { ...env, [INSIDE]: name },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, errors] = await Promise.all([
      text(run.stdout),
      text(run.stderr),
      once(run, 'close'),
    ])
    return readRun(output + errors)
  } finally {
    execFileSync('ip', ['netns', 'del', name])
  }
}

export function canUseNamespaces(): boolean {
  return process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0
}
