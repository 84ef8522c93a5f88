import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { COMPLETE } from '../kit/monitor-fields.ts'

const fixture = await startProduct()
const { api, db } = fixture
after(() => fixture.stop())

const TOTAL = 30
const made: string[] = []
for (let i = 0; i < TOTAL; i++) made.push((await api.createMonitor({ name: `M${i}` })).id)
const newestFirst = made.toReversed()

const idsOf = async (query: string, client = api) =>
  (await client.get(`/monitors${query}`)).monitors.data.map((monitor) => monitor.id)

describe('listMonitors: pages', { concurrency: 8 }, () => {
  test('listMonitors 200: 25 from the start unless asked otherwise, newest first', async () => {
    const { data, pagination } = (await api.get('/monitors')).monitors
    assert.deepEqual(pagination, { limit: 25, offset: 0, total: TOTAL })
    assert.deepEqual(
      data.map((monitor) => monitor.id),
      newestFirst.slice(0, 25),
    )
  })

  test('listMonitors 200: paging until offset + limit reaches total sees each monitor once', async () => {
    for (const limit of [1, 7, 10, 29, 30, 31, 100]) {
      const seen: string[] = []
      for (let offset = 0, total = 1; offset < total; offset += limit) {
        const page = (await api.get(`/monitors?limit=${limit}&offset=${offset}`)).monitors
        assert.deepEqual(page.pagination, { limit, offset, total: TOTAL })
        seen.push(...page.data.map((monitor) => monitor.id))
        total = page.pagination.total
      }
      assert.deepEqual(seen, newestFirst, `limit ${limit}`)
    }
  })

  test('listMonitors 200: past the end there is no data and the true total', async () => {
    for (const offset of [30, 31, 99_999, 100_000]) {
      const { data, pagination } = (await api.get(`/monitors?offset=${offset}`)).monitors
      assert.deepEqual([data, pagination], [[], { limit: 25, offset, total: TOTAL }])
    }
  })

  test('listMonitors 200: an item is what getMonitor answers', async () => {
    const { data } = (await api.get('/monitors?limit=1')).monitors
    assert.deepEqual(data[0], await api.getMonitor(newestFirst[0] ?? ''))
  })

  const bad = ['', '-1', '+5', '1.0', '1e1', '0x10', '05', '00', '%205', '5%20', 'ten', '٣', '１']
  const rows: [name: string, good: string[], outside: string[]][] = [
    ['limit', ['1', '100', '%31%30'], ['0', '101', '1000', '9007199254740993', ...bad]],
    ['offset', ['0', '100000'], ['100001', '1'.repeat(400), '-0', ...bad]],
  ]
  for (const path of ['/monitors', '/incidents'])
    for (const [name, good, outside] of rows) {
      test(`GET ${path} 200: ${name} just inside its bounds`, async () => {
        for (const value of good)
          assert.equal((await api.get(`${path}?${name}=${value}`)).status, 200, value)
      })
      test(`GET ${path} 400: ${name} outside its bounds or in another form, path ${name}`, async () => {
        for (const value of outside) {
          const answer = await api.get(`${path}?${name}=${encodeURI(decodeURIComponent(value))}`)
          assert.deepEqual([answer.code, ...answer.paths], ['validation_error', name], value)
        }
      })
      test(`GET ${path} 400: ${name} twice, without a value, or badly encoded`, async () => {
        const queries = [
          `${name}=5&${name}=5`,
          `${name}`,
          `${name}=%`,
          `${name}=%zz`,
          `${name}=%ff`,
        ]
        for (const query of queries) {
          const answer = await api.get(`${path}?${query}`)
          assert.deepEqual(
            [answer.code, ...new Set(answer.paths)],
            ['validation_error', name],
            query,
          )
        }
      })
    }

  test('listMonitors 400: both problems are named', async () => {
    const { paths } = await api.get('/monitors?limit=0&offset=-1&state=up')
    assert.deepEqual(paths.toSorted(), ['limit', 'offset', 'state'])
  })

  test('listMonitors 200: unknown parameters are ignored, whatever they hold', async () => {
    const queries = ['?', '?&&', '?x=1&x=2', '?__proto__=1&constructor=2', '?%=%', '?LIMIT=0', '?=']
    for (const query of queries)
      assert.equal((await api.get(`/monitors${query}`)).status, 200, query)
  })
})

describe('listMonitors: filters', { concurrency: 8 }, async () => {
  const { api: owner, id: orgId } = await fixture.createOrganization()
  const create = async (fields: Record<string, unknown>, state = 'PENDING') => {
    const { id } = await owner.createMonitor(fields)
    if (state !== 'PENDING') await db.setMonitorStatus(id, { state })
    return id
  }
  const shop = { ...COMPLETE, name: 'Shop 100%', type: 'HTTP', url: 'https://shop.example/a_b' }
  const ids = {
    shop: await create(shop, 'UP'),
    blog: await create({
      name: 'Blog',
      type: 'KEYWORD',
      url: 'https://blog.example',
      keyword: 'k',
    }),
    ping: await create({ name: 'Router', type: 'PING', host: 'Gateway.example' }, 'DOWN'),
    cron: await create({ name: 'Back\\up ÄÖ' }, 'DEGRADED'),
  }
  const rows: [query: string, expected: string[]][] = [
    ['type=HTTP', [ids.shop]],
    ['type=CRON,PING', [ids.cron, ids.ping]],
    ['type=DNS', []],
    ['state=UP', [ids.shop]],
    ['state=DOWN,DEGRADED,UP', [ids.cron, ids.ping, ids.shop]],
    ['state=PAUSED', []],
    ['type=HTTP,PING&state=DOWN', [ids.ping]],
    ['type=CRON&type=PING', [ids.cron, ids.ping]],
    ['type=HTTP,CRON&limit=9&type=PING', [ids.cron, ids.ping, ids.shop]],
    ['type=HTTP&type=HTTP', [ids.shop]],
    ['state=UP&type=HTTP&state=DOWN&type=PING', [ids.ping, ids.shop]],
    ['q=shop', [ids.shop]],
    ['q=SHOP.EXAMPLE', [ids.shop]],
    ['q=gateway', [ids.ping]],
    ['q=.example', [ids.ping, ids.blog, ids.shop]],
    ['q=%25', [ids.shop]],
    ['q=a_b', [ids.shop]],
    ['q=_', [ids.shop]],
    ['q=%5C', [ids.cron]],
    ['q=%C3%84%C3%B6', [ids.cron]],
    ['q=shop+100', [ids.shop]],
    ['q=nothing', []],
    ['q=example&type=PING&state=DOWN', [ids.ping]],
    [`q=${'x'.repeat(100)}`, []],
    [`q=${encodeURIComponent('😀'.repeat(100))}`, []],
  ]
  for (const [query, expected] of rows)
    test(`listMonitors 200: ${query.slice(0, 60)} finds ${expected.length}`, async () => {
      const { data, pagination } = (await owner.get(`/monitors?${query}`)).monitors
      assert.deepEqual(
        data.map((monitor) => monitor.id),
        expected,
      )
      assert.equal(pagination.total, expected.length)
    })

  test('listMonitors 200: total counts after filters, also past the end', async () => {
    const { data, pagination } = (await owner.get('/monitors?q=example&offset=5')).monitors
    assert.deepEqual([data.length, pagination.total], [0, 3])
    assert.deepEqual(await idsOf('?q=example&limit=1&offset=1', owner), [ids.blog])
  })

  const refused: [query: string, path: string][] = [
    ['type=', 'type'],
    ['type=http', 'type'],
    ['type=HTTP,', 'type'],
    ['type=HTTP,,PING', 'type'],
    ['type=HTTP,OTHER', 'type'],
    ['type=HTTP%20', 'type'],
    ['state=ONLINE', 'state'],
    ['state=', 'state'],
    ['q=', 'q'],
    [`q=${'x'.repeat(101)}`, 'q'],
    [`q=${encodeURIComponent('😀'.repeat(101))}`, 'q'],
    ['q=%00', 'q'],
    ['q=%ED%A0%80', 'q'],
    ['q=a&q=b', 'q'],
    ['type=HTTP&type=', 'type'],
    ['type=HTTP&type=OTHER', 'type'],
    ['type=HTTP&type=%', 'type'],
  ]
  for (const [query, path] of refused)
    test(`listMonitors 400: ${query.slice(0, 60)}, path ${path}`, async () => {
      const answer = await owner.get(`/monitors?${query}`)
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', path])
    })

  test('listMonitors 200: the organization in the query changes nothing', async () => {
    const demo = fixture.orgId
    assert.equal((await idsOf(`?organizationId=${demo}&org_id=${demo}`, owner)).length, 4)
    assert.equal(
      (await api.get(`/monitors?organizationId=${orgId}`)).monitors.pagination.total,
      TOTAL,
    )
  })
})

describe('listMonitors: order and total', () => {
  test('listMonitors 200: at one instant the higher id comes first', async () => {
    const { api: owner } = await fixture.createOrganization()
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push((await owner.createMonitor()).id)
    const at = new Date('2026-01-01T00:00:00Z')
    await db.run('update monitors set created_at = $1 where id = any ($2)', [
      at,
      ids.slice(0, 4).map(toUuid),
    ])
    const tied = ids.slice(0, 4).toSorted().toReversed()
    assert.deepEqual(await idsOf('', owner), [ids[5], ids[4], ...tied])
    assert.deepEqual(await idsOf('?limit=2&offset=3', owner), tied.slice(1, 3))
  })

  test('listMonitors 200: total follows creates, refusals and deletes', async () => {
    const { api: owner } = await fixture.createOrganization()
    const total = async () => (await owner.get('/monitors')).monitors.pagination.total
    assert.equal(await total(), 0)
    const all = await Promise.all(Array.from({ length: 5 }, () => owner.createMonitor()))
    await owner.post('/monitors', { name: 'x', type: 'HTTP' })
    assert.equal(await total(), 5)
    await Promise.all(all.slice(0, 3).map(({ id }) => owner.delete(`/monitors/${id}`)))
    assert.equal(await total(), 2)
    await owner.post(`/monitors/${all[4]?.id}/pause`, {})
    assert.equal(await total(), 2)
  })
})
