import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashKey, makeKey, withChecksum } from '../kit/api-key.ts'
import type { ApiRequest } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
const { api, db, keys, orgId } = fixture
after(() => fixture.stop())

const bearer = (value: string): ApiRequest => ({ key: null, headers: { Authorization: value } })
const stop = (key: string, column: string) =>
  db.run(`update api_keys set ${column} = now() where hash = $1`, [hashKey(key)])

describe('authentication: what is a key', { concurrency: 8 }, () => {
  const passes: [name: string, ask: ApiRequest][] = [
    ['X-API-Key', { key: keys.full }],
    ['x-api-key in lower case', { key: null, headers: { 'x-api-key': keys.full } }],
    ['X-API-KEY in upper case', { key: null, headers: { 'X-API-KEY': keys.full } }],
    ['Bearer', bearer(`Bearer ${keys.full}`)],
    ['bearer', bearer(`bearer ${keys.full}`)],
    ['BEARER', bearer(`BEARER ${keys.full}`)],
    ['a read-only key', { key: keys.readOnly }],
    ['a second key of the organization', { key: keys.full2 }],
  ]
  for (const [name, ask] of passes)
    test(`listMonitors 200: ${name} is let in`, async () => {
      assert.equal((await api.get('/monitors', ask)).status, 200)
    })

  const { full } = keys
  const swapped = swapTwo(full)
  const both = { key: full, headers: { Authorization: `Bearer ${full}` } }
  const otherCase = full.slice(4).replace(/[a-z]/, (c) => c.toUpperCase())
  const refusals: [name: string, ask: ApiRequest, path?: string][] = [
    ['no key', { key: null }],
    ['an empty X-API-Key', { key: '' }],
    ['X-API-Key twice', { key: null, headers: { 'X-API-Key': [full, full] } }],
    ['the key without a scheme', bearer(full)],
    ['Basic', bearer(`Basic ${Buffer.from(`${full}:`).toString('base64')}`)],
    ['Token', bearer(`Token ${full}`)],
    ['ApiKey', bearer(`ApiKey ${full}`)],
    ['Bearer without a key', bearer('Bearer')],
    ['Bearer with a blank only', bearer('Bearer ')],
    ['Bearer joined to the key', bearer(`Bearer${full}`)],
    ['Bearer with two keys', bearer(`Bearer ${full} ${full}`)],
    ['Bearer with a list', bearer(`Bearer ${full}, Bearer ${full}`)],
    ['Bearer inside X-API-Key', { key: `Bearer ${full}` }],
    ['an expired key', { key: keys.expired }],
    ['a disabled key', { key: keys.disabled }],
    ['a key nobody has', { key: makeKey() }],
    ['a key with two characters swapped', { key: swapped }],
    ['a key in another case', { key: `upv_${otherCase}` }],
    ['a key with another prefix', { key: withChecksum(`upw_${full.slice(4, 36)}`) }],
    ['a key that is too short', { key: full.slice(0, -1) }],
    ['a key that is too long', { key: `${full}0` }],
    ['a very long key', { key: 'upv_'.padEnd(8000, 'x') }],
    ['a key in quotes', { key: `"${full}"` }],
    ['an SQL text', { key: "' or 1=1 --" }],
    [
      'a key in the query',
      { key: null },
      `/monitors?api_key=${full}&key=${full}&X-API-Key=${full}`,
    ],
    ['a key in the body', { key: null, body: { apiKey: full } }],
    ['a key in a cookie', { key: null, headers: { Cookie: `X-API-Key=${full}; session=${full}` } }],
  ]
  const texts = new Set<string>()
  for (const [name, ask, path = '/monitors'] of refusals)
    test(`listMonitors 401: ${name}`, async () => {
      const answer = await api.get(path, ask)
      assert.equal(answer.code, 'unauthorized')
      texts.add(answer.text.replace(answer.requestId, ''))
      assert.equal(texts.size, 1, 'every 401 has the same body, whatever is wrong')
    })

  const bothPresent: [name: string, ask: ApiRequest][] = [
    ['with one key', both],
    ['with two keys', { ...both, key: keys.full2 }],
    ['one of them empty', { ...both, key: '' }],
    ['one of them with another scheme', { key: full, headers: { Authorization: 'Basic x' } }],
    ['both unknown', { key: makeKey(), headers: { Authorization: `Bearer ${makeKey()}` } }],
  ]
  for (const [name, ask] of bothPresent)
    test(`listMonitors 401: both headers, ${name}: the message says so`, async () => {
      const { code, error } = await api.get('/monitors', ask)
      assert.equal(code, 'unauthorized')
      assert.equal(error.message, 'Send X-API-Key or Authorization, not both')
    })

  test('401 on every path and method, known or not: authentication comes first', async () => {
    const paths = [
      '/monitors',
      '/monitors/x',
      '/nothing',
      '',
      '/',
      '/monitors/%',
      '/incidents?limit=0',
    ]
    for (const path of paths)
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']) {
        const answer = await api.request(method, `/api/v1${path}`, { key: null })
        assert.equal(answer.code, 'unauthorized', `${method} ${path}`)
      }
    assert.equal((await api.request('HEAD', '/monitors', { key: null })).status, 401)
  })
})

describe('authentication: a key that stops', { concurrency: 8 }, () => {
  const stops: [name: string, column: string][] = [
    ['disabled', 'disabled_at'],
    ['revoked', 'revoked_at'],
    ['expired', 'expires_at'],
  ]
  for (const [name, column] of stops)
    test(`listMonitors 401: a key is refused with the first request after it was ${name}`, async () => {
      const key = await fixture.createKey(orgId)
      const process2 = api.as(key)
      assert.equal((await process2.get('/monitors')).status, 200)
      await stop(key, column)
      assert.equal((await process2.get('/monitors')).code, 'unauthorized')
      await db.run(`update api_keys set ${column} = null where hash = $1`, [hashKey(key)])
      assert.equal((await process2.get('/monitors')).status, 200)
    })

  test('listMonitors 401: a key works until its expiry, and not from then on', async () => {
    const expiresAt = new Date(Date.now() + 1500)
    const client = api.as(await fixture.createKey(orgId, { expiresAt }))
    assert.equal((await client.get('/monitors')).status, 200)
    await new Promise((resolve) => setTimeout(resolve, Number(expiresAt) - Date.now() + 20))
    assert.equal((await client.get('/monitors')).code, 'unauthorized')
  })

  test('listMonitors 401: the keys of a deleted organization', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    assert.equal((await owner.get('/monitors')).status, 200)
    await db.run('update organizations set deleted_at = now() where id = $1', [uuid])
    assert.equal((await owner.get('/monitors')).code, 'unauthorized')
  })

  test('listMonitors 403: a key that becomes read-only is read-only at once', async () => {
    const key = await fixture.createKey(orgId)
    const client = api.as(key)
    await client.createMonitor()
    await db.run(`update api_keys set access = 'READ_ONLY' where hash = $1`, [hashKey(key)])
    assert.equal((await client.post('/monitors', { name: 'x', type: 'CRON' })).code, 'forbidden')
  })
})

describe('authentication: access', { concurrency: 8 }, () => {
  const readOnly = api.as(keys.readOnly)
  const secret = { requestHeaders: { Authorization: 'secret' }, requestBody: 'secret' }

  test('a read-only key lists and gets every resource whole, credentials included', async () => {
    const made = await api.createMonitor(secret)
    assert.deepEqual(await readOnly.getMonitor(made.id), made)
    assert.equal((await readOnly.get('/monitors?limit=1')).status, 200)
    assert.equal((await readOnly.get('/incidents')).status, 200)
    assert.equal((await readOnly.request('HEAD', `/monitors/${made.id}`)).status, 200)
  })

  const writes: [method: string, path: string, body?: unknown][] = [
    ['POST', '/monitors', { name: 'x', type: 'CRON' }],
    ['PATCH', '/monitors/{id}', { name: 'x' }],
    ['DELETE', '/monitors/{id}'],
    ['POST', '/monitors/{id}/pause', {}],
    ['POST', '/monitors/{id}/resume', {}],
    ['POST', '/monitors/{id}/check', {}],
    ['POST', '/incidents/{id}/acknowledge'],
  ]
  for (const [method, path, body] of writes)
    test(`${method} ${path} 403: a read-only key changes nothing`, async () => {
      const made = await api.createMonitor(secret)
      for (const id of [made.id, 'mon_unknown']) {
        const answer = await readOnly.request(method, path.replace('{id}', id), { body })
        assert.equal(answer.code, 'forbidden')
      }
      assert.deepEqual(await api.getMonitor(made.id), made)
    })

  test('the same monitor is seen by every key of its organization', async () => {
    const made = await api.as(keys.full2).createMonitor()
    assert.deepEqual(await api.getMonitor(made.id), made)
  })

  test('X-Request-Id of the client is never taken over', async () => {
    const headers = { 'X-Request-Id': 'req_00000000000000000000000000' }
    const answer = await api.get('/monitors', { headers })
    assert.notEqual(answer.requestId, headers['X-Request-Id'])
  })
})

describe('authentication: what a wrong key costs', () => {
  test('a key whose checksum is wrong is refused without a query', async () => {
    const wrong = `${keys.full.slice(0, -6)}000000`
    const right = await db.holding('lock table api_keys in access exclusive mode', [], async () => {
      const waiting = api.get('/monitors')
      assert.equal((await api.get('/monitors', { key: wrong })).code, 'unauthorized')
      assert.equal((await api.get('/monitors', { key: null })).code, 'unauthorized')
      const answered = await Promise.race([
        waiting,
        new Promise((r) => setTimeout(r, 300, 'waits')),
      ])
      assert.equal(answered, 'waits', 'a sound key does need the query')
      return { answer: waiting }
    })
    assert.equal((await right.answer).status, 200)
  })
})

/** Swaps two neighboring characters that differ: swapping equal ones would change nothing. */
function swapTwo(key: string): string {
  const [at] = [...key].keys().filter((i) => i >= 10 && key.charAt(i) !== key.charAt(i + 1))
  assert.ok(at !== undefined)
  return key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
}
