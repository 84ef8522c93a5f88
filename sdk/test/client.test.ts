// The client against a real server on loopback that fails in every way.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import {
  ApiError,
  type AttemptResult,
  ConnectionError,
  isApiError,
  TimeoutError,
} from '../src/index.ts'
import { cutOff, type Exchange, type Handle, KEY, send, sendError, startServer } from './server.ts'

const AT_ONCE = { 'Retry-After': '0' }
const keyOf = ({ headers }: Exchange) => headers['idempotency-key']

/** Creates monitors, each idempotency key once, as the API does. */
function createsMonitors(answer: (exchange: Exchange, response: ServerResponse) => boolean): {
  handle: Handle
  monitors: Map<unknown, object>
} {
  const monitors = new Map<unknown, object>()
  const handle: Handle = (exchange, response) => {
    const known = monitors.get(keyOf(exchange))
    const monitor = known ?? { id: `mon_${monitors.size + 1}`, ...JSON.parse(exchange.body) }
    monitors.set(keyOf(exchange), monitor)
    if (answer(exchange, response)) return
    const headers = known ? { 'Idempotency-Replayed': 'true' } : {}
    send(response, { status: 201, body: monitor, headers })
  }
  return { handle, monitors }
}

test('a response cut off after the server committed gives one monitor', async (t) => {
  const { handle, monitors } = createsMonitors(({ number }, response) => {
    if (number < 3) cutOff(response)
    return number < 3
  })
  const { client, exchanges } = await startServer(t, handle)
  const call = client().monitors.create({ name: 'Shop', type: 'CRON' })
  const { data, replayed, attempts, requestId } = await call.withResponse()
  assert.equal(data.name, 'Shop')
  assert.deepEqual([replayed, attempts, requestId], [true, 3, 'req_test'])
  assert.equal(monitors.size, 1)
  assert.equal(new Set(exchanges.map(keyOf)).size, 1)
  assert.match(String(keyOf(exchanges[0] as Exchange)), /^[A-Za-z0-9._:-]{1,200}$/)
})

test('each call has its own idempotency key, and a GET has none', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) => send(response, {}))
  const upvane = client()
  await upvane.monitors.create({ name: 'A', type: 'CRON' })
  await upvane.monitors.create({ name: 'A', type: 'CRON' })
  await upvane.monitors.delete('mon_1', { idempotencyKey: 'deploy-4711' })
  await upvane.monitors.get('mon_1')
  const [first, second, ...rest] = exchanges.map(keyOf)
  assert.notEqual(first, second)
  assert.deepEqual(rest, ['deploy-4711', undefined])
})

test('after the last attempt the error has what is needed to continue', async (t) => {
  const { handle, monitors } = createsMonitors(({ number }, response) => {
    if (number === 1) cutOff(response)
    return number === 1
  })
  const { client } = await startServer(t, handle)
  const upvane = client({ maxRetries: 0 })
  const input = { name: 'Shop', type: 'CRON' } as const
  const error = await upvane.monitors.create(input).catch((reason: unknown) => reason)
  assert.ok(error instanceof ConnectionError)
  assert.deepEqual([error.name, error.attempts], ['ConnectionError', 1])
  const { idempotencyKey } = error
  assert.ok(idempotencyKey)
  const monitor = await upvane.monitors.create(input, { idempotencyKey })
  assert.equal(monitor.id, 'mon_1')
  assert.equal(monitors.size, 1)
})

test('429 waits for Retry-After and then succeeds', async (t) => {
  const { client, exchanges } = await startServer(t, ({ number }, response) => {
    if (number === 1) sendError(response, 429, 'rate_limited', { 'Retry-After': '1' })
    else send(response, { body: { id: 'mon_1' } })
  })
  const startedAt = performance.now()
  await client().monitors.get('mon_1')
  const tookMs = performance.now() - startedAt
  assert.equal(exchanges.length, 2)
  assert.ok(tookMs >= 990 && tookMs < 3000, `${tookMs} ms`)
})

test('429 that asks for more than maxRetryWaitMs is thrown at once, with the time', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) =>
    sendError(response, 429, 'rate_limited', { 'Retry-After': '60' }),
  )
  const call = client({ maxRetryWaitMs: 5000 }).monitors.get('mon_1')
  const error = await call.catch((reason: unknown) => reason)
  assert.ok(isApiError(error, 'rate_limited'))
  assert.deepEqual([error.retryAfterMs, error.attempts, exchanges.length], [60_000, 1, 1])
})

test('409 idempotency_in_progress is asked again until the first attempt has ended', async (t) => {
  const { client, exchanges } = await startServer(t, ({ number }, response) => {
    if (number < 6) sendError(response, 409, 'idempotency_in_progress', AT_ONCE)
    else send(response, { body: { id: 'mon_1' }, headers: { 'Idempotency-Replayed': 'true' } })
  })
  const { replayed, attempts } = await client().monitors.check('mon_1').withResponse()
  assert.deepEqual([replayed, attempts], [true, 6])
  assert.equal(new Set(exchanges.map(keyOf)).size, 1)
})

for (const code of ['conflict', 'idempotency_conflict'])
  test(`409 ${code} is thrown after one attempt`, async (t) => {
    const { client, exchanges } = await startServer(t, (_, response) =>
      sendError(response, 409, code, AT_ONCE),
    )
    await assert.rejects(client().monitors.pause('mon_1'), { name: 'ApiError', code, status: 409 })
    assert.equal(exchanges.length, 1)
  })

test('a validation error lists its fields, and the message has all that help needs', async (t) => {
  const details = [{ path: 'expectedStatus.0', message: 'must be at least 100' }]
  const error = { code: 'validation_error', message: 'Not valid.', requestId: 'req_7', details }
  const { client } = await startServer(t, (_, response) =>
    send(response, { status: 400, body: { error } }),
  )
  await assert.rejects(client().monitors.create({ name: '', type: 'HTTP' }), {
    code: 'validation_error',
    requestId: 'req_7',
    operation: 'createMonitor',
    details,
    message:
      'createMonitor: 400 validation_error: Not valid.; expectedStatus.0: must be at least 100 (req_7)',
  })
})

test('a page of a proxy is an error with its beginning; a 502 is repeated, a 200 is not', async (t) => {
  const html = `<html>${'x'.repeat(500)}</html>`
  const { client, exchanges } = await startServer(t, ({ url }, response) => {
    const status = url.includes('proxy') ? 502 : 200
    send(response, { status, body: html, headers: { 'Content-Type': 'text/html', ...AT_ONCE } })
  })
  const upvane = client()
  const isUnexpected = (status: number, attempts: number) => (error: unknown) => {
    assert.ok(isApiError(error, 'unexpected_answer'))
    assert.deepEqual([error.status, error.attempts], [status, attempts])
    assert.match(error.message, /<html>x{100}/)
    assert.ok(error.message.length < 400)
    return true
  }
  await assert.rejects(upvane.monitors.get('proxy'), isUnexpected(502, 3))
  await assert.rejects(upvane.monitors.get('portal'), isUnexpected(200, 1))
  assert.equal(exchanges.length, 4)
})

test('JSON that ends too early is a lost connection, and is repeated', async (t) => {
  const { client } = await startServer(t, ({ number }, response) =>
    send(response, { body: number === 1 ? '{"id":"mon_1","na' : { id: 'mon_1' } }),
  )
  const { attempts } = await client().monitors.get('mon_1').withResponse()
  assert.equal(attempts, 2)
})

test('a redirect is not followed: the key stays with the address that was given', async (t) => {
  const other = await startServer(t, (_, response) => send(response, {}))
  const { client } = await startServer(t, (_, response) =>
    send(response, { status: 301, headers: { Location: `${other.baseUrl}/api/v1/monitors` } }),
  )
  await assert.rejects(client().monitors.get('mon_1'), /redirected to/)
  assert.equal(other.exchanges.length, 0)
})

test('a mute server: TimeoutError after timeoutMs', async (t) => {
  const { client, exchanges } = await startServer(t, () => undefined)
  const startedAt = performance.now()
  const call = client({ timeoutMs: 1000, maxRetries: 0 }).monitors.get('mon_1')
  await assert.rejects(call, (error) => error instanceof TimeoutError && error.attempts === 1)
  const tookMs = performance.now() - startedAt
  assert.ok(tookMs >= 990 && tookMs < 2000, `${tookMs} ms`)
  assert.equal(exchanges.length, 1)
})

test('an answer that stops in the middle: TimeoutError too', async (t) => {
  const { client } = await startServer(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('{"id":')
  })
  const call = client().monitors.get('mon_1', { timeoutMs: 200, maxRetries: 0 })
  await assert.rejects(call, { name: 'TimeoutError' })
})

test('an abort ends a request, a wait before a retry, and a call that has not begun', async (t) => {
  const { client, exchanges } = await startServer(t, ({ url }, response) => {
    if (url.includes('wait')) sendError(response, 429, 'rate_limited', { 'Retry-After': '60' })
  })
  const upvane = client()
  for (const id of ['mute', 'wait']) {
    const controller = new AbortController()
    const call = upvane.monitors.get(id, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('Enough.')), 100)
    await assert.rejects(call, { message: 'Enough.' })
  }
  const before = exchanges.length
  const signal = AbortSignal.abort(new Error('Never.'))
  await assert.rejects(upvane.monitors.get('mute', { signal }), { message: 'Never.' })
  assert.equal(exchanges.length, before)
})

test('what is sent: path, query, body, and the key as a bearer token alone', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) =>
    send(response, { body: { data: [], pagination: { limit: 5, offset: 0, total: 0 } } }),
  )
  const upvane = client({ apiKey: async () => `${KEY}2` })
  const since = new Date('2026-11-14T22:39:00.000Z')
  await upvane.monitors.list({ state: ['UP', 'DOWN'], q: 'a&b' }).page({ limit: 5 })
  await upvane.incidents.list({ acknowledged: false, startedAfter: since }).page()
  await upvane.incidents.acknowledge('inc_1', { note: 'Mine' })
  await upvane.incidents.acknowledge('inc_1')
  await upvane.monitors.get('a/b ?#')
  await upvane.request('GET', '/monitors', { query: { q: 'shop' } })
  await upvane.request('POST', '/api/ext/v1/checks', { body: { type: 'HTTP' } })
  assert.deepEqual(
    exchanges.map(({ method, url, body }) => `${method} ${url} ${body}`),
    [
      'GET /api/v1/monitors?state=UP%2CDOWN&q=a%26b&limit=5 ',
      'GET /api/v1/incidents?acknowledged=false&startedAfter=2026-11-14T22%3A39%3A00.000Z ',
      'POST /api/v1/incidents/inc_1/acknowledge {"note":"Mine"}',
      'POST /api/v1/incidents/inc_1/acknowledge {}',
      'GET /api/v1/monitors/a%2Fb%20%3F%23 ',
      'GET /api/v1/monitors?q=shop ',
      'POST /api/ext/v1/checks {"type":"HTTP"}',
    ],
  )
  for (const { headers } of exchanges) {
    assert.equal(headers.authorization, `Bearer ${KEY}2`)
    assert.equal(headers['x-api-key'], undefined)
  }
})

test('an installation below a path, with and without a slash at its end', async (t) => {
  const { baseUrl, client, exchanges } = await startServer(t, (_, response) => send(response, {}))
  for (const end of ['/tools/upvane', '/tools/upvane/'])
    await client({ baseUrl: baseUrl + end }).monitors.get('mon_1')
  assert.deepEqual(
    exchanges.map(({ url }) => url),
    ['/tools/upvane/api/v1/monitors/mon_1', '/tools/upvane/api/v1/monitors/mon_1'],
  )
})

const wrongIds: unknown[] = ['', '.', '..', undefined, null, 7]
for (const id of wrongIds)
  test(`the id ${JSON.stringify(id)} is refused before anything is sent`, async (t) => {
    const { client, exchanges } = await startServer(t, (_, response) => send(response, {}))
    await assert.rejects(client().monitors.delete(id as string), TypeError)
    assert.equal(exchanges.length, 0)
  })

for (const idempotencyKey of ['', 'a b', 'ä', 'x'.repeat(201)])
  test(`the idempotency key ${JSON.stringify(idempotencyKey.slice(0, 9))} is refused`, async (t) => {
    const { client, exchanges } = await startServer(t, (_, response) => send(response, {}))
    await assert.rejects(client().monitors.pause('mon_1', { idempotencyKey }), TypeError)
    assert.equal(exchanges.length, 0)
  })

test('hooks see every attempt, and an error inside them changes nothing', async (t) => {
  const rate = { 'RateLimit-Limit': '120', 'RateLimit-Remaining': '7', 'RateLimit-Reset': '31' }
  const { client } = await startServer(t, ({ number }, response) => {
    if (number === 1) cutOff(response)
    else if (number === 2) sendError(response, 500, 'internal_error', AT_ONCE)
    else send(response, { body: { id: 'mon_1' }, headers: { ...rate, 'X-Request-Id': 'req_3' } })
  })
  const asked: number[] = []
  const seen: AttemptResult[] = []
  const upvane = client({
    onRequest: ({ attempt }) => {
      asked.push(attempt)
      throw new Error('A mistake in a log line.')
    },
    onResponse: (result) => void seen.push(result),
  })
  const { rateLimit } = await upvane.monitors.resume('mon_1').withResponse()
  assert.deepEqual(rateLimit, { limit: 120, remaining: 7, resetSeconds: 31 })
  assert.deepEqual(asked, [1, 2, 3])
  assert.deepEqual(
    seen.map(({ operation, attempt, status, errorCode, requestId }) => [
      operation,
      attempt,
      status,
      errorCode,
      requestId,
    ]),
    [
      ['resumeMonitor', 1, null, 'connection_failed', null],
      ['resumeMonitor', 2, 500, 'internal_error', 'req_test'],
      ['resumeMonitor', 3, 200, null, 'req_3'],
    ],
  )
  assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1)
})

test('withResponse alone reports a failure: no rejection is left over', async (t) => {
  const { client } = await startServer(t, (_, response) => sendError(response, 404, 'not_found'))
  const left: unknown[] = []
  const note = (reason: unknown) => void left.push(reason)
  process.on('unhandledRejection', note)
  t.after(() => process.off('unhandledRejection', note))
  await assert.rejects(client().monitors.get('mon_1').withResponse(), { code: 'not_found' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(left, [])
})

test('isApiError tells errors of the API from others, also those of another copy', () => {
  const facts = { operation: 'getMonitor', attempts: 1, idempotencyKey: null }
  const rest = { status: 404, requestId: null, details: [], retryAfterMs: null }
  const error = new ApiError('Gone.', facts, { code: 'not_found', ...rest })
  const copy = Object.assign(new Error('Gone.'), { name: 'ApiError', code: 'not_found' })
  for (const each of [error, copy]) {
    assert.equal(isApiError(each), true)
    assert.equal(isApiError(each, 'not_found'), true)
    assert.equal(isApiError(each, 'conflict'), false)
  }
  assert.equal(isApiError(new ConnectionError('lost', facts)), false)
  assert.equal(isApiError({ name: 'ApiError' }), false)
})
