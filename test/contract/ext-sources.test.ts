// Bindings of configuration files: written by revision, one source for each resource, digests only for full keys.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
after(() => fixture.stop())

type Binding = {
  address: string
  id: string | null
  generation: number
  digest: string | null
  lastChange?: { at: string; by: string } | null
}
type Source = {
  source: string
  revision: number
  updatedAt: string | null
  bindings: Binding[]
  otherSources: string[]
}
type Change = { revision: number; changed: Binding[]; removed: number }

const pathOf = (source: string) => `/api/ext/v1/sources/${encodeURIComponent(source)}/bindings`
const read = async (api: Client, source: string) => (await api.get(pathOf(source))).json as Source
const put = (api: Client, source: string, revision: number, bindings: unknown[]) =>
  api.put(pathOf(source), { revision, bindings })

async function write(api: Client, source: string, revision: number, bindings: unknown[]) {
  const answer = await put(api, source, revision, bindings)
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Change
}

describe('bindings', { concurrency: 4 }, () => {
  test('a source that was never written has revision 0 and nothing', async () => {
    const { api } = await fixture.createOrganization()
    assert.deepEqual(await read(api, 'shop/upvane.yaml'), {
      source: 'shop/upvane.yaml',
      revision: 0,
      updatedAt: null,
      bindings: [],
      otherSources: [],
    })
  })

  test('planned, created, deleted on purpose: the generation tells one creation from the next', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    const planned = await write(api, 'shop', 0, [{ address: 'monitors.a' }])
    assert.equal(planned.changed[0]?.generation, planned.revision)
    const bound = await write(api, 'shop', planned.revision, [{ address: 'monitors.a', id }])
    assert.ok(bound.revision > planned.revision)
    assert.equal(bound.changed[0]?.generation, planned.revision)
    const same = await write(api, 'shop', bound.revision, [{ address: 'monitors.a', id }])
    assert.deepEqual([same.changed, same.removed], [[], 0])
    const gone = await write(api, 'shop', same.revision, [{ address: 'monitors.a', id: null }])
    assert.equal(gone.changed[0]?.generation, gone.revision)
  })

  test('a source that is deleted and made again repeats no revision and no generation', async () => {
    const { api } = await fixture.createOrganization()
    const first = await write(api, 'shop', 0, [{ address: 'monitors.a' }])
    assert.equal((await api.delete('/api/ext/v1/sources/shop')).status, 200)
    assert.equal((await api.delete('/api/ext/v1/sources/shop')).code, 'not_found')
    assert.equal((await read(api, 'shop')).revision, 0)
    const second = await write(api, 'shop', 0, [{ address: 'monitors.a' }])
    assert.ok(second.revision > first.revision)
    assert.ok((second.changed[0]?.generation ?? 0) > (first.changed[0]?.generation ?? 0))
  })

  test('the last change of a resource and who made it, for full keys; a check is no change', async () => {
    const { api, id: organizationId } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    const other = await api.createMonitor()
    await write(api, 'shop', 0, [
      { address: 'monitors.a', id },
      { address: 'monitors.b', id: other.id },
      { address: 'monitors.c' },
    ])
    const editor = await fixture.createKey(organizationId, { name: 'Editor' })
    const edited = await api.as(editor).patch(`/api/v1/monitors/${id}`, { name: 'Edited' })
    assert.equal(edited.status, 200, edited.text)
    await api.post(`/api/v1/monitors/${id}/pause`)
    await api.as(editor).post(`/api/v1/monitors/${id}/resume`)
    await api.post(`/api/v1/monitors/${id}/check`)
    const { bindings } = await read(api, 'shop')
    const [a, b, c] = bindings.map(({ lastChange }) => lastChange)
    assert.equal(a?.by, 'Editor')
    assert.ok(Math.abs(Date.parse(a.at) - Date.now()) < 60_000)
    assert.notEqual(b?.by, 'Editor')
    assert.equal(c, null)
    const reader = await fixture.createKey(organizationId, { access: 'READ_ONLY' })
    const seen = await read(api.as(reader), 'shop')
    assert.deepEqual(new Set(seen.bindings.map(({ lastChange }) => lastChange)), new Set([null]))
  })

  test('a source names the others of its organization, and none of another', async () => {
    const { api } = await fixture.createOrganization()
    const stranger = await fixture.createOrganization()
    await write(stranger.api, 'theirs', 0, [])
    await write(api, 'two', 0, [])
    await write(api, 'one', 0, [])
    assert.deepEqual((await read(api, 'one')).otherSources, ['two'])
    assert.deepEqual((await read(api, 'three')).otherSources, ['one', 'two'])
  })

  test('409: a revision that has moved changes nothing', async () => {
    const { api } = await fixture.createOrganization()
    const { revision } = await write(api, 'shop', 0, [{ address: 'monitors.a' }])
    for (const stale of [0, revision - 1, revision + 1])
      assert.equal((await put(api, 'shop', stale, [])).code, 'conflict')
    assert.equal((await read(api, 'shop')).bindings.length, 1)
  })

  test('20 writers of one revision: one succeeds', async () => {
    const { api } = await fixture.createOrganization()
    const writers = Array.from({ length: 20 }, (_, at) =>
      put(api, 'shop', 0, [{ address: `monitors.m${at}` }]),
    )
    const statuses = (await Promise.all(writers)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 409).length, 19)
    assert.equal((await read(api, 'shop')).bindings.length, 1)
  })

  test('409: a resource belongs to one source, and can move inside it', async () => {
    const { api } = await fixture.createOrganization()
    const one = (await api.createMonitor()).id
    const two = (await api.createMonitor()).id
    const { revision } = await write(api, 'shop', 0, [
      { address: 'monitors.a', id: one },
      { address: 'monitors.b', id: two },
    ])
    const taken = await put(api, 'blog', 0, [{ address: 'monitors.x', id: one }])
    assert.equal(taken.code, 'conflict')
    assert.match(taken.error.message, /monitors\.a of the source shop/)
    assert.equal((await read(api, 'blog')).revision, 0)
    await write(api, 'shop', revision, [
      { address: 'monitors.a', id: two },
      { address: 'monitors.b', id: one },
    ])
    const { bindings } = await read(api, 'shop')
    assert.deepEqual(
      bindings.map(({ id }) => id),
      [two, one],
    )
  })

  test('parallel sources that want one resource: one gets it', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    const names = Array.from({ length: 10 }, (_, at) => `source-${at}`)
    const answers = await Promise.all(
      names.map((name) => put(api, name, 0, [{ address: 'monitors.a', id }])),
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text)
  })

  test('a digest is kept, shown to full keys only, deleted by null, and not in the database as text', async () => {
    const { api, id: orgId } = await fixture.createOrganization()
    const digest = 'v1.c2FsdHNhbHQ.UExBTlRFRC1ESUdFU1Q'
    const { revision } = await write(api, 'shop', 0, [{ address: 'alertContacts.a', digest }])
    const reader = api.as(await fixture.createKey(orgId, { access: 'READ_ONLY' }))
    assert.equal((await read(api, 'shop')).bindings[0]?.digest, digest)
    assert.equal((await read(reader, 'shop')).bindings[0]?.digest, null)
    const [row] = await fixture.db.run<{ text: string }>(
      `select string_agg(b::text, ' ') || string_agg(encode(digest, 'escape'), ' ') as text from code_bindings b`,
    )
    assert.ok(!(row?.text ?? '').includes('UExBTlRFRC1ESUdFU1Q'))
    const kept = await write(api, 'shop', revision, [{ address: 'alertContacts.a' }])
    assert.deepEqual(kept.changed, [])
    await write(api, 'shop', kept.revision, [{ address: 'alertContacts.a', digest: null }])
    assert.equal((await read(api, 'shop')).bindings[0]?.digest, null)
  })

  test('5,000 bindings fit, one more is refused, and so are 100 sources and one more', async () => {
    const { api } = await fixture.createOrganization()
    const many = Array.from({ length: 5_001 }, (_, at) => ({ address: `monitors.m${at}` }))
    const refused = await put(api, 'shop', 0, many)
    assert.deepEqual(refused.paths, ['bindings'])
    const { changed, revision } = await write(api, 'shop', 0, many.slice(1))
    assert.equal(changed.length, 5_000)
    assert.equal((await read(api, 'shop')).bindings.length, 5_000)
    const { removed } = await write(api, 'shop', revision, [])
    assert.equal(removed, 5_000)
    for (let at = 1; at < 100; at++) await write(api, `s${at}`, 0, [])
    assert.equal((await put(api, 's100', 0, [])).code, 'plan_limit')
    await write(api, 's1', (await read(api, 's1')).revision, [])
  })

  test('400: an id that the organization does not have, whether another one does or nobody', async () => {
    const { api } = await fixture.createOrganization()
    const stranger = await fixture.createOrganization()
    const foreign = await stranger.api.createMonitor()
    const gone = await api.createMonitor()
    await api.delete(`/monitors/${gone.id}`)
    const own = await api.createMonitor()
    const other = await api.createMonitor()
    const unknown = [
      foreign.id,
      gone.id,
      ...['mon', 'act', 'tag', 'sp', 'mw', 'whe'].map(
        (prefix) => `${prefix}_01m7e3dhx0e008000mxrf1bnxa`,
      ),
      // Of the other kind.
      other.id.replace('mon_', 'tag_'),
    ]
    const bodies = new Set<string>()
    for (const id of unknown) {
      const bindings = [
        { address: 'monitors.own', id: own.id },
        { address: 'monitors.a', id },
      ]
      const answer = await put(api, 'shop', 0, bindings)
      assert.deepEqual([answer.status, answer.paths], [400, ['bindings.1.id']], id)
      bodies.add(JSON.stringify({ ...(answer.json as { error: object }).error, requestId: '' }))
    }
    assert.equal(bodies.size, 1, 'nothing tells them apart')
    assert.equal((await read(api, 'shop')).revision, 0)
  })

  test('a resource that was deleted stays bound, also under another address, and its digest can change', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    const { revision } = await write(api, 'shop', 0, [{ address: 'monitors.a', id }])
    await api.delete(`/monitors/${id}`)
    const moved = await write(api, 'shop', revision, [{ address: 'monitors.b', id, digest: 'd' }])
    await write(api, 'shop', moved.revision, [{ address: 'monitors.b', id, digest: 'e' }])
    assert.equal(
      (await put(api, 'blog', 0, [{ address: 'monitors.a', id }])).code,
      'validation_error',
    )
  })

  test('each kind of resource can be bound', async () => {
    const { api } = await fixture.createOrganization()
    const made = async (path: string, body: object) =>
      ((await api.post(path, body)).json as { id: string }).id
    const monitor = await api.createMonitor()
    const contact = { name: 'Hook', channel: 'WEBHOOK', settings: { url: 'https://example.com/' } }
    const window = { name: 'W', startsAt: '2036-01-01T00:00:00Z', endsAt: '2036-01-01T01:00:00Z' }
    const ids = [
      monitor.id,
      await made('/api/ext/v1/alert-contacts', contact),
      await made('/api/ext/v1/tags', { name: 'shop' }),
      await made('/status-pages', { name: 'Page', slug: `bound-${Date.now()}` }),
      await made('/maintenance-windows', { ...window, monitorIds: [monitor.id] }),
      await made('/webhook-endpoints', { url: 'https://example.com/', eventTypes: ['*'] }),
    ]
    const bindings = ids.map((id, at) => ({ address: `any.a${at}`, id }))
    assert.equal((await write(api, 'shop', 0, bindings)).changed.length, 6)
  })

  test('only rows that changed are written, and a long response says only what the sender cannot know', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const wishes = Array.from({ length: 300 }, (_, at) => ({
      address: `monitors.m${at}`,
      digest: 'one',
    }))
    const rows = () =>
      fixture.db.run<{ address: string; xmin: string }>(
        'select address, xmin::text from code_bindings where org_id = $1 order by address',
        [uuid],
      )
    const first = await write(api, 'shop', 0, wishes)
    assert.equal(first.changed.length, 300)
    assert.deepEqual(new Set(first.changed.map(({ digest }) => digest)), new Set([null]))
    const before = await rows()
    const few = wishes.map((one, at) => (at < 3 ? { ...one, digest: 'two' } : one))
    const second = await write(api, 'shop', first.revision, few)
    assert.deepEqual(
      second.changed.map(({ digest }) => digest),
      ['two', 'two', 'two'],
    )
    const after = await rows()
    assert.equal(after.filter(({ xmin }, at) => xmin !== before[at]?.xmin).length, 3)
    const all = wishes.map((one) => ({ ...one, digest: 'three' }))
    const third = await write(api, 'shop', second.revision, all)
    assert.deepEqual(third.changed, [])
    const { bindings } = await read(api, 'shop')
    assert.ok(bindings.every(({ digest }) => digest === 'three'))
  })

  test('of thousands of new bindings a response says all, little is stored, and a replay is the same', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const bindings = Array.from({ length: 3000 }, (_, at) => ({
      address: `monitors.${String(at).padEnd(191, 'x')}`,
      digest: 'one',
    }))
    const send = () =>
      api.put(
        pathOf('shop'),
        { revision: 0, bindings },
        { headers: { 'Idempotency-Key': 'announce' } },
      )
    const first = await send()
    const { revision, changed } = first.json as Change
    assert.equal(first.status, 200)
    assert.equal(changed.length, 3000)
    assert.ok(first.text.length > 500_000)
    const { bytes } = await fixture.db.one<{ bytes: number }>(
      'select sum(length(body))::int as bytes from idempotency_records where org_id = $1',
      [uuid],
    )
    assert.ok(bytes < 1000, `${bytes} bytes are stored`)
    const again = await send()
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(again.text, first.text)

    const fewer = bindings
      .slice(0, 2000)
      .map((one, at) => ({ ...one, generation: at < 500 ? 1 : revision }))
    await write(api, 'shop', revision, fewer)
    const late = (await send()).json as Change
    assert.equal(late.revision, revision)
    assert.equal(late.changed.length, 1500, 'those that still have the generation')
  })

  test('422: bindings of all sources together, also by parallel requests; fewer are always possible', async () => {
    const { api, uuid } = await fixture.createOrganization('FREE')
    await fixture.db.run(
      `update organizations set limit_overrides = '{"bindings": 50}' where id = $1`,
      [uuid],
    )
    const wishes = Array.from({ length: 20 }, (_, at) => ({ address: `monitors.m${at}` }))
    const names = Array.from({ length: 8 }, (_, at) => `s${at}`)
    const answers = await Promise.all(names.map((name) => put(api, name, 0, wishes)))
    const codes = answers.map(({ status, code }) => (status === 200 ? 200 : code))
    assert.equal(codes.filter((code) => code === 200).length, 2)
    assert.equal(codes.filter((code) => code === 'plan_limit').length, 6)
    assert.equal(await fixture.db.count('code_bindings', 'org_id = $1', [uuid]), 40)
    const kept = names[codes.indexOf(200)] ?? ''
    const { revision } = await read(api, kept)
    const fits = Array.from({ length: 30 }, (_, at) => ({ address: `monitors.n${at}` }))
    const full = await write(api, kept, revision, fits)
    assert.equal((await put(api, kept, full.revision, [...fits, ...wishes])).code, 'plan_limit')
    await write(api, kept, full.revision, fits.slice(1))
  })

  test('429: more than 150 large ones of an organization in 15 minutes', async () => {
    const { api, id } = await fixture.createOrganization()
    const many = Array.from({ length: 1_001 }, (_, at) => ({ address: `monitors.m${at}` }))
    // Judged before its revision.
    const send = (client: Client) => put(client, 'shop', 1, many)
    const answers: string[] = []
    for (let round = 0; round < 4; round++) {
      const client = api.as(await fixture.createKey(id))
      for (let at = 0; at < 40; at++) answers.push((await send(client)).code)
    }
    assert.equal(answers.filter((code) => code === 'conflict').length, 150)
    assert.equal(answers.filter((code) => code === 'rate_limited').length, 10)
    assert.equal((await put(api, 'shop', 0, many.slice(1))).status, 200)
  })

  const wrong: [what: string, body: unknown, path: string][] = [
    ['no revision', { bindings: [] }, 'revision'],
    ['a negative revision', { revision: -1, bindings: [] }, 'revision'],
    ['no bindings', { revision: 0 }, 'bindings'],
    ['bindings that are none', { revision: 0, bindings: [1] }, 'bindings.0'],
    ['no address', { revision: 0, bindings: [{}] }, 'bindings.0.address'],
    [
      'an address without a kind',
      { revision: 0, bindings: [{ address: 'abc' }] },
      'bindings.0.address',
    ],
    ['an id of nothing', { revision: 0, bindings: [{ address: 'a.b', id: 'x' }] }, 'bindings.0.id'],
    [
      'an address twice',
      { revision: 0, bindings: [{ address: 'a.b' }, { address: 'a.b' }] },
      'bindings.1.address',
    ],
    [
      'a digest that is too long',
      { revision: 0, bindings: [{ address: 'a.b', digest: 'x'.repeat(201) }] },
      'bindings.0.digest',
    ],
    ['U+0000', { revision: 0, bindings: [{ address: 'a.b\u0000' }] }, 'bindings.0.address'],
  ]
  for (const [what, body, path] of wrong)
    test(`400: ${what}`, async () => {
      const answer = await fixture.api.put(pathOf('wrong'), body)
      assert.equal(answer.code, 'validation_error')
      assert.ok(answer.paths.includes(path), answer.text)
    })

  test('400: names of sources that are none', async () => {
    for (const name of ['-', '.', 'a b', 'é', 'x'.repeat(101), '<b>', 'a?b', 'a#b'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const path = pathOf(name).slice(0, method === 'DELETE' ? -'/bindings'.length : undefined)
        const body = method === 'PUT' ? { body: { revision: 0, bindings: [] } } : {}
        const answer = await fixture.api.request(method, path, body)
        assert.deepEqual(answer.paths, ['source'], `${method} ${name}`)
      }
  })

  test('the audit log says that bindings changed, and how many there are', async () => {
    const { api, uuid } = await fixture.createOrganization()
    await write(api, 'shop', 0, [{ address: 'monitors.a' }])
    await api.delete('/api/ext/v1/sources/shop')
    const rows = await fixture.db.run<{ action: string; resource: string; detail: object }>(
      `select action, resource_id as resource, detail from audit_log where org_id = $1 order by at, id`,
      [uuid],
    )
    const own = rows.filter(({ resource }) => resource === 'shop')
    assert.deepEqual(
      own.map(({ action }) => action),
      ['putSourceBindings', 'deleteSource'],
    )
    assert.deepEqual(own[0]?.detail, { changes: [{ field: 'bindings', from: 0, to: 1 }] })
  })
})
