import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import { EVENT_TYPES, eventBody, monitorEvent, toEventMonitor } from './event.ts'

const at = new Date('2026-11-14T22:39:00Z')

test('there are 22 types of event, each once', () => {
  assert.equal(new Set(EVENT_TYPES).size, 22)
})

test('credentials do not leave the organization', () => {
  const monitor = sampleMonitor({
    type: 'CRON',
    heartbeatToken: 'canary-token',
    requestHeaders: { Authorization: 'canary-header' },
    requestBody: 'canary-body',
  })
  const shown = toEventMonitor(monitor)
  assert.deepEqual(shown.requestHeaders, { Authorization: '***' })
  assert.equal(Object.keys(shown).length, 33)
  const org = '019aa000-0000-7000-8000-000000000001'
  assert.ok(!eventBody(monitorEvent('updated', monitor, at), org, org).includes('canary'))
})

test('the body has the six fields of the contract, in order', () => {
  const org = '019aa000-0000-7000-8000-000000000001'
  const body = JSON.parse(eventBody(monitorEvent('created', sampleMonitor(), at), org, org))
  assert.deepEqual(Object.keys(body), [
    'id',
    'type',
    'timestamp',
    'apiVersion',
    'organizationId',
    'data',
  ])
  assert.equal(body.timestamp, '2026-11-14T22:39:00.000Z')
  assert.match(body.organizationId, /^org_/)
})
