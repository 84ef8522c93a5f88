// HTTP, KEYWORD, PORT and PING checks as the target sees them: what is sent, what is retried, which redirects are
// followed, and which private targets are blocked.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import type { IncidentDetail, Monitor } from '../../kit/shapes.ts'
import { listen } from '../../kit/targets/listen.ts'
import { type Script, startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const web = await startWeb()
const elsewhere = await startWeb()
const closed = await listen(createServer())
await closed.close()
// Silence is the target's fault as long as a control target responds.
const engine = await startEngine({
  env: { PROBE_CONTROL_TARGETS: `127.0.0.1:${elsewhere.port}` },
})
after(async () => {
  await engine.stop()
  await Promise.all([web.close(), elsewhere.close()])
})

/** A new monitor with its own page, after its first check. */
async function watch(script: Script, fields: Record<string, unknown> = {}) {
  const page = web.page(script)
  const monitor = await engine.createChecked({ type: 'HTTP', url: page.url, ...fields })
  return { page, monitor, methods: () => page.seen.map(({ method }) => method).join(' ') }
}

async function causeOf({
  id,
  state,
}: Monitor): Promise<Pick<IncidentDetail, 'causeCode' | 'cause'>> {
  assert.equal(state, 'DOWN')
  const { causeCode, cause } = await engine.incidentOf(id)
  return { causeCode, cause }
}

describe('confirmation', { concurrency: 8 }, () => {
  test('503 once, then 200: UP, after two requests one second apart', async () => {
    const { page, monitor } = await watch((_, number) => ({ status: number === 1 ? 503 : 200 }))
    assert.equal(monitor.state, 'UP')
    const [first, second, ...more] = page.seen
    const gapMs = (second?.atMs ?? 0) - (first?.atMs ?? 0)
    assert.ok(more.length === 0 && gapMs >= 950, `${page.seen.length} requests, ${gapMs} ms`)
    assert.deepEqual(await engine.incidentsOf(monitor.id), [])
    assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.up'])
  })

  test('503 twice: DOWN', async () => {
    const { page, monitor } = await watch({ status: 503 })
    const { causeCode } = await causeOf(monitor)
    assert.deepEqual([causeCode, page.seen.length], ['UNEXPECTED_STATUS', 2])
  })

  for (const status of [404, 401, 304, 410])
    test(`${status} is decisive at once: one request`, async () => {
      const { page, monitor } = await watch({ status })
      const expected = '200-206, 301, 302, 307, 308'
      const cause = `HTTP ${status}, expected ${expected}`
      assert.deepEqual(await causeOf(monitor), { causeCode: 'UNEXPECTED_STATUS', cause })
      assert.equal(page.seen.length, 1)
    })

  test('refused twice: DOWN', async () => {
    const url = `http://127.0.0.1:${closed.port}/`
    const monitor = await engine.createChecked({ type: 'HTTP', url })
    const cause = 'Connection refused'
    assert.deepEqual(await causeOf(monitor), { causeCode: 'CONNECTION_REFUSED', cause })
    const { openedBy } = await engine.incidentOf(monitor.id)
    assert.equal((openedBy['attempts'] as unknown[]).length, 2)
    assert.deepEqual([openedBy['responseMs'], openedBy['httpStatus']], [null, null])
  })

  test('reset once, then answered: UP', async () => {
    const { page, monitor } = await watch((_, number) => (number === 1 ? 'RESET' : {}))
    assert.deepEqual([monitor.state, page.seen.length], ['UP', 2])
  })

  test('silence twice: DOWN, within the time a check may take', async () => {
    const { page, monitor } = await watch('SILENCE', { timeoutSeconds: 1 })
    const cause = 'Timed out after 1 s'
    assert.deepEqual(await causeOf(monitor), { causeCode: 'TIMEOUT', cause })
    assert.ok(page.seen.length >= 2)
    const { startedAt, openedBy } = await engine.incidentOf(monitor.id)
    const lastedMs = Date.parse(String(openedBy['checkedAt'])) - Date.parse(startedAt)
    assert.ok(lastedMs >= 2900 && lastedMs < 4500, `${lastedMs} ms`)
  })

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    test(`${method} is not sent twice once its bytes have left`, async () => {
      const { page, monitor } = await watch({ status: 503 }, { method, requestBody: 'do it' })
      assert.equal((await causeOf(monitor)).causeCode, 'UNEXPECTED_STATUS')
      page.become('RESET')
      await engine.check(monitor.id)
      assert.deepEqual(
        page.seen.map((request) => request.body),
        ['do it', 'do it'],
      )
    })

  test('POST that could not be sent is tried again: bytes never left', async () => {
    const url = `http://127.0.0.1:${closed.port}/`
    const { id } = await engine.createChecked({ type: 'HTTP', method: 'POST', url })
    const { openedBy } = await engine.incidentOf(id)
    assert.equal((openedBy['attempts'] as unknown[]).length, 2)
  })
})

describe('what is sent', { concurrency: 8 }, () => {
  test('headers as given, Host included; the product names itself unless a header says otherwise', async () => {
    const requestHeaders = { 'X-Token': 'sécret', Host: 'other.test', 'user-agent': 'mine' }
    const { page } = await watch({}, { requestHeaders })
    const { headers = {}, method, body } = page.seen[0] ?? {}
    assert.deepEqual([method, body], ['GET', ''])
    assert.deepEqual([headers['host'], headers['user-agent']], ['other.test', 'mine'])
    assert.equal(Buffer.from(headers['x-token'] ?? '', 'latin1').toString(), 'sécret')

    const plain = await watch({})
    const [request] = plain.page.seen
    assert.match(request?.headers['user-agent'] ?? '', /^Upvane\//)
    assert.equal(request?.headers['host'], `127.0.0.1:${web.port}`)
  })

  for (const [method, sends] of [
    ['GET', false],
    ['HEAD', false],
    ['POST', true],
    ['PUT', true],
    ['PATCH', true],
    ['DELETE', true],
  ] as const)
    test(`${method} ${sends ? 'carries' : 'does not carry'} the body`, async () => {
      const { page, monitor } = await watch({}, { method, requestBody: '{"a":"ü"}' })
      const [request] = page.seen
      assert.deepEqual([request?.method, request?.body], [method, sends ? '{"a":"ü"}' : ''])
      assert.equal(request?.headers['content-length'], sends ? '10' : undefined)
      assert.equal(monitor.state, 'UP')
    })
})

describe('redirects', { concurrency: 8 }, () => {
  const to = (url: string, status = 302): Script => ({ status, headers: { Location: url } })

  test('followed by default: the last status counts', async () => {
    const good = web.page({})
    assert.equal((await watch(to(good.url))).monitor.state, 'UP')
    const bad = web.page({ status: 404 })
    const { causeCode } = await causeOf((await watch(to(bad.url))).monitor)
    assert.equal(causeCode, 'UNEXPECTED_STATUS')
  })

  test('not followed: the first status counts', async () => {
    const bad = web.page({ status: 404 })
    const { monitor } = await watch(to(bad.url), { followRedirects: false })
    assert.deepEqual([monitor.state, bad.seen.length], ['UP', 0])
    const strict = await watch(to(bad.url), { followRedirects: false, expectedStatus: [200] })
    assert.equal((await causeOf(strict.monitor)).cause, 'HTTP 302, expected 200')
  })

  for (const [status, method, body] of [
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'data'],
    [308, 'POST', 'data'],
  ] as const)
    test(`${status} turns POST into ${method}`, async () => {
      const last = web.page({})
      await watch(to(last.url, status), { method: 'POST', requestBody: 'data' })
      assert.deepEqual(
        last.seen.map((request) => [request.method, request.body]),
        [[method, body]],
      )
    })

  test('another origin gets no header that could be a credential', async () => {
    const other = elsewhere.page({})
    const same = web.page({})
    const requestHeaders = { Authorization: 'secret', Cookie: 'a=b', Accept: 'text/x', 'X-K': '1' }
    await watch(to(other.url), { requestHeaders })
    await watch(to(same.url), { requestHeaders })
    const foreign = other.seen[0]?.headers ?? {}
    assert.equal(foreign['accept'], 'text/x')
    for (const name of ['authorization', 'cookie', 'x-k']) {
      assert.ok(!(name in foreign), name)
      assert.ok(name in (same.seen[0]?.headers ?? {}), `${name} on the same origin`)
    }
  })

  test('ten are followed, the eleventh is too many', async () => {
    const chain = (hops: number): string => {
      let { url } = web.page({})
      for (let i = 1; i < hops; i++) url = web.page(to(url)).url
      return url
    }
    assert.equal((await watch(to(chain(10)))).monitor.state, 'UP')
    const { causeCode } = await causeOf((await watch(to(chain(11)))).monitor)
    assert.equal(causeCode, 'TOO_MANY_REDIRECTS')
  })
})

describe('expectedStatus and keyword', { concurrency: 8 }, () => {
  test('an unusual status may be the expected one, also a 5xx', async () => {
    const { monitor, page } = await watch({ status: 503 }, { expectedStatus: [418, 503] })
    assert.deepEqual([monitor.state, page.seen.length], ['UP', 1])
    const teapot = await watch({ status: 200 }, { expectedStatus: [418, 503, 419, 420] })
    assert.equal((await causeOf(teapot.monitor)).cause, 'HTTP 200, expected 418-420, 503')
  })

  type Row = [
    match: string,
    keyword: string,
    body: string | Buffer,
    cause: string | null,
    type?: string,
  ]
  // biome-ignore format: a table is read by its columns
  const rows: Row[] = [
    ['EXISTS',     'ok',    'all ok here',              null],
    ['EXISTS',     'OK',    'all ok here',              'Keyword "OK" not found'], // case-sensitive
    ['EXISTS',     'a b',   '<p>a</p> <p>b</p>',        'Keyword "a b" not found'], // tags are not stripped
    ['NOT_EXISTS', 'error', 'all ok here',              null],
    ['NOT_EXISTS', 'error', 'an error',                 'Keyword "error" found'],
    ['EXISTS',     'für',   'für',                      null],
    ['EXISTS',     'für',   Buffer.from('für', 'latin1'), null, 'text/plain; charset=iso-8859-1'],
    ['EXISTS',     'far',   `${'x'.repeat(1_048_570)} far`, null], // just inside the first MiB
    ['EXISTS',     'far',   `${'x'.repeat(1_048_576)}far`, 'Keyword "far" not found'],
  ]
  for (const [match, keyword, body, cause, type = 'text/html'] of rows)
    test(`${match} "${keyword}" in ${String(body).slice(0, 20)}: ${cause ?? 'UP'}`, async () => {
      const fields = { type: 'KEYWORD', keyword, keywordMatch: match }
      const { monitor } = await watch({ body, headers: { 'Content-Type': type } }, fields)
      if (cause === null) return assert.equal(monitor.state, 'UP')
      assert.equal((await causeOf(monitor)).cause, cause)
    })

  test('the status comes first: a page that says ok with 404 is DOWN', async () => {
    const { monitor } = await watch({ status: 404 }, { type: 'KEYWORD', keyword: 'ok' })
    assert.equal((await causeOf(monitor)).causeCode, 'UNEXPECTED_STATUS')
  })
})

describe('PORT and PING', { concurrency: 4 }, () => {
  test('PORT: accepted is UP with a time, refused is DOWN', async () => {
    const port = (number: number) => ({ type: 'PORT', host: '127.0.0.1', port: number })
    const up = await engine.createChecked(port(web.port))
    assert.equal(up.state, 'UP')
    const down = await engine.createChecked(port(closed.port))
    assert.deepEqual(await causeOf(down), {
      causeCode: 'CONNECTION_REFUSED',
      cause: 'Connection refused',
    })
  })

  test('PING: loopback answers', async () => {
    const { state } = await engine.createChecked({ type: 'PING', host: '127.0.0.1' })
    assert.equal(state, 'UP')
  })
})

describe('private targets', { concurrency: 4 }, () => {
  test('an organization without them gets TARGET_NOT_ALLOWED, and nothing is sent', async () => {
    const { otherOrganization } = engine.stack.keys
    const api = engine.as(otherOrganization)
    const page = web.page({})
    const [row] = await engine.db.run<{ id: string }>(
      `update organizations set private_targets = false where name = 'Other organization' returning id`,
    )
    assert.ok(row !== undefined)
    const targets = [
      { type: 'HTTP', url: page.url },
      { type: 'HTTP', url: `http://localhost:${web.port}/` },
      { type: 'PORT', host: '127.0.0.1', port: web.port },
      { type: 'PING', host: '127.0.0.1' },
      { type: 'SSL', url: `127.0.0.1:${web.port}` },
    ]
    for (const target of targets) {
      const { id } = await api.createMonitor({ name: 'Guarded', ...target })
      const { monitor } = await api.post(`/monitors/${id}/check`, {})
      assert.equal(monitor.state, 'DOWN', target.type)
      const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
      const { incident } = await api.get(`/incidents/${data[0]?.id}`)
      assert.deepEqual(
        [incident.causeCode, incident.cause],
        ['TARGET_NOT_ALLOWED', 'Target address is not allowed'],
      )
    }
    assert.deepEqual(page.seen, [])
    api.close()
  })

  test('a page of a private address is never kept as evidence', async () => {
    const { monitor } = await watch({ status: 404, body: 'intranet only' })
    const { openedBy, lastFailure } = await engine.incidentOf(monitor.id)
    assert.deepEqual([openedBy['bodyExcerpt'], lastFailure['bodyExcerpt']], [null, null])
    const kept = await engine.db.count(
      'incident_evidence e join incidents i on i.id = e.incident_id',
      `i.monitor_id = $1 and e.evidence::text like '%intranet%'`,
      [toUuid(monitor.id)],
    )
    assert.equal(kept, 0)
  })
})
