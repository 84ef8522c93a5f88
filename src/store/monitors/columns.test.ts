import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import type { Tenant } from '../core/tenants.ts'
import { settingsParameters, settingsValues, toMonitor } from './columns.ts'

const ORG_ID = '019aa000-0000-7000-8000-0000000000aa'
const secrets = {
  requestHeaders: { Authorization: 'Bearer canary' },
  requestBody: 'canary',
  heartbeatToken: 'canary',
}

/** Its cipher reverses the text and counts how often it is requested. */
function openTenant() {
  const used = { ciphers: 0 }
  const reversed = (text: string) => [...text].toReversed().join('')
  const tenant: Tenant = {
    orgId: ORG_ID,
    query: () => Promise.reject(new Error('No query is needed')),
    cipher: async () => {
      used.ciphers++
      return {
        seal: ({ column }, plain) => Buffer.from(`${column} ${reversed(plain)}`),
        unseal: ({ column }, value) => reversed(value.toString().slice(column.length + 1)),
      }
    },
  }
  return { tenant, used }
}

test('settingsValues: one value for each parameter, in the order of the columns', async () => {
  const { columns, values, assignments } = settingsParameters(4)
  const given = await settingsValues(openTenant().tenant, sampleMonitor({ name: 'Shop' }))
  const names = columns.text.split(', ')
  assert.equal(names.length, given.length)
  assert.deepEqual(
    values.text.split(', '),
    given.map((_, i) => `$${4 + i}`),
  )
  assert.equal(assignments.text, names.map((name, i) => `${name} = $${4 + i}`).join(', '))
  assert.equal(given[names.indexOf('name')], 'Shop')
  assert.deepEqual(given[names.indexOf('expected_status')], [200])
})

test('settingsValues: secrets are only among the values encrypted, and the token as a hash', async () => {
  const names = settingsParameters(1).columns.text.split(', ')
  const values = await settingsValues(openTenant().tenant, sampleMonitor(secrets))
  assert.ok(!values.map(String).join(' ').includes('canary'))
  for (const column of ['request_headers', 'request_body', 'heartbeat_token'])
    assert.ok(String(values[names.indexOf(column)]).startsWith(`${column} `), column)
  const hash = values[names.indexOf('heartbeat_hash')]
  assert.ok(Buffer.isBuffer(hash) && hash.length === 32)
})

test('toMonitor: secrets come back as they were, and null stays null', async () => {
  const { tenant } = openTenant()
  for (const given of [secrets, { ...secrets, requestHeaders: null }, { requestBody: 'x' }]) {
    const monitor = sampleMonitor(given)
    const names = settingsParameters(1).columns.text.split(', ')
    const values = await settingsValues(tenant, monitor)
    const stored = (column: string) => values[names.indexOf(column)] as Buffer | null
    const row = {
      ...monitor,
      requestHeaders: stored('request_headers'),
      requestBody: stored('request_body'),
      heartbeatToken: stored('heartbeat_token'),
      heartbeat: null,
    }
    assert.deepEqual(await toMonitor(tenant, row), monitor)
  }
})

test('a monitor without secrets needs no key, and its row is not copied', async () => {
  const { tenant, used } = openTenant()
  const nothing = { requestHeaders: null, requestBody: null, heartbeatToken: null, heartbeat: null }
  const row = { ...sampleMonitor(), ...nothing }
  await settingsValues(tenant, row)
  assert.equal(await toMonitor(tenant, row), row)
  assert.equal(used.ciphers, 0)
})
