// POST /mcp as HTTP: who may send what. The clients of the protocol are in test/e2e/mcp.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashKey } from '../kit/api-key.ts'
import { startProduct } from '../kit/fixture.ts'

const LIMIT = 120
const fixture = await startProduct()
const { db, keys, orgId, service } = fixture
after(() => fixture.stop())

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

function send(message: unknown, headers: Record<string, string> = {}, base = service.baseUrl) {
  return fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.readOnly, 'Content-Type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}
async function codeOf(response: Response, status: number): Promise<string> {
  assert.equal(response.status, status)
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  return ((await response.json()) as { error: { code: string } }).error.code
}

describe('POST /mcp', () => {
  test('200: one message, one JSON response, with the rate headers and without a session', async () => {
    for (const key of [{ 'X-API-Key': keys.readOnly }, { 'X-API-Key': keys.full }]) {
      const response = await send(LIST, key)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(response.headers.get('mcp-session-id'), null)
      assert.ok(response.headers.has('ratelimit-remaining'))
      const { id, result } = (await response.json()) as { id: number; result: { tools: object[] } }
      assert.deepEqual([id, result.tools.length], [1, 10])
    }
  })

  test('401: no key, an unknown key, or both headers', async () => {
    const headers: Record<string, string>[] = [
      { 'X-API-Key': '' },
      { 'X-API-Key': `upv_${'a'.repeat(38)}` },
      { Authorization: `Bearer ${keys.full}` },
    ]
    for (const each of headers) {
      const response = await send(LIST, each)
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
      assert.equal(await codeOf(response, 401), 'unauthorized')
    }
  })

  test('403: a page of another origin, before its key is read', async () => {
    for (const origin of ['https://evil.example', 'null', `${service.baseUrl}.evil.example`])
      assert.equal(await codeOf(await send(LIST, { Origin: origin }), 403), 'forbidden')
    const keyless = await send(LIST, { Origin: 'https://evil.example', 'X-API-Key': '' })
    assert.equal(await codeOf(keyless, 403), 'forbidden')
    assert.equal((await send(LIST, { Origin: service.baseUrl })).status, 200)
  })

  test('405: every method but POST; 404: below the path', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const headers = { 'X-API-Key': keys.full }
      const response = await fetch(`${service.baseUrl}/mcp`, { method, headers })
      assert.equal(response.headers.get('allow'), 'POST')
      assert.equal(await codeOf(response, 405), 'method_not_allowed')
    }
    const below = await fetch(`${service.baseUrl}/mcp/x`, { method: 'POST' })
    assert.equal(await codeOf(below, 404), 'not_found')
  })

  test('400: what is not one message, or is too large', async () => {
    const bodies: unknown[] = [
      '',
      '{',
      'null',
      '7',
      [LIST],
      Array.from({ length: 100 }, () => LIST),
      { ...LIST, params: { q: 'x'.repeat(70_000) } },
    ]
    for (const body of bodies) assert.equal(await codeOf(await send(body), 400), 'validation_error')
    const text = await send(LIST, { 'Content-Type': 'text/plain' })
    assert.equal(await codeOf(text, 400), 'validation_error')
  })

  test('200: a stream without end is a method that does not exist', async () => {
    const response = await send({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen' })
    assert.deepEqual(await response.json(), {
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_601, message: 'Method not found' },
    })
  })

  test('hostile messages get an error and nothing else', async () => {
    const calls: object[] = [
      { ...LIST, method: 'tools/call' },
      { ...LIST, method: 'tools/call', params: { name: '__proto__', arguments: {} } },
      { ...LIST, method: 'tools/call', params: { name: 'constructor' } },
      { ...LIST, method: 'tools/call', params: { name: 'overview', arguments: { x: 1 } } },
      {
        ...LIST,
        method: 'tools/call',
        params: { name: 'find_monitors', arguments: { limit: 1e9 } },
      },
      { ...LIST, method: 'tools/call', params: { name: 'find_monitors', arguments: [] } },
      { ...LIST, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      { ...LIST, method: 'no/such/method' },
      { jsonrpc: '1.0', id: {}, method: 7 },
    ]
    for (const call of calls) {
      const response = await send(call)
      assert.ok(response.status < 500, JSON.stringify(call))
      const text = await response.text()
      type Reply = { error?: object; result?: { isError?: boolean } }
      const reply = JSON.parse(text) as Reply
      assert.ok(reply.error !== undefined || reply.result?.isError === true, text)
      assert.ok(!text.includes('node_modules') && !text.includes('.ts:'), text)
    }
  })

  test('deep, wide and long messages: a short answer at once', async () => {
    const nested = '['.repeat(30_000) + ']'.repeat(30_000)
    const inside = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
    const call = (name: string, args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
    const wide = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`argument${i}`, i]))
    const messages = [
      nested,
      `{"jsonrpc":"2.0","id":${nested},"method":"tools/list"}`,
      `{"jsonrpc":"2.0","id":${nested},"method":"subscriptions/listen"}`,
      `{"jsonrpc":"2.0","id":1,"method":${nested}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${inside}}}`,
      `{"jsonrpc":"2.0","id":"${'i'.repeat(60_000)}","method":"tools/list"}`,
      call('overview', `{"x":${nested}}`),
      call('overview', inside),
      call('find_monitors', JSON.stringify(wide)),
      call('n'.repeat(60_000), '{}'),
    ]
    for (const message of messages) {
      const startedMs = performance.now()
      const response = await send(message)
      const text = await response.text()
      assert.ok(response.status < 500, text.slice(0, 200))
      assert.ok(text.length <= 8_000, `${text.length} characters: ${text.slice(0, 200)}`)
      assert.ok(performance.now() - startedMs < 5_000, message.slice(0, 100))
    }
  })

  test('a flood of one organization is refused in part, and others are served', async () => {
    const other = await fixture.createOrganization()
    const overview = { ...LIST, method: 'tools/call', params: { name: 'overview' } }
    const flood = Promise.all(
      Array.from({ length: 300 }, async () => {
        const response = await send(overview)
        await response.text()
        return response.status
      }),
    )
    const served = await send(overview, { 'X-API-Key': other.key })
    assert.equal(served.status, 200)
    const statuses = new Set(await flood)
    assert.deepEqual([...statuses.difference(new Set([200, 429]))], [])
    assert.ok(statuses.has(200))
    assert.equal((await send(overview)).status, 200)
  })

  test('a header of upv does not help a read-only key', async () => {
    const response = await send(LIST, { 'X-Upvane-MCP-Write': 'allow' })
    const { result } = (await response.json()) as { result: { tools: object[] } }
    assert.equal(result.tools.length, 10)
  })

  test('a header of upv does not help a full key that is not marked; it can only ask for less', async () => {
    const key = await fixture.createKey(orgId, { name: 'Header' })
    const count = async (header: string) => {
      const response = await send(LIST, { 'X-API-Key': key, 'X-Upvane-MCP-Write': header })
      const { result } = (await response.json()) as { result: { tools: object[] } }
      return result.tools.length
    }
    assert.equal(await count('allow'), 10)
    const params = {
      name: 'create_monitor',
      arguments: { name: 'By header', type: 'CRON', expectedPeriodSec: 300, requestKey: 'header' },
    }
    const call = { ...LIST, method: 'tools/call', params }
    await send(call, { 'X-API-Key': key, 'X-Upvane-MCP-Write': 'allow' })
    assert.equal(await db.count('monitors', `name = 'By header'`, []), 0)
    await db.run(`update api_keys set mcp_writes = true where name = 'Header'`)
    assert.deepEqual([await count('allow'), await count('deny')], [17, 10])
  })

  test("another organization's resources are not there", async () => {
    const other = await fixture.createOrganization()
    const { id: monitorId } = await other.api.createMonitor({ name: 'Foreign canary' })
    for (const [name, args] of [
      ['get_monitor', { monitorId }],
      ['get_uptime', { monitorId }],
      ['find_monitors', { q: 'Foreign' }],
    ] as const) {
      const params = { name, arguments: args }
      const text = await (await send({ ...LIST, method: 'tools/call', params })).text()
      assert.ok(!text.includes('Foreign canary'), text)
    }
  })

  test('429: a message counts against the limit of its key', async () => {
    const limited = await fixture.startApi({ RATE_LIMIT_REQUESTS: String(LIMIT) })
    const key = await fixture.createKey(orgId)
    const first = await send(LIST, { 'X-API-Key': key }, limited.baseUrl)
    assert.equal(first.headers.get('ratelimit-remaining'), '119')
    await db.run(
      `update api_key_windows set used = $2 where key_id = (select id from api_keys where hash = $1)`,
      [hashKey(key), LIMIT],
    )
    const refused = await send(LIST, { 'X-API-Key': key }, limited.baseUrl)
    assert.equal(await codeOf(refused, 429), 'rate_limited')
  })
})
