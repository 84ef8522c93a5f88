import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Upvane } from '@upvane/sdk'
import { listen } from '../../../../test/kit/targets/listen.ts'
import type { WantedState } from '../model/wanted.ts'
import type { PlannedStep } from '../plan/plan.ts'
import { createResource } from './write-resource.ts'

const WANTED: WantedState = {
  body: { name: 'Quiet', type: 'CRON', paused: true, tagIds: ['tag_1'], contactIds: [] },
  writeOnly: {},
  hidden: new Set(),
}
// Safe because a create reads nothing else of its step.
const STEP = { kind: 'monitors', address: 'monitors.quiet' } as PlannedStep
const REFUSAL = { error: { code: 'method_not_allowed', message: 'Allowed: GET.' } }

type Answers = (path: string) => { status: number; body: object; headers?: Record<string, string> }

/** A service, and what it was sent. */
async function serve(answers: Answers) {
  const seen: { path: string; body: unknown; key: unknown }[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const path = request.url ?? ''
    const key = request.headers['idempotency-key']
    seen.push({ path, body: JSON.parse(Buffer.concat(chunks).toString()), key })
    const { status, body, headers } = answers(path)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  const { port, close } = await listen(server)
  return { seen, close, baseUrl: `http://127.0.0.1:${port}` }
}

test('a monitor is created with everything attached, in one request', async () => {
  const { baseUrl, seen, close } = await serve(() => ({ status: 201, body: { id: 'mon_1' } }))
  const client = new Upvane({ baseUrl, apiKey: 'upv_test' })
  const created = await createResource(client, STEP, WANTED, 'key-1')
  await close()
  assert.deepEqual([created.id, created.isWhole], ['mon_1', true])
  const body = { name: 'Quiet', type: 'CRON', contactIds: [], tags: ['tag_1'], paused: true }
  assert.deepEqual(seen, [{ path: '/api/ext/v1/monitors', body, key: 'key-1' }])
})

test('an older service is asked once, and then creates monitors as it can', async () => {
  const { baseUrl, seen, close } = await serve((path) =>
    path === '/api/ext/v1/monitors'
      ? { status: 405, body: REFUSAL }
      : { status: 201, body: { id: 'mon_1' } },
  )
  const client = new Upvane({ baseUrl, apiKey: 'upv_test' })
  for (let twice = 0; twice < 2; twice++)
    assert.equal((await createResource(client, STEP, WANTED, 'key-1')).isWhole, false)
  await close()
  const paths = ['/api/ext/v1/monitors', '/api/v1/monitors', '/api/v1/monitors']
  assert.deepEqual(
    seen.map(({ path }) => path),
    paths,
  )
  assert.deepEqual(seen[1]?.body, { name: 'Quiet', type: 'CRON' })
})

test('a paced client says how long it waits for the rate limit', async () => {
  const headers = { 'RateLimit-Limit': '1', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '1' }
  const answers: Answers = () => ({ status: 201, body: { id: 'mon_1' }, headers })
  const { baseUrl, close } = await serve(answers)
  const waits: number[] = []
  const onRateLimitWait = (waitMs: number) => void waits.push(waitMs)
  const client = new Upvane({ baseUrl, apiKey: 'upv_test', pace: true, onRateLimitWait })
  for (const key of ['key-1', 'key-2']) await createResource(client, STEP, WANTED, key)
  await close()
  assert.equal(waits.length, 1)
  assert.ok(Number(waits[0]) > 0 && Number(waits[0]) <= 1000, String(waits))
})
