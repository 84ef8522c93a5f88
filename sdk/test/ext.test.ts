// The extension API in the client: lists by cursor, several ids in a path, and queries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UpvaneError } from '../src/index.ts'
import { send, startServer } from './server.ts'

test('a list by cursor follows next to the end, and every item comes once', async (t) => {
  const pages: Record<string, object> = {
    '': { data: [{ id: 'mon_3' }, { id: 'mon_2' }], next: 'mon_2' },
    mon_2: { data: [{ id: 'mon_1' }], next: null },
  }
  const { client, exchanges } = await startServer(t, ({ url }, response) => {
    const cursor = new URL(url, 'http://x').searchParams.get('cursor') ?? ''
    send(response, { body: pages[cursor] })
  })
  const seen: string[] = []
  for await (const { id } of client().ext.monitors.list({ tag: ['a', 'b'] })) seen.push(id)
  assert.deepEqual(seen, ['mon_3', 'mon_2', 'mon_1'])
  assert.deepEqual(
    exchanges.map(({ url }) => decodeURIComponent(url)),
    [
      '/api/ext/v1/monitors?tag=a,b&limit=1000',
      '/api/ext/v1/monitors?tag=a,b&limit=1000&cursor=mon_2',
    ],
  )
  const page = await client().ext.monitors.list().page({ limit: 1, next: 'mon_2' })
  assert.equal(page.next, null)
  await assert.rejects(client().ext.monitors.list().all({ max: 2 }), UpvaneError)
})

test('the check log continues with before', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) =>
    send(response, { body: { data: [], next: null } }),
  )
  const from = new Date('2026-11-14T00:00:00.000Z')
  await client().ext.monitors.checks('mon_1', { from, outcome: 'FAILED' }).page({ next: 'x' })
  assert.equal(
    decodeURIComponent(exchanges[0]?.url ?? ''),
    '/api/ext/v1/monitors/mon_1/checks?from=2026-11-14T00:00:00.000Z&outcome=FAILED&before=x',
  )
})

test('ids fill a path in order, and none of them can become another path', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) => send(response, {}))
  const { ext } = client()
  await ext.alertContacts.attach('act_1', 'mon_1')
  await ext.monitors.removeTag('mon_1', 'a/b')
  await ext.sources.bindings('shop/upvane.yaml')
  await ext.sources.putBindings('shop', { revision: 0, bindings: [] })
  await ext.monitors.uptime('mon_1', { windows: '24h' })
  await ext.organization.overview()
  assert.deepEqual(
    exchanges.map(({ method, url, body }) => [method, url, body].join(' ').trimEnd()),
    [
      'PUT /api/ext/v1/alert-contacts/act_1/monitors/mon_1',
      'DELETE /api/ext/v1/monitors/mon_1/tags/a%2Fb',
      'GET /api/ext/v1/sources/shop%2Fupvane.yaml/bindings',
      'PUT /api/ext/v1/sources/shop/bindings {"revision":0,"bindings":[]}',
      'GET /api/ext/v1/monitors/mon_1/uptime?windows=24h',
      'GET /api/ext/v1/overview',
    ],
  )
  for (const wrong of ['', '.', '..'])
    await assert.rejects(async () => ext.alertContacts.attach('act_1', wrong), TypeError)
})
