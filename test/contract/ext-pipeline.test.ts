// The extension API goes through the pipeline of the public API: authentication, the shared rate limit, routes, access,
// idempotency, input, and another organization's ids.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { EXT_OPERATIONS, type ExtOperation } from '../kit/ext-replies.ts'
import { type Organization, startProduct } from '../kit/fixture.ts'

const EXT = '/api/ext/v1'
const fixture = await startProduct()
const { api } = fixture
after(() => fixture.stop())

const UNKNOWN = '01m7ef2j5re008007k9b361f3r'
const PREFIXES: Readonly<Record<string, string>> = {
  contactId: 'act',
  monitorId: 'mon',
  incidentId: 'inc',
  checkId: 'chk',
  statusPageId: 'sp',
  subscriberId: 'sub',
  tagId: 'tag',
  targetId: 'mon',
}
const BODIES: Readonly<Record<string, unknown>> = {
  createAlertContact: { name: 'Ops', channel: 'SLACK', settings: { url: 'https://example.com/x' } },
  updateAlertContact: { name: 'Ops' },
  putEscalationPolicy: {
    steps: [{ afterMinutes: 5, contactIds: [`act_${UNKNOWN}`] }],
  },
  createMonitorDetail: { name: 'Nightly', type: 'CRON' },
  putMonitorRegions: { regions: ['default'] },
  putTagRegions: { regions: ['default'] },
  putOrganizationRegions: { regions: ['default'] },
  runCheck: { type: 'PORT', host: '127.0.0.1', port: 9, timeoutSeconds: 1 },
  runMonitorCheck: {},
  addPageSubscriber: { address: 'ana@example.com' },
  createTag: { name: 'Blue' },
  renameTag: { name: 'Green' },
  putSourceBindings: { revision: 0, bindings: [] },
  addPingAliases: { aliases: [{ monitorId: `mon_${UNKNOWN}`, token: 'eYaNuTzjHT' }] },
}
const isWrite = ({ method }: ExtOperation) => method !== 'GET'
const unknownPath = ({ path }: ExtOperation) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name in PREFIXES ? `${PREFIXES[name]}_${UNKNOWN}` : 'Unknown-name',
  )
const bodyOf = ({ id }: ExtOperation) => (id in BODIES ? { body: BODIES[id] } : {})

test('the document has 50 operations, and every path below /api/ext/v1', () => {
  assert.equal(EXT_OPERATIONS.length, 50)
  assert.equal(new Set(EXT_OPERATIONS.map(({ id }) => id)).size, 50)
  for (const { path } of EXT_OPERATIONS) assert.ok(path.startsWith(`${EXT}/`), path)
})

describe('authentication and access', { concurrency: 8 }, () => {
  for (const operation of EXT_OPERATIONS) {
    const { id, method } = operation
    test(`${id} 401: without a key, with a wrong one, and with both headers`, async () => {
      const path = unknownPath(operation)
      const ways = [
        { key: null },
        { key: 'upv_wrong' },
        { headers: { Authorization: `Bearer ${fixture.keys.full}` } },
      ]
      for (const way of ways) {
        const answer = await api.request(method, path, { ...bodyOf(operation), ...way })
        assert.equal(answer.code, 'unauthorized')
      }
    })
    test(`${id}: a read-only key may ${isWrite(operation) ? 'not ' : ''}use it`, async () => {
      const reader = api.as(await fixture.createKey(fixture.orgId, { access: 'READ_ONLY' }))
      const answer = await reader.request(method, unknownPath(operation), { body: [] })
      assert.equal(answer.code === 'forbidden', isWrite(operation), answer.text)
    })
  }

  test('unknown paths: 401 without a key, 404 with one', async () => {
    for (const path of [`${EXT}/nothing`, `${EXT}/tags/`, `${EXT}//tags`, `${EXT}/Tags`]) {
      assert.equal((await api.get(path, { key: null })).code, 'unauthorized', path)
      assert.equal((await api.get(path)).code, 'not_found', path)
    }
  })

  test('405 names the methods of a path in one order, and PUT stays unknown to the public API', async () => {
    const allow = async (method: string, path: string) => {
      const answer = await api.request(method, path)
      assert.equal(answer.code, 'method_not_allowed', path)
      return answer.headers['allow']
    }
    assert.equal(await allow('POST', `${EXT}/sources/shop/bindings`), 'GET, PUT')
    assert.equal(await allow('PUT', `${EXT}/tags`), 'GET, POST')
    assert.equal(await allow('GET', `${EXT}/monitors/mon_x/tags/y`), 'PUT, DELETE')
    assert.equal(await allow('PUT', '/monitors'), 'GET, POST')
    assert.equal(await allow('PUT', '/monitors/mon_x'), 'GET, PATCH, DELETE')
  })
})

test('both APIs use one rate limit window of the key', async () => {
  const [key, other] = [
    await fixture.createKey(fixture.orgId),
    await fixture.createKey(fixture.orgId),
  ]
  const left = async (path: string, as = key) =>
    Number((await api.as(as).get(path)).headers['ratelimit-remaining'])
  const first = await left(`${EXT}/overview`)
  assert.equal(await left('/monitors'), first - 1)
  assert.equal(await left(`${EXT}/usage`), first - 2)
  assert.equal(await left(`${EXT}/usage`, other), first)
})

test('past the limit both APIs answer 429', async () => {
  const limited = await startProduct({ rateLimit: 5 })
  try {
    for (let count = 0; count < 5; count++) await limited.api.get(`${EXT}/overview`)
    assert.equal((await limited.api.get('/monitors')).code, 'rate_limited')
    assert.equal((await limited.api.get(`${EXT}/overview`)).code, 'rate_limited')
  } finally {
    await limited.stop()
  }
})

describe('idempotency', { concurrency: 4 }, () => {
  const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

  for (const operation of EXT_OPERATIONS.filter(isWrite))
    test(`${operation.id} 400: a key of other characters`, async () => {
      const options = { ...bodyOf(operation), ...withKey('not a key') }
      const answer = await api.request(operation.method, unknownPath(operation), options)
      assert.equal(answer.code, 'invalid_idempotency_key')
    })

  test('a repeated create is one tag; other input with the key is refused', async () => {
    const key = randomUUID()
    const first = await api.post(`${EXT}/tags`, { name: 'Once' }, withKey(key))
    const again = await api.post(`${EXT}/tags`, { name: 'Once' }, withKey(key))
    assert.deepEqual([first.status, again.status, again.isReplayed], [201, 201, true])
    assert.equal(again.text, first.text)
    assert.equal(again.headers['location'], first.headers['location'])
    const other = await api.post(`${EXT}/tags`, { name: 'Other' }, withKey(key))
    assert.equal(other.code, 'idempotency_conflict')
  })

  test('a key that the public API used is used in the extension API too', async () => {
    const key = randomUUID()
    const made = await api.post('/monitors', { name: 'x', type: 'CRON' }, withKey(key))
    assert.equal(made.status, 201)
    const answer = await api.post(`${EXT}/tags`, { name: 'Shared' }, withKey(key))
    assert.equal(answer.code, 'idempotency_conflict')
  })

  test('a repeated PUT of bindings is replayed although the revision has moved', async () => {
    const key = randomUUID()
    const path = `${EXT}/sources/replayed/bindings`
    const body = { revision: 0, bindings: [{ address: 'monitors.a' }] }
    const first = await api.put(path, body, withKey(key))
    const again = await api.put(path, body, withKey(key))
    assert.deepEqual([first.status, again.status, again.isReplayed], [200, 200, true])
    assert.equal(again.text, first.text)
    assert.equal((await api.put(path, body)).code, 'conflict')
  })
})

describe('subscription', () => {
  test('without one, reads and deletes work and other writes answer 422', async () => {
    const { api: owner } = await fixture.createOrganization('PRO', 'CANCELED')
    for (const operation of EXT_OPERATIONS) {
      const path = unknownPath(operation)
      const answer = await owner.request(operation.method, path, bodyOf(operation))
      const isRefused = isWrite(operation) && operation.method !== 'DELETE'
      assert.equal(answer.code === 'subscription_required', isRefused, operation.id)
    }
  })
})

describe('input', { concurrency: 8 }, () => {
  for (const operation of EXT_OPERATIONS.filter(({ id }) => id in BODIES))
    test(`${operation.id} 400: no body, no JSON, no object, another type`, async () => {
      const { method } = operation
      const path = unknownPath(operation)
      for (const rawBody of ['', '{', '[]', 'null', '"x"', '1']) {
        const answer = await api.request(method, path, { rawBody })
        assert.equal(answer.code, 'validation_error', `${rawBody} ${answer.text}`)
      }
      const headers = { 'Content-Type': 'text/plain' }
      const answer = await api.request(method, path, { rawBody: '{}', headers })
      assert.deepEqual(answer.paths, ['content-type'])
    })

  const lists = EXT_OPERATIONS.filter(({ id }) => id.startsWith('list'))
  for (const operation of lists)
    test(`${operation.id} 400: a limit that is none`, async () => {
      for (const limit of ['0', '-1', '1001', '1.5', '1e1', '', '01', '%201', 'x', '1&limit=2']) {
        const answer = await api.get(`${unknownPath(operation)}?limit=${limit}`)
        assert.equal(answer.code, 'validation_error', limit)
      }
    })

  test('hostile names in paths are refused or not found, and never a fault', async () => {
    // Tests of a contact are limited for each organization.
    const { api: own } = await fixture.createOrganization()
    const names = [
      '%00',
      '%',
      '%FF',
      '..%2F..',
      '%2e%2e',
      '__proto__',
      "'%3b--",
      '%E2%80%AE',
      '%0A',
    ]
    for (const name of names)
      for (const { method, path, id } of EXT_OPERATIONS) {
        const target = path.replaceAll(/\{\w+\}/g, name)
        if (target === path) continue
        const answer = await own.request(method, target, id in BODIES ? { body: BODIES[id] } : {})
        assert.ok([400, 404].includes(answer.status), `${method} ${target} ${answer.status}`)
      }
  })
})

describe('another organization', () => {
  let theirs: Organization
  const ids: Record<string, string> = {}
  before(async () => {
    theirs = await fixture.createOrganization()
    const idOf = (json: unknown) => (json as { id: string }).id
    ids['monitorId'] = (await theirs.api.createMonitor()).id
    const contact = BODIES['createAlertContact']
    ids['contactId'] = idOf((await theirs.api.post(`${EXT}/alert-contacts`, contact)).json)
    ids['tagId'] = idOf((await theirs.api.post(`${EXT}/tags`, { name: 'Theirs' })).json)
    ids['statusPageId'] = idOf((await theirs.api.post('/status-pages', { name: 'P' })).json)
    ids['tag'] = ids['tagId']
  })

  for (const operation of EXT_OPERATIONS.filter(({ path }) => path.includes('Id}')))
    test(`${operation.id}: its id is answered like one that does not exist`, async () => {
      const own = operation.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => ids[name] ?? `${PREFIXES[name] ?? 'x'}_${UNKNOWN}`,
      )
      const foreign = await api.request(operation.method, own, bodyOf(operation))
      const unknown = await api.request(operation.method, unknownPath(operation), bodyOf(operation))
      assert.equal(foreign.status, 404, foreign.text)
      assert.equal(foreign.error.message, unknown.error.message)
    })

  test('lists and sources show nothing of theirs, and tags of theirs match nothing', async () => {
    const { api: ours } = await fixture.createOrganization()
    await theirs.api.put(`${EXT}/sources/shop/bindings`, {
      revision: 0,
      bindings: [{ address: 'monitors.a', id: ids['monitorId'] }],
    })
    for (const path of ['/alert-contacts', '/tags', '/monitors', `/monitors?tag=${ids['tagId']}`])
      assert.deepEqual(((await ours.get(EXT + path)).json as { data: unknown[] }).data, [])
    const seen = (await ours.get(`${EXT}/sources/shop/bindings`)).json as { revision: number }
    assert.equal(seen.revision, 0)
    // Their monitor cannot be named in a file of ours.
    const claim = { revision: 0, bindings: [{ address: 'monitors.a', id: ids['monitorId'] }] }
    assert.equal((await ours.put(`${EXT}/sources/shop/bindings`, claim)).status, 400)
    const kept = (await theirs.api.get(`${EXT}/monitors`)).json as {
      data: { managedBy: { source: string } | null }[]
    }
    assert.equal(kept.data[0]?.managedBy?.source, 'shop')
  })
})
