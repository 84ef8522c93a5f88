// The order of checks is part of the contract: a request with two mistakes gets the error of the earlier check.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hashKey } from '../kit/api-key.ts'
import type { Client } from '../kit/client.ts'
import { type Organization, startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
const { api, db, keys, orgId } = fixture
after(() => fixture.stop())

const cron = { name: 'x', type: 'CRON' }
const BAD_KEY = { 'Idempotency-Key': 'not a key' }
const readOnly = api.as(keys.readOnly)

let limited: Client
let limitedKey: string
let lapsed: Organization
let lapsedMonitor: string
let free: Organization
let freeMonitor: string
const used = `used-${randomUUID()}`

before(async () => {
  limitedKey = await fixture.createKey(orgId)
  limited = api.as(limitedKey)
  await limited.get('/monitors')
  await db.run(
    `update api_key_windows set used = 2000000
      where key_id = (select id from api_keys where hash = $1)`,
    [hashKey(limitedKey)],
  )
  free = await fixture.createOrganization('FREE')
  freeMonitor = (await free.api.createMonitor({ ...cron, url: 'https://a.example/', type: 'HTTP' }))
    .id
  lapsed = await fixture.createOrganization('FREE')
  lapsedMonitor = (await lapsed.api.createMonitor()).id
  await lapsed.api.post(`/monitors/${lapsedMonitor}/pause`, {})
  await lapsed.api.post('/monitors', cron, { headers: { 'Idempotency-Key': used } })
  await db.run(`update subscriptions set status = 'NONE' where org_id = $1`, [lapsed.uuid])
})

describe('order of checks', { concurrency: 8 }, () => {
  test('401 before 429: a key over its limit that is disabled', async () => {
    const key = await fixture.createKey(orgId)
    const client = api.as(key)
    await client.get('/monitors')
    await db.run(
      `update api_key_windows set used = 2000000
        where key_id = (select id from api_keys where hash = $1)`,
      [hashKey(key)],
    )
    assert.equal((await client.get('/monitors')).code, 'rate_limited')
    await db.run('update api_keys set disabled_at = now() where hash = $1', [hashKey(key)])
    assert.equal((await client.get('/monitors')).code, 'unauthorized')
  })

  test('401 before 404 and 405: no key, and nothing there', async () => {
    assert.equal((await api.get('/nothing', { key: null })).code, 'unauthorized')
    assert.equal((await api.request('PUT', '/monitors', { key: null })).code, 'unauthorized')
  })

  test('429 before 404 and 405', async () => {
    assert.equal((await limited.get('/nothing')).code, 'rate_limited')
    assert.equal((await limited.request('PUT', '/monitors')).code, 'rate_limited')
  })

  test('404 and 405 before 403: a read-only key where nothing is, or not for this method', async () => {
    assert.equal((await readOnly.post('/nothing', {})).code, 'not_found')
    const answer = await readOnly.request('PUT', '/monitors')
    assert.deepEqual([answer.code, answer.headers['allow']], ['method_not_allowed', 'GET, POST'])
  })

  test('405 before 400: a malformed id, key and body on a method that is not there', async () => {
    const ask = { rawBody: '{', headers: BAD_KEY }
    assert.equal((await api.request('PUT', '/monitors/%', ask)).code, 'method_not_allowed')
  })

  test('403 before 400 invalid_idempotency_key and before validation', async () => {
    const ask = { rawBody: '{', headers: BAD_KEY }
    assert.equal((await readOnly.request('POST', '/monitors', ask)).code, 'forbidden')
    assert.equal((await readOnly.request('POST', '/monitors', { rawBody: '{' })).code, 'forbidden')
    assert.equal((await readOnly.patch('/monitors/%', {})).code, 'forbidden')
  })

  test('403 before 404: a read-only key and an unknown id', async () => {
    assert.equal((await readOnly.delete('/monitors/mon_unknown')).code, 'forbidden')
  })

  test('400 invalid_idempotency_key before 400 validation_error', async () => {
    const rows: [method: string, path: string, rawBody: string][] = [
      ['POST', '/monitors', '{'],
      ['POST', '/monitors?limit=0', '{}'],
      ['PATCH', '/monitors/%', '[]'],
      ['DELETE', '/monitors/%', ''],
    ]
    for (const [method, path, rawBody] of rows) {
      const answer = await api.request(method, path, { rawBody, headers: BAD_KEY })
      assert.equal(answer.code, 'invalid_idempotency_key', `${method} ${path}`)
    }
  })

  test('400 validation before idempotency: an invalid body with a key that was used', async () => {
    const headers = { 'Idempotency-Key': `first-${randomUUID()}` }
    assert.equal((await api.post('/monitors', cron, { headers })).status, 201)
    const answer = await api.post('/monitors', { ...cron, name: '' }, { headers })
    assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'name'])
    const notJson = await api.request('POST', '/monitors', { rawBody: '{', headers })
    assert.deepEqual(notJson.paths, ['body'])
  })

  test('401 and 403 before the replay', async () => {
    const headers = { 'Idempotency-Key': `guarded-${randomUUID()}` }
    await api.post('/monitors', cron, { headers })
    assert.equal((await readOnly.post('/monitors', cron, { headers })).code, 'forbidden')
    const expired = await api.post('/monitors', cron, { headers, key: keys.expired })
    assert.equal(expired.code, 'unauthorized')
  })

  test('the replay, and 409 idempotency_conflict, before 422 subscription_required', async () => {
    const headers = { 'Idempotency-Key': used }
    const replay = await lapsed.api.post('/monitors', cron, { headers })
    assert.deepEqual([replay.status, replay.isReplayed], [201, true])
    const other = await lapsed.api.post('/monitors', { ...cron, name: 'y' }, { headers })
    assert.equal(other.code, 'idempotency_conflict')
    const fresh = await lapsed.api.post('/monitors', cron)
    assert.equal(fresh.code, 'subscription_required')
  })

  test('400 validation before 422 subscription_required', async () => {
    assert.equal((await lapsed.api.post('/monitors', {})).code, 'validation_error')
  })

  test('422 subscription_required before 404', async () => {
    const answers = [
      await lapsed.api.patch('/monitors/mon_unknown', {}),
      await lapsed.api.post('/monitors/mon_unknown/pause', {}),
      await lapsed.api.post('/incidents/inc_unknown/acknowledge'),
    ]
    for (const { code } of answers) assert.equal(code, 'subscription_required')
    assert.equal((await lapsed.api.delete('/monitors/mon_unknown')).code, 'not_found')
  })

  test('422 subscription_required before 400 of the whole resource and before 422 plan_limit', async () => {
    const patch = (body: unknown) => lapsed.api.patch(`/monitors/${lapsedMonitor}`, body)
    assert.equal((await patch({ type: 'PORT' })).code, 'subscription_required')
    assert.equal((await patch({ intervalSeconds: 30 })).code, 'subscription_required')
    const faster = { ...cron, intervalSeconds: 30 }
    assert.equal((await lapsed.api.post('/monitors', faster)).code, 'subscription_required')
  })

  test('400 of the body before 404: an invalid body and an unknown id', async () => {
    assert.equal((await api.patch('/monitors/mon_unknown', { name: '' })).code, 'validation_error')
    assert.equal((await api.post('/monitors/mon_unknown/pause', { a: 1 })).code, 'validation_error')
  })

  test('404 before 400 of the whole resource: a valid body and an unknown id', async () => {
    assert.equal((await api.patch('/monitors/mon_unknown', { type: 'PORT' })).code, 'not_found')
    const foreign = await api.patch(`/monitors/${freeMonitor}`, { type: 'PORT' })
    assert.equal(foreign.code, 'not_found')
  })

  test('400, 403, 404 and 422 before 409: a paused monitor is asked to be checked', async () => {
    const { id } = await api.createMonitor()
    await api.post(`/monitors/${id}/pause`, {})
    const path = `/monitors/${id}/check`
    assert.equal((await api.post(path, {})).code, 'conflict')
    assert.equal((await api.post(path, { a: 1 })).code, 'validation_error')
    assert.equal((await api.post(path, {}, { headers: BAD_KEY })).code, 'invalid_idempotency_key')
    assert.equal((await readOnly.post(path, {})).code, 'forbidden')
    assert.equal((await api.as(keys.otherOrganization).post(path, {})).code, 'not_found')
    const none = await lapsed.api.post(`/monitors/${lapsedMonitor}/check`, {})
    assert.equal(none.code, 'subscription_required')
    const headers = { 'Idempotency-Key': `paused-${randomUUID()}` }
    await api.post('/monitors', cron, { headers })
    assert.equal((await api.post(path, {}, { headers })).code, 'idempotency_conflict')
  })

  test('404 before 422 plan_limit', async () => {
    const answer = await free.api.patch('/monitors/mon_unknown', { intervalSeconds: 30 })
    assert.equal(answer.code, 'not_found')
  })

  test('400 of the whole resource before 422 plan_limit', async () => {
    const path = `/monitors/${freeMonitor}`
    const answer = await free.api.patch(path, { type: 'PORT', intervalSeconds: 30 })
    assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'host', 'port'])
    assert.equal((await free.api.patch(path, { intervalSeconds: 30 })).code, 'plan_limit')
    const create = await free.api.post('/monitors', {
      name: 'x',
      type: 'PORT',
      intervalSeconds: 30,
    })
    assert.deepEqual(create.paths, ['host', 'port'])
  })

  test('the replay before 404 and before 422 plan_limit', async () => {
    const owner = await fixture.createOrganization('FREE')
    const headers = { 'Idempotency-Key': `kept-${randomUUID()}` }
    const { monitor } = await owner.api.post('/monitors', cron, { headers })
    await Promise.all(Array.from({ length: 19 }, () => owner.api.createMonitor()))
    assert.equal((await owner.api.post('/monitors', cron)).code, 'plan_limit')
    assert.equal((await owner.api.post('/monitors', cron, { headers })).isReplayed, true)

    const removal = { headers: { 'Idempotency-Key': `removed-${randomUUID()}` } }
    await owner.api.delete(`/monitors/${monitor.id}`, removal)
    const again = await owner.api.delete(`/monitors/${monitor.id}`, removal)
    assert.deepEqual([again.status, again.isReplayed], [200, true])
    assert.equal((await owner.api.delete(`/monitors/${monitor.id}`)).code, 'not_found')
  })

  test('every problem of path, query and body is named in one 400', async () => {
    const answer = await api.request('PATCH', '/monitors/%zz', { body: { name: '', port: 0 } })
    assert.deepEqual(answer.paths.toSorted(), ['monitorId', 'name', 'port'])
  })
})
