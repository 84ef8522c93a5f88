// Clients that keep sending requests without a valid key are slowed down, each address separately. Clients with a key
// are not.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'

const GUARD = 'UNAUTHENTICATED_LIMIT_PER_MINUTE'
const fixture = await startProduct({ own: true })
after(() => fixture.stop())
const anonymous = { key: null }
const from = (address: string) => ({ key: null, headers: { 'X-Forwarded-For': address } })

test('429 without a key: after five refusals the address must wait; a key still passes', async () => {
  const api = await fixture.startApi({ [GUARD]: '5' })
  for (let i = 0; i < 5; i++) assert.equal((await api.get('/monitors', anonymous)).status, 401)
  const refused = await api.get('/monitors', anonymous)
  assert.equal(refused.code, 'rate_limited')
  assert.ok(Number(refused.headers['retry-after']) >= 50)
  assert.equal(refused.headers['ratelimit-remaining'], '0')
  assert.equal(refused.headers['ratelimit-reset'], refused.headers['retry-after'])
  assert.equal((await api.get('/monitors', { key: fixture.keys.expired })).code, 'rate_limited')
  assert.equal((await api.request('POST', '/nothing', anonymous)).code, 'rate_limited')
  assert.equal((await api.get('/monitors')).status, 200)
  assert.equal((await api.post('/monitors', { name: 'x', type: 'CRON' })).status, 201)
})

test('429 without a key: a made-up X-Forwarded-For is no way around it', async () => {
  const api = await fixture.startApi({ [GUARD]: '5' })
  for (let i = 0; i < 5; i++)
    assert.equal((await api.get('/monitors', from(`192.0.2.${i}`))).status, 401)
  assert.equal((await api.get('/monitors', from('192.0.2.99'))).code, 'rate_limited')
})

test('429 without a key: behind a trusted proxy the client is counted, not the proxy', async () => {
  const api = await fixture.startApi({ [GUARD]: '2', TRUSTED_PROXIES: '127.0.0.1' })
  for (let i = 0; i < 2; i++)
    assert.equal((await api.get('/monitors', from('192.0.2.1'))).status, 401)
  assert.equal((await api.get('/monitors', from('192.0.2.1'))).status, 429)
  assert.equal((await api.get('/monitors', from('192.0.2.2'))).status, 401)
  // Everything before the last hop was written by the client.
  assert.equal((await api.get('/monitors', from('192.0.2.9, 192.0.2.1'))).status, 429)
})

test('401 without a key: 0 turns the guard off', async () => {
  const api = await fixture.startApi({ [GUARD]: '0' })
  const all = await Promise.all(Array.from({ length: 50 }, () => api.get('/monitors', anonymous)))
  assert.ok(all.every((answer) => answer.status === 401))
})
