import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndpointFate } from '../../events/delivery-outcome.ts'
import { toAlert } from '../text.ts'
import { toEndpointSubject } from './failing-endpoint.ts'

const UUID = '01a1dde6-483f-73d3-8001-df43e965a64e'
const SETTING = {
  organization: 'Acme',
  baseUrl: 'https://up.example',
  timezone: 'Europe/Berlin',
  at: new Date('2026-11-14T13:35:00Z'),
}

function alertOf(what: EndpointFate, hosts: readonly string[], description: string | null = null) {
  const told = hosts.map((host, i) => ({
    uuid: UUID,
    kind: 'WEBHOOK_FAILING' as const,
    incidentUuid: null,
    host,
    since: new Date('2026-11-13T13:27:10Z'),
    endedAt: null,
    resolution: 'MONITOR_DELETED',
    about: toEndpointSubject({
      uuid: UUID.replace(/.$/, String(i)),
      url: `https://${host}/services/T0/SECRET?token=SECRET`,
      description,
      what,
      error: 'Answered with HTTP 500',
    }),
  }))
  return toAlert({ kind: 'WEBHOOK_FAILING', thread: 't', conditions: told, open: [] }, SETTING)
}

// biome-ignore format: a table is read by its columns
const rows: [EndpointFate, hosts: string[], description: string | null, title: string, summary: RegExp][] = [
  ['WARNED',   ['hooks.example'],      null,          'Webhook endpoint hooks.example is failing',   /for a day\. After five days/],
  ['WARNED',   ['hooks.example:8443'], ' ',           'Webhook endpoint hooks.example:8443 is failing', /for a day/],
  ['DISABLED', ['hooks.example'],      'Pager\nduty', 'Webhook endpoint Pager duty was disabled',    /for five days\. No events are kept/],
  ['GONE',     ['hooks.example'],      null,          'Webhook endpoint hooks.example was disabled', /HTTP 410/],
  ['WARNED',   ['a.example', 'b.example', 'c.example'], null, '3 webhook endpoints are failing',     /^Answered with HTTP 500 since Fri, Nov 13/],
]
for (const [what, hosts, description, title, summary] of rows)
  test(`${what}: ${title}`, () => {
    const alert = alertOf(what, hosts, description)
    assert.equal(alert.title, title)
    assert.match(alert.summary, summary)
    assert.deepEqual(alert.links, { open: 'https://up.example/webhooks', acknowledge: null })
    assert.doesNotMatch(JSON.stringify(alert), /SECRET/, 'a secret in its address stays behind')
  })

test('it says why, where and since when', () => {
  assert.deepEqual(alertOf('WARNED', ['hooks.example']).facts, [
    { label: 'Cause', value: 'Answered with HTTP 500' },
    { label: 'Address', value: 'https://hooks.example' },
    { label: 'Since', value: 'Fri, Nov 13, 14:27 CET' },
  ])
})
