import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '@upvane/sdk/webhooks'
import fc from 'fast-check'
import openapi from '../../../openapi.json' with { type: 'json' }
import { describeEvent } from './describe-event.ts'

type Example = { data: Record<string, unknown> }
const dataOf = (type: keyof typeof openapi.webhooks): unknown =>
  (openapi.webhooks[type].post.requestBody.content['application/json'].example as Example).data

// The contract's examples.
// biome-ignore format: a table is read by its columns
const lines: [type: keyof typeof openapi.webhooks, line: string][] = [
  ['incident.opened',           'Checkout: HTTP 503, expected 200'],
  ['status_incident.published', 'Payments fail: INVESTIGATING'],
  ['monitor.created',           'Checkout (HTTP https://shop.example.com/checkout/health)'],
  ['monitor.updated',           'Checkout: intervalSeconds'],
  ['monitor.up',                'Checkout: DOWN -> UP'],
  ['monitor.dns_changed',       'Checkout: 203.0.113.20 -> 203.0.113.21'],
  ['webhook.test',              'Test event'],
]
for (const [type, line] of lines)
  test(`${type}: ${line}`, () => {
    assert.equal(describeEvent(type, dataOf(type)), line)
  })

test('every event of the contract is described without a gap', () => {
  // The example has not ended yet.
  const ended = {
    incident: { resolution: 'RECOVERED', durationSec: 90 },
    monitor: { name: 'Shop' },
  }
  assert.equal(describeEvent('incident.resolved', ended), 'Shop: RECOVERED after 90 s')
  for (const type of EVENT_TYPES) {
    if (type === 'incident.resolved') continue
    const line = describeEvent(type, dataOf(type))
    assert.ok(line.length > 3 && !line.includes('?') && !line.includes('undefined'), line)
  }
})

test('a port follows its host, and a window without an occurrence has its name', () => {
  const monitor = { name: 'Mail', type: 'PORT', url: null, host: 'mail.example.com', port: 25 }
  assert.equal(describeEvent('monitor.paused', { monitor }), 'Mail (PORT mail.example.com:25)')
  const canceled = { maintenanceWindow: { name: 'Upgrade' }, occurrence: null }
  assert.equal(describeEvent('maintenance.canceled', canceled), 'Upgrade')
})

test('a type nobody knows has no description', () => {
  assert.equal(describeEvent('monitor.sang', {}), '')
  assert.equal(describeEvent('toString', {}), '')
})

test('whatever a body claims, it is described without failing', () => {
  const deep = fc.dictionary(
    fc.constantFrom('monitor', 'incident', 'occurrence', 'maintenanceWindow', 'before', 'name'),
    fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything())),
  )
  fc.assert(
    fc.property(fc.constantFrom(...EVENT_TYPES), fc.oneof(deep, fc.anything()), (type, data) => {
      assert.equal(typeof describeEvent(type, data), 'string')
    }),
  )
})
