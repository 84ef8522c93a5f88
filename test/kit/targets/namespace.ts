// Runs a test file again inside its own network namespace, where any address may be used and nothing can leave. Needs
// root and iproute2.
import { execFileSync, spawnSync } from 'node:child_process'

const INSIDE = 'UPVANE_TEST_NAMESPACE'

export const isInside = (): boolean => process.env[INSIDE] !== undefined

type InnerRun = { passed: number; failed: number; output: string }

/** The test runner runs `file` inside; the namespace is removed afterward. */
export function runInNamespace(file: string, setup: readonly string[]): InnerRun {
  const name = `upvane-${process.pid}`
  execFileSync('ip', ['netns', 'add', name])
  try {
    const inside = (...command: string[]) => ['netns', 'exec', name, ...command]
    for (const line of setup) execFileSync('ip', inside('sh', '-c', line))
    const node = [process.execPath, '--test', '--test-reporter=spec', '--test-timeout=60000', file]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const run = spawnSync('ip', inside(...node), {
      env: { ...env, [INSIDE]: name },
      encoding: 'utf8',
    })
    const output = run.stdout + run.stderr
    const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1])
    return { passed: count('pass'), failed: count('fail'), output }
  } finally {
    execFileSync('ip', ['netns', 'del', name])
  }
}

export function canUseNamespaces(): boolean {
  return process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0
}
