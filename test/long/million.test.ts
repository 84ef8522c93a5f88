// `npm run long million` at a small size: every slot is accounted for although the only scheduler is killed with kill -9,
// an organization is paused in bulk, and another is deleted. How late and how fast is for quiet machines.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const MONITORS = Number(process.env['MILLION_MONITORS'] ?? 3000)
const MINUTES = process.env['MILLION_MINUTES'] ?? '1'
const BIG_SHARE = 0.1
const RUN = join(import.meta.dirname, '../../benchmarks/million/run.ts')

type Row = { measure: string; ours: number; bare?: number }

test(`${MONITORS} monitors of all types for ${MINUTES} min: every slot has a result or a reason`, async (t) => {
  const rows = await run()
  const valueOf = (measure: string): number => {
    const found = rows.find((row) => row.measure === measure)
    assert.ok(found, `there is no ${measure}`)
    return found.ours
  }
  for (const measure of ['slots due', 'slots run', 'late p99', 'kill -9: on time again after'])
    t.diagnostic(`${measure}: ${valueOf(measure)}`)
  assert.ok(valueOf('slots due') > MONITORS)
  assert.ok(valueOf('slots run') >= 0.5 * valueOf('slots due'), 'most slots were not run')
  assert.ok(valueOf('slots without a trace') <= 0, 'slots were lost')
  assert.ok(valueOf('of them passed') >= 0.9 * valueOf('slots run'), 'healthy targets failed')
  assert.ok(valueOf('pings answered') > 0)
  assert.equal(valueOf('pings refused'), 0)
  assert.equal(valueOf('bulk pause: monitors'), BIG_SHARE * MONITORS)
  assert.equal(valueOf('deleted: monitors'), BIG_SHARE * MONITORS)
  assert.equal(valueOf('API requests failed'), 0)
  assert.ok(rows.some(({ measure, bare }) => measure.startsWith('API p95, get') && bare))
  for (const measure of ['monitor_states: bloat', 'results: bloat', 'per monitor in the scheduler'])
    assert.ok(Number.isFinite(valueOf(measure)), measure)
})

/** The line of JSON. The exit code is about goals that hold on a quiet machine. */
async function run(): Promise<Row[]> {
  const sizes = ['--monitors', String(MONITORS), '--minutes', MINUTES]
  const child = spawn(process.execPath, [RUN, ...sizes], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  await once(child, 'close')
  const line = output.split('\n').findLast((text) => text.startsWith('{'))
  assert.ok(line, `no figures:\n${output}\n${errors}`)
  return (JSON.parse(line) as { rows: Row[] }).rows
}
