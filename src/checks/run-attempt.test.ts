import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { httpTarget, openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import { startEventLoopWatch } from '../platform/observability/event-loop-watch.ts'
import type { CheckTarget } from './registry.ts'

const fixture = await openAttemptFixture()
const server = await listen(createServer())
after(() => Promise.all([fixture.close(), server.close()]))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a bug of ours is inconclusive and names itself', async () => {
  // Characters no HTTP client can send: the API rejects them, so here they indicate a bug.
  const requestHeaders = { 'X-Bad': 'a\u0001b' }
  const target = httpTarget(`http://127.0.0.1:${server.port}`, { requestHeaders })
  const attempt = await fixture.attempt(target)
  assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'PROBE_ERROR')
  assert.match(attempt.detail, /ERR_INVALID_CHAR|Invalid character/)
})

test('a type that only a newer version has is inconclusive', async () => {
  const target = { type: 'TRACEROUTE', host: 'localhost', timeoutSeconds: 1 } as unknown
  const attempt = await fixture.attempt(target as CheckTarget)
  assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'PROBE_ERROR')
  assert.match(attempt.detail, /TRACEROUTE/)
})

test('an attempt survives JSON', async () => {
  const target = { type: 'PORT', host: 'localhost', port: server.port, timeoutSeconds: 1 } as const
  const attempt = await fixture.attempt(target)
  assert.equal(attempt.outcome, 'OK')
  assert.deepEqual(JSON.parse(JSON.stringify(attempt)), attempt)
})

test('standing still for 300 ms is noticed, 100 ms is not', async () => {
  const target = httpTarget(`http://127.0.0.1:${server.port}`)
  await pause(60)
  for (const [ms, stalled] of [
    [300, true],
    [100, false],
  ] as const) {
    const running = fixture.attempt(target, 450)
    setTimeout(standStill, 50, ms)
    assert.equal((await running).stalled, stalled)
  }
})

test('a stall counts even before its late tick has run', async () => {
  const watch = startEventLoopWatch()
  const startMs = performance.now()
  standStill(300)
  assert.equal(watch.hasStalledSince(startMs), true)
  watch.stop()
})
