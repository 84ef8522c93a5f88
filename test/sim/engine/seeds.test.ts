// Seeds of the simulator, as many as two processors play in a minute. A violation is printed with the faults it needs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const SECONDS = 60
// Finding out which faults a violation needs takes longer than finding it.
const MAX_SECONDS = 900
const FIRST_SEEDS = [1, 1001] as const
const SIZE = ['--monitors', '6', '--minutes', '8'] as const

test('two installations at a time, simulated with faults for a minute, violate no rule', {
  timeout: MAX_SECONDS * 1000,
}, async (t) => {
  const reports = await Promise.all(FIRST_SEEDS.map(play))
  for (const { report } of reports) t.diagnostic(report)
  assert.deepEqual(
    reports.map(({ code }) => code),
    [0, 0],
  )
  for (const { report } of reports) {
    const { seeds = 0, checks = 0 } = JSON.parse(report) as Record<string, number>
    assert.ok(seeds > 0 && checks > 0, report)
  }
})

async function play(first: number): Promise<{ code: number; report: string }> {
  const command = [
    '--seed',
    String(first),
    '--seeds',
    '500',
    '--seconds',
    String(SECONDS),
    '--json',
  ]
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'run.ts'), ...command, ...SIZE],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let report = ''
  child.stdout.on('data', (chunk: Buffer) => {
    report += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, report: report.trim() }
}
