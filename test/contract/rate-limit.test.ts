// 120 requests in 60 seconds for each key: the product's own limit, on a separate stack.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashKey } from '../kit/api-key.ts'
import { assertUntouched } from '../kit/assert-response.ts'
import { startProduct } from '../kit/fixture.ts'
import { sendRaw } from '../kit/raw-http.ts'

const LIMIT = 120
const fixture = await startProduct({ rateLimit: LIMIT })
const { api, db, orgId, keys } = fixture
const second = await fixture.startApi()
after(() => fixture.stop())

const fresh = async () => {
  const key = await fixture.createKey(orgId)
  return { key, client: api.as(key) }
}
/** Sets the key's window as if it had made that many requests that long ago. */
const setWindow = (key: string, used: number, secondsAgo = 0) =>
  db.run(
    `insert into api_key_windows (key_id, started_at, used)
     select id, clock_timestamp() - make_interval(secs => $3), $2 from api_keys where hash = $1
     on conflict (key_id) do update set started_at = excluded.started_at, used = excluded.used`,
    [hashKey(key), used, secondsAgo],
  )
const left = (answer: { headers: Readonly<Record<string, string>> }) =>
  Number(answer.headers['ratelimit-remaining'])

describe('rate limit', { concurrency: 8 }, () => {
  test('200: the first request of a key opens its window: 119 left, 60 seconds', async () => {
    const { client } = await fresh()
    const { headers } = await client.get('/monitors')
    assert.equal(headers['ratelimit-limit'], '120')
    assert.equal(headers['ratelimit-remaining'], '119')
    assert.equal(headers['ratelimit-reset'], '60')
    assert.equal(headers['ratelimit'], 'public-api;r=119;t=60')
    assert.equal(headers['ratelimit-policy'], 'public-api;q=120;w=60')
  })

  test('429: 120 pass one by one, the 121st must wait as long as the window lasts', async () => {
    const { client } = await fresh()
    for (let i = 1; i <= LIMIT; i++) {
      const answer = await client.get('/monitors?limit=1')
      assert.deepEqual([answer.status, left(answer)], [200, LIMIT - i])
    }
    for (let i = 0; i < 3; i++) {
      const answer = await client.get('/monitors?limit=1')
      assert.equal(answer.code, 'rate_limited')
      assert.equal(left(answer), 0)
      assert.equal(answer.headers['retry-after'], answer.headers['ratelimit-reset'])
    }
  })

  test('429: of 200 at once over two processes exactly 120 pass', async () => {
    const { key, client } = await fresh()
    const clients = [client, second.as(key)]
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, i) => (clients[i % 2] ?? client).get('/monitors?limit=1')),
    )
    assert.equal(all.filter((answer) => answer.status === 200).length, LIMIT)
    const remaining = all.filter((answer) => answer.status === 200).map(left)
    assert.equal(new Set(remaining).size, LIMIT, 'no two requests were counted as one')
  })

  test('200: a window that is over restarts whole, and not before', async () => {
    const { key, client } = await fresh()
    await setWindow(key, LIMIT, 55)
    const refused = await client.get('/monitors')
    assert.equal(refused.code, 'rate_limited')
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait >= 1 && wait <= 5, `must wait ${wait} s`)

    await setWindow(key, LIMIT + 1, 60)
    const answer = await client.get('/monitors')
    assert.deepEqual([answer.status, left(answer)], [200, LIMIT - 1])
    assert.equal(answer.headers['ratelimit-reset'], '60')
  })

  test('429: a caller that waits as long as required is let in, and waiting is at least a second', async () => {
    const { key, client } = await fresh()
    // A window that ends in 0.7 s. On a busy machine it can be over before the request is counted: then another one.
    const refuse = async () => {
      await setWindow(key, LIMIT, 59.3)
      return client.get('/monitors')
    }
    let refused = await refuse()
    for (let more = 0; more < 10 && refused.status === 200; more++) refused = await refuse()
    assert.equal(refused.headers['retry-after'], '1')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.equal((await client.get('/monitors')).status, 200)
  })

  test('the window is fixed: requests do not prolong it, and its end comes nearer', async () => {
    const { key, client } = await fresh()
    await setWindow(key, 5, 30)
    const answer = await client.get('/monitors')
    assert.equal(left(answer), LIMIT - 6)
    assert.ok(Number(answer.headers['ratelimit-reset']) <= 30)
    assert.ok(Number(answer.headers['ratelimit-reset']) >= 25)
  })

  test('every authenticated request counts: errors, HEAD, writes and replays', async () => {
    const { client } = await fresh()
    const headers = { 'Idempotency-Key': `rate-${Math.random()}` }
    const body = { name: 'x', type: 'CRON' }
    const asks: [method: string, path: string, status: number, ask?: object][] = [
      ['GET', '/monitors', 200],
      ['HEAD', '/monitors', 200],
      ['GET', '/nothing', 404],
      ['PUT', '/monitors', 405],
      ['POST', '/monitors', 400, { rawBody: '{' }],
      ['POST', '/monitors', 400, { body, headers: { 'Idempotency-Key': '?' } }],
      ['POST', '/monitors', 201, { body, headers }],
      ['POST', '/monitors', 201, { body, headers }],
      ['POST', '/monitors', 409, { body: { ...body, name: 'y' }, headers }],
      ['GET', '/monitors/x', 404],
    ]
    for (const [i, [method, path, status, ask]] of asks.entries()) {
      const answer = await client.request(method, path, ask)
      assert.deepEqual([answer.status, left(answer)], [status, LIMIT - 1 - i], `${method} ${path}`)
    }
  })

  test('401: shows a full window and uses nobody’s quota', async () => {
    const { key, client } = await fresh()
    await client.get('/monitors')
    for (const ask of [{ key: null }, { key: keys.expired }, { headers: { Authorization: 'x' } }]) {
      const answer = await client.get('/monitors', ask)
      assert.equal(answer.status, 401)
      assertUntouched(answer, LIMIT)
      assert.equal(answer.headers['ratelimit'], 'public-api;r=120;t=60')
    }
    assert.equal(left(await api.as(key).get('/monitors')), LIMIT - 2)
  })

  test('400: bytes that are no request use nobody’s quota either', async () => {
    const { key, client } = await fresh()
    const pieces = [`GET /api/v1/monitors HTTP/1.1\r\nX-API-Key: ${key}\r\nbad header\r\n\r\n`]
    const { answers } = await sendRaw(client, { pieces })
    assert.equal(answers[0]?.status, 400)
    assertUntouched(answers[0], LIMIT)
    assert.equal(left(await client.get('/monitors')), LIMIT - 1)
  })

  test('429: keys of one organization have a window each', async () => {
    const [a, b] = [await fresh(), await fresh()]
    await setWindow(a.key, LIMIT)
    assert.equal((await a.client.get('/monitors')).code, 'rate_limited')
    assert.equal(left(await b.client.get('/monitors')), LIMIT - 1)
  })

  test('429: a refused write does nothing, and its idempotency key stays free', async () => {
    const { key, client } = await fresh()
    await setWindow(key, LIMIT)
    const headers = { 'Idempotency-Key': `limited-${Math.random()}` }
    const refused = await client.post('/monitors', { name: 'a', type: 'CRON' }, { headers })
    assert.equal(refused.code, 'rate_limited')
    await setWindow(key, 0)
    const other = await client.post('/monitors', { name: 'b', type: 'CRON' }, { headers })
    assert.deepEqual([other.status, other.isReplayed], [201, false])
  })

  test('200: a window lost in a crash is a new window', async () => {
    const { key, client } = await fresh()
    await setWindow(key, LIMIT)
    await db.run(
      'delete from api_key_windows where key_id = (select id from api_keys where hash = $1)',
      [hashKey(key)],
    )
    assert.equal(left(await client.get('/monitors')), LIMIT - 1)
  })
})
