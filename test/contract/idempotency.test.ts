import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import type { ApiResponse } from '../kit/response.ts'
import { breakMonitor } from '../kit/seed.ts'

const fixture = await startProduct()
const { api, db, orgId, keys } = fixture
after(() => fixture.stop())

const cron = { name: 'Once', type: 'CRON' }
const newKey = () => `test:${randomUUID()}`
const withKey = (key: string | string[]) => ({ headers: { 'Idempotency-Key': key } })
const create = (key: string, body: unknown = cron, client: Client = api) =>
  client.post('/monitors', body, withKey(key))
const expire = (key: string) =>
  db.run(`update idempotency_records set expires_at = now() where key = $1`, [key])

function assertReplay(replay: ApiResponse, first: ApiResponse): void {
  assert.equal(first.isReplayed, false)
  assert.equal(replay.isReplayed, true)
  assert.equal(replay.status, first.status)
  assert.equal(replay.text, first.text, 'the same bytes')
  assert.equal(replay.headers['location'], first.headers['location'])
  assert.notEqual(replay.requestId, first.requestId)
}

describe('Idempotency-Key: its form', { concurrency: 8 }, () => {
  test('createMonitor 201: 1 and 200 characters, and every character that is allowed', async () => {
    const good = ['a', 'A-Za-z0-9._:-', '....', ':', '-', 'x'.repeat(200)]
    for (const key of good) assert.equal((await create(key)).status, 201, key)
  })

  const bad: (string | string[])[] = [
    '',
    ' ',
    'x'.repeat(201),
    'a b',
    'a,b',
    'a/b',
    'é',
    'a;b',
    '"a"',
  ]
  const writes: [method: string, path: string, body?: unknown][] = [
    ['POST', '/monitors', cron],
    ['PATCH', '/monitors/mon_unknown', {}],
    ['DELETE', '/monitors/mon_unknown'],
    ['POST', '/monitors/mon_unknown/pause', {}],
    ['POST', '/monitors/mon_unknown/resume', {}],
    ['POST', '/monitors/mon_unknown/check', {}],
    ['POST', '/incidents/inc_unknown/acknowledge'],
  ]
  for (const [method, path, body] of writes)
    test(`${method} ${path} 400: a key that is empty, too long, repeated or of other characters`, async () => {
      for (const key of [...bad, ['a', 'a'], 'a\tb', 'a+b', 'a=b', 'x'.repeat(4000)]) {
        const answer = await api.request(method, path, { body, ...withKey(key) })
        assert.equal(answer.code, 'invalid_idempotency_key', String(key))
      }
    })

  test('GET and HEAD 200: the header is ignored, whatever it holds', async () => {
    for (const key of ['', 'not a key', 'x'.repeat(300), 'fine']) {
      const answer = await api.get('/monitors', withKey(key))
      assert.deepEqual([answer.status, answer.isReplayed], [200, false])
      assert.equal((await api.request('HEAD', '/monitors', withKey(key))).status, 200)
    }
    assert.equal(await db.count('idempotency_records', `key = 'fine'`, []), 0)
  })
})

describe('Idempotency-Key: replay', { concurrency: 8 }, () => {
  test('createMonitor 201: the same bytes again, one monitor, one event', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    const key = newKey()
    const first = await create(key, cron, owner)
    for (let i = 0; i < 3; i++) assertReplay(await create(key, cron, owner), first)
    assert.equal((await owner.get('/monitors')).monitors.pagination.total, 1)
    assert.equal(await db.count('events', 'org_id = $1', [uuid]), 1)
  })

  test('the replay shows what was, also after the monitor changed or is gone', async () => {
    const key = newKey()
    const first = await create(key)
    await api.patch(`/monitors/${first.monitor.id}`, { name: 'Changed' })
    assertReplay(await create(key), first)
    await api.delete(`/monitors/${first.monitor.id}`)
    assertReplay(await create(key), first)
  })

  test('every write can be replayed: PATCH, pause, resume, acknowledge, DELETE', async () => {
    const { id } = await api.createMonitor()
    const incident = await breakMonitor(db, orgId, id)
    const writes: [method: string, path: string, body?: unknown][] = [
      ['PATCH', `/monitors/${id}`, { name: 'Other' }],
      ['POST', `/incidents/${incident}/acknowledge`, { note: 'Mine' }],
      ['POST', `/monitors/${id}/pause`, {}],
      ['POST', `/monitors/${id}/resume`, {}],
      ['DELETE', `/monitors/${id}`],
    ]
    const done: [replay: () => Promise<ApiResponse>, first: ApiResponse][] = []
    for (const [method, path, body] of writes) {
      const key = newKey()
      const ask = () => api.request(method, path, { body, ...withKey(key) })
      done.push([ask, await ask()])
    }
    const eventCount = (await db.eventsOf(id)).length
    for (const [replay, first] of done) assertReplay(await replay(), first)
    assert.equal((await db.eventsOf(id)).length, eventCount, 'a replay publishes nothing')
  })

  const same: [name: string, path: string, body: unknown][] = [
    ['another order of properties', '/monitors', { type: 'CRON', name: 'Once' }],
    ['a default written out', '/monitors', { ...cron, intervalSeconds: 300, verifySsl: true }],
    [
      'a default of null written out',
      '/monitors',
      { ...cron, requestBody: null, requestHeaders: null },
    ],
    ['unknown properties', '/monitors', { ...cron, id: 'x', surprise: [1] }],
    ['another query', '/monitors?x=1&limit=nonsense', cron],
  ]
  for (const [name, path, body] of same)
    test(`createMonitor 201: ${name} is the same input`, async () => {
      const key = newKey()
      const first = await create(key)
      assertReplay(await api.post(path, body, withKey(key)), first)
    })

  test('the scope is the organization: another key of it replays, another organization starts over', async () => {
    const key = newKey()
    const first = await create(key)
    assertReplay(await create(key, cron, api.as(keys.full2)), first)
    const other = await create(key, { ...cron, name: 'Other' }, api.as(keys.otherOrganization))
    assert.deepEqual([other.status, other.isReplayed], [201, false])
    assert.notEqual(other.monitor.id, first.monitor.id)
  })

  test('rate headers of a replay are those of now', async () => {
    const key = newKey()
    const client = api.as(await fixture.createKey(orgId))
    const first = await create(key, cron, client)
    const replay = await create(key, cron, client)
    const left = (answer: ApiResponse) => Number(answer.headers['ratelimit-remaining'])
    assert.equal(left(replay), left(first) - 1)
  })

  test('after 24 hours the key is new', async () => {
    const key = newKey()
    const first = await create(key)
    const { expires_at } = await db.one<{ expires_at: Date }>(
      'select expires_at from idempotency_records where key = $1',
      [key],
    )
    const hours = (Number(expires_at) - Date.parse(first.monitor.createdAt)) / 3_600_000
    assert.ok(Math.abs(hours - 24) < 0.01, `kept for ${hours} hours`)
    await db.run(
      `update idempotency_records set expires_at = now() + interval '30 s' where key = $1`,
      [key],
    )
    assertReplay(await create(key), first)
    await expire(key)
    const second = await create(key, { ...cron, name: 'New input' })
    assert.deepEqual([second.status, second.isReplayed], [201, false])
    assertReplay(await create(key, { ...cron, name: 'New input' }), second)
    assert.equal((await create(key)).code, 'idempotency_conflict')
  })

  test('stored answers are not readable in the database', async () => {
    const key = newKey()
    await create(key, { ...cron, requestBody: 'a-very-secret-body' })
    const { body } = await db.one<{ body: Buffer }>(
      'select body from idempotency_records where key = $1',
      [key],
    )
    assert.ok(!body.includes('a-very-secret-body') && !body.includes('Once'))
  })
})

describe('Idempotency-Key: conflict', { concurrency: 8 }, () => {
  test('createMonitor 201: null and absence are the same for every field without a default', async () => {
    // biome-ignore format: many short values read better side by side
    const fields = [
      'url', 'host', 'port', 'keyword', 'dnsExpected', 'expectedPeriodSec', 'degradedThresholdMs',
      'requestHeaders', 'requestBody',
    ]
    for (const field of fields) {
      const key = newKey()
      const first = await create(key, cron)
      assertReplay(await create(key, { ...cron, [field]: null }), first)
      const other = newKey()
      const second = await create(other, { ...cron, [field]: null })
      assertReplay(await create(other, cron), second)
    }
    const key = newKey()
    const all = Object.fromEntries(fields.map((field) => [field, null]))
    const first = await create(key)
    assertReplay(await create(key, { ...cron, ...all }), first)
  })

  test('createStatusPage 201: null and absence are the same, at every depth', async () => {
    const key = newKey()
    const page = { name: 'Same', sections: [{ name: 'A', components: [{ name: 'B' }] }] }
    const first = await api.post('/status-pages', page, withKey(key))
    const components = [{ name: 'B', description: null, monitorId: null }]
    const nulls = { customDomain: null, password: null, logoUrl: null, description: null }
    const again = { ...page, ...nulls, sections: [{ name: 'A', components }] }
    assertReplay(await api.post('/status-pages', again, withKey(key)), first)
  })

  test('updateMonitor 409: in an update null and absence differ', async () => {
    const { id } = await api.createMonitor({ url: 'https://a.example/' })
    const key = newKey()
    assert.equal((await api.patch(`/monitors/${id}`, { url: null }, withKey(key))).status, 200)
    const other = await api.patch(`/monitors/${id}`, {}, withKey(key))
    assert.equal(other.code, 'idempotency_conflict')
  })

  test('the same instant is the same input, however its offset is written', async () => {
    const { id: monitorId } = await api.createMonitor()
    const window = (startsAt: string, endsAt: string, until: string) => ({
      name: 'W',
      startsAt,
      endsAt,
      monitorIds: [monitorId],
      recurrence: { frequency: 'DAILY', endsAt: until },
    })
    const key = newKey()
    const send = (body: unknown) => api.post('/maintenance-windows', body, withKey(key))
    const first = await send(
      window('2099-01-01T10:00Z', '2099-01-01T11:00:00Z', '2099-02-01T00:00Z'),
    )
    assert.equal(first.status, 201, first.text)
    const same = [
      window('2099-01-01T11:00:00.000+01:00', '2099-01-01T06:00-05:00', '2099-02-01T05:30+05:30'),
      window('2099-01-01T10:00:00.0001Z', '2099-01-01T11:00:00-00:00', '2099-01-31T23:00-01:00'),
    ]
    for (const body of same) assertReplay(await send(body), first)
    const later = window('2099-01-01T10:00:00.001Z', '2099-01-01T11:00Z', '2099-02-01T00:00Z')
    assert.equal((await send(later)).code, 'idempotency_conflict')

    const { id } = first.json as { id: string }
    const other = newKey()
    const patch = (endsAt: string) =>
      api.patch(`/maintenance-windows/${id}`, { endsAt }, withKey(other))
    const patched = await patch('2099-01-01T12:00Z')
    assertReplay(await patch('2099-01-01T13:00+01:00'), patched)
    assert.equal((await patch('2099-01-01T13:00Z')).code, 'idempotency_conflict')
  })

  test('createMonitor 409: a text that looks like an instant is a text', async () => {
    const key = newKey()
    await create(key, { ...cron, name: '2099-01-01T10:00:00Z' })
    const other = await create(key, { ...cron, name: '2099-01-01T11:00:00+01:00' })
    assert.equal(other.code, 'idempotency_conflict')
  })

  test('createMonitor 409: another body', async () => {
    const key = newKey()
    await create(key)
    for (const body of [
      { ...cron, name: 'Twice' },
      { ...cron, intervalSeconds: 301 },
      { ...cron, url: '' },
    ])
      assert.equal((await create(key, body)).code, 'idempotency_conflict')
    assert.equal((await create(key)).isReplayed, true, 'the first answer stays')
  })

  test('409: another method or another path with one key', async () => {
    const [a, b] = [await api.createMonitor(), await api.createMonitor()]
    const key = newKey()
    assert.equal((await api.patch(`/monitors/${a.id}`, {}, withKey(key))).status, 200)
    const others = [
      api.patch(`/monitors/${b.id}`, {}, withKey(key)),
      api.delete(`/monitors/${a.id}`, withKey(key)),
      api.post(`/monitors/${a.id}/pause`, {}, withKey(key)),
      create(key),
    ]
    for (const answer of await Promise.all(others))
      assert.match(answer.code, /^idempotency_(conflict|in_progress)$/)
    assert.equal((await create(key)).code, 'idempotency_conflict')
    assert.equal((await api.getMonitor(a.id)).state, 'PENDING')
  })

  const failures: [name: string, code: string, fail: (key: string) => Promise<ApiResponse>][] = [
    ['400', 'validation_error', (key) => create(key, { name: 'x' })],
    ['404', 'not_found', (key) => api.patch('/monitors/mon_unknown', {}, withKey(key))],
    ['403', 'forbidden', (key) => create(key, cron, api.as(keys.readOnly))],
    ['401', 'unauthorized', (key) => create(key, cron, api.as(keys.expired))],
    ['405', 'method_not_allowed', (key) => api.request('PUT', '/monitors', withKey(key))],
  ]
  for (const [status, code, fail] of failures)
    test(`${status}: an answer that is no success releases the key for any input`, async () => {
      const key = newKey()
      assert.equal((await fail(key)).code, code)
      assert.equal((await fail(key)).code, code)
      const answer = await create(key)
      assert.deepEqual([answer.status, answer.isReplayed], [201, false])
    })

  test('400 of the whole resource and 422 release the key too', async () => {
    const { api: free } = await fixture.createOrganization('FREE')
    const { id } = await free.createMonitor()
    const key = newKey()
    assert.equal((await free.patch(`/monitors/${id}`, { type: 'PORT' }, withKey(key))).status, 400)
    const faster = { ...cron, intervalSeconds: 30 }
    assert.equal((await create(key, faster, free)).code, 'plan_limit')
    assert.equal((await create(key, cron, free)).status, 201)
  })
})

describe('Idempotency-Key: at the same time', { concurrency: 4 }, () => {
  test('createMonitor: 30 at once make one monitor; the others wait or replay', async () => {
    const { api: owner } = await fixture.createOrganization()
    const key = newKey()
    const all = await Promise.all(Array.from({ length: 30 }, () => create(key, cron, owner)))
    const first = all.filter((answer) => answer.status === 201 && !answer.isReplayed)
    assert.equal(first.length, 1)
    for (const answer of all.filter((one) => one !== first[0]))
      if (answer.status === 201) assert.equal(answer.text, first[0]?.text)
      else {
        assert.equal(answer.code, 'idempotency_in_progress')
        assert.equal(answer.headers['retry-after'], '1')
      }
    assert.equal((await owner.get('/monitors')).monitors.pagination.total, 1)
  })

  test('updateMonitor 409: while the first runs every use of the key is in progress, whatever its input', async () => {
    const { id } = await api.createMonitor()
    const key = newKey()
    const lock = 'select from monitors where id = $1 for update'
    const first = await db.holding(lock, [toUuid(id)], async () => {
      const running = api.patch(`/monitors/${id}`, { name: 'First' }, withKey(key))
      await new Promise((resolve) => setTimeout(resolve, 300))
      for (const name of ['First', 'Other']) {
        const answer = await api.patch(`/monitors/${id}`, { name }, withKey(key))
        assert.equal(answer.code, 'idempotency_in_progress')
        assert.equal(answer.headers['retry-after'], '1')
      }
      assert.equal((await create(key)).code, 'idempotency_in_progress')
      const elsewhere = await create(key, cron, api.as(keys.otherOrganization))
      assert.equal(elsewhere.status, 201, 'another organization does not wait')
      return { answer: running }
    })
    const answer = await first.answer
    assert.equal(answer.status, 200)
    assertReplay(await api.patch(`/monitors/${id}`, { name: 'First' }, withKey(key)), answer)
    const other = await api.patch(`/monitors/${id}`, { name: 'Other' }, withKey(key))
    assert.equal(other.code, 'idempotency_conflict')
  })
})
