// Stored responses of idempotent requests have a quota in bytes: exact under concurrency, and freed by time alone.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
const { db } = fixture
after(() => fixture.stop())

const CRON = { name: 'Counted', type: 'CRON' }
const WRITES_AT_A_TIME = 4

const withKey = (key: string = randomUUID()) => ({ headers: { 'Idempotency-Key': key } })
const create = (api: Client, key?: string) => api.post('/monitors', CRON, withKey(key))

async function openOrganization(quotaBytes: number) {
  const organization = await fixture.createOrganization('UNLIMITED')
  await setQuota(organization.uuid, quotaBytes)
  return organization
}

const setQuota = (uuid: string, storedResponseBytes: number) =>
  db.run('update organizations set limit_overrides = $2 where id = $1', [
    uuid,
    { storedResponseBytes },
  ])

async function usageOf(uuid: string): Promise<{ counted: number; actual: number }> {
  const [row] = await db.run<{ counted: string; actual: string }>(
    `select coalesce((select bytes from stored_response_usage where org_id = $1), 0) as counted,
            coalesce(sum(stored_response_bytes(key, body, location)), 0) as actual
       from idempotency_records where org_id = $1`,
    [uuid],
  )
  return { counted: Number(row?.counted), actual: Number(row?.actual) }
}

async function fill(api: Client): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < 100) {
    const key = randomUUID()
    const answer = await create(api, key)
    if (answer.status !== 201) {
      assert.equal(answer.code, 'rate_limited')
      return keys
    }
    keys.push(key)
  }
  return assert.fail('never refused')
}

describe('the quota of stored responses', { concurrency: 4 }, () => {
  test('429 before it runs, with the time until there is room; replays, and requests without a key, go on', async () => {
    const { api, uuid } = await openOrganization(20_000)
    const keys = await fill(api)
    assert.ok(keys.length > 3, `${keys.length}`)
    const monitors = await db.count('monitors', 'org_id = $1', [uuid])
    assert.equal(monitors, keys.length)
    const refused = await create(api)
    assert.deepEqual([refused.status, refused.code], [429, 'rate_limited'])
    assert.match(refused.error.message, /without an Idempotency-Key/)
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait > 86_300 && wait <= 86_400, `${wait}`)
    assert.notEqual(refused.headers['ratelimit-remaining'], '0', 'the rate limit is not used up')
    assert.equal(await db.count('monitors', 'org_id = $1', [uuid]), monitors)
    assert.equal((await create(api, keys[0])).isReplayed, true)
    const { id } = (await api.post('/monitors', CRON)).json as { id: string }
    assert.equal((await api.delete(`/monitors/${id}`)).status, 200)
    for (const [method, path] of [
      ['PATCH', `/monitors/${id}`],
      ['DELETE', `/monitors/${id}`],
      ['POST', `/monitors/${id}/check`],
    ] as const) {
      const body = method === 'DELETE' ? {} : { body: {} }
      assert.equal((await api.request(method, path, { ...body, ...withKey() })).status, 429, method)
    }
  })

  test('Retry-After is true: one second too early it is refused, then it passes', async () => {
    const { api, uuid } = await openOrganization(12_000)
    const keys = await fill(api)
    // The oldest gives less than is needed: the second one decides.
    await db.run(
      `update idempotency_records set expires_at = now() + make_interval(secs => 2 + 2 * array_position($2, key))
        where org_id = $1`,
      [uuid, keys],
    )
    const { counted } = await usageOf(uuid)
    const [first] = await db.run<{ bytes: string }>(
      `select stored_response_bytes(key, body, location) as bytes from idempotency_records
        where org_id = $1 order by expires_at limit 1`,
      [uuid],
    )
    await setQuota(uuid, counted - Number(first?.bytes))
    const startedMs = performance.now()
    const wait = Number((await create(api)).headers['retry-after'])
    assert.ok(wait >= 5 && wait <= 6, `${wait}`)
    await new Promise((resolve) => setTimeout(resolve, (wait - 2) * 1000))
    assert.equal((await create(api)).status, 429)
    const left = wait * 1000 - (performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, left))
    assert.equal((await create(api)).status, 201)
  })

  test('200 at once with keys of their own pass the quota by less than what runs at a time', async () => {
    const { api, id, uuid } = await openOrganization(40_000)
    const keys = [api, api.as(await fixture.createKey(id))]
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => create(keys[at % 2] ?? api)),
    )
    const made = answers.filter(({ status }) => status === 201).length
    assert.equal(answers.filter(({ status }) => status === 429).length, 200 - made)
    const { counted, actual } = await usageOf(uuid)
    assert.equal(counted, actual)
    assert.ok(counted >= 40_000)
    const largest = Math.ceil(counted / made)
    assert.ok(counted <= 40_000 + WRITES_AT_A_TIME * largest, `${counted} bytes, ${made} made`)
  })

  test('a large response is refused with its write if it does not fit, and leaves nothing behind', async () => {
    const { api, uuid } = await openOrganization(300_000)
    const component = { name: '\u8a9e'.repeat(100), description: '\u8a9e'.repeat(500) }
    const sections = [{ name: 'All', components: Array.from({ length: 200 }, () => component) }]
    const large = () =>
      api.post(
        '/status-pages',
        { name: 'Large', slug: `large-${randomUUID()}`, sections },
        withKey(),
      )
    const refused = await large()
    assert.deepEqual([refused.status, refused.code], [429, 'rate_limited'])
    assert.equal(await db.count('status_pages', 'org_id = $1', [uuid]), 0)
    assert.deepEqual(await usageOf(uuid), { counted: 0, actual: 0 })
    await setQuota(uuid, 2_000_000)
    assert.equal((await large()).status, 201)
    const { counted, actual } = await usageOf(uuid)
    assert.equal(counted, actual)
    assert.ok(counted > 300_000 && counted < 2_000_000, `${counted}`)
  })

  test('what expires is counted no longer, deleted or not, and others are not concerned', async () => {
    const { api, uuid } = await openOrganization(12_000)
    const other = await openOrganization(12_000)
    await fill(api)
    assert.equal((await create(other.api)).status, 201)
    await db.run('update idempotency_records set expires_at = now() where org_id = $1', [uuid])
    assert.equal((await create(api)).status, 201)
    await db.run('delete from idempotency_records where org_id = $1 and expires_at <= now()', [
      uuid,
    ])
    const { counted, actual } = await usageOf(uuid)
    assert.equal(counted, actual)
    await fill(api)
    const others = await usageOf(other.uuid)
    assert.equal(others.counted, others.actual)
    assert.ok(others.counted > 0)
  })
})
