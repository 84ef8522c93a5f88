// A fault that blocks the event loop is attributed to its operation, in the log and in the metrics.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '../../kit/fixture.ts'

const PLANT = join(import.meta.dirname, '../../kit/plant-block.ts')
const MARKER = 'block the event loop'
const METRIC = 'upvane_event_loop_blocked_seconds'

const fixture = await startProduct({ command: 'start', env: { NODE_OPTIONS: `--import ${PLANT}` } })
after(() => fixture.stop())

async function blockedOperations(): Promise<string[]> {
  const text = await fetch(`${fixture.service.internalUrl}/metrics`).then((answer) => answer.text())
  assert.match(text, new RegExp(`^# TYPE ${METRIC} histogram$`, 'm'))
  const counts = text.matchAll(new RegExp(`^${METRIC}_count\\{operation="([^"]+)"\\} `, 'gm'))
  // A machine short of processors suspends every process.
  return [...counts].flatMap(([, operation]) =>
    operation === 'suspended' ? [] : [operation ?? ''],
  )
}

function loggedBlocks(): { operation: string; blockedMs: number }[] {
  return globSync(join(fixture.stack.directory, 'service-*.log'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.includes('event loop blocked') && !line.includes('"suspended"'))
    .map((line) => JSON.parse(line) as { operation: string; blockedMs: number })
}

test('a quiet process reports no block; a planted one is reported with its operation', async () => {
  // The first request of a process loads code, which a slow machine notices.
  assert.equal((await fixture.api.get('/monitors')).status, 200)
  await delay(500)
  const counted = await blockedOperations()
  const logged = loggedBlocks()
  for (let i = 0; i < 5; i++) assert.equal((await fixture.api.get('/monitors')).status, 200)
  await delay(500)
  assert.deepEqual(await blockedOperations(), counted)
  assert.deepEqual(loggedBlocks(), logged)

  const body = { type: 'HTTP', name: MARKER, url: 'https://example.com', intervalSeconds: 300 }
  await fixture.api.post('/monitors', body)
  await delay(500)
  assert.deepEqual(new Set(await blockedOperations()), new Set([...counted, 'createMonitor']))
  const [block, ...more] = loggedBlocks().slice(logged.length)
  assert.equal(block?.operation, 'createMonitor')
  assert.ok((block?.blockedMs ?? 0) >= 300, JSON.stringify(block))
  assert.deepEqual(more, [])
})
