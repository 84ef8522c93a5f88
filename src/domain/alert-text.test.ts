import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAt, formatLasted, type ToldTrouble, testAlert, toAlert } from './alert-text.ts'
import { toTrouble } from './alert-trouble.ts'

const SETTING = {
  organization: 'Acme',
  baseUrl: 'https://up.example',
  timezone: 'Europe/Berlin',
  at: new Date('2026-11-14T13:35:00Z'),
}
const MONITOR = 'mon_01m7eycgp2e008000yk87texc0'

function trouble(name: string, fields: Partial<ToldTrouble> = {}): ToldTrouble {
  return {
    uuid: '01a1dde6-483f-73d3-8001-df43e965a64e',
    kind: 'DOWN',
    incidentUuid: '01a1dde6-47f7-7000-8000-4b3aa8ac5a4e',
    host: 'shop.example',
    since: new Date('2026-11-14T13:27:10Z'),
    endedAt: null,
    resolution: null,
    about: { monitorId: name, name, address: 'https://shop.example/', cause: 'HTTP 503' },
    ...fields,
  }
}
const ended = { endedAt: new Date('2026-11-14T13:34:50Z'), resolution: 'RECOVERED' }

// biome-ignore format: a table is read by its columns
const rows: [kind: Parameters<typeof toAlert>[0]['kind'], told: ToldTrouble[], title: string, summary: string][] = [
  ['DOWN',      [trouble('Shop')],                        'Shop is down',       'HTTP 503 since Sat 14 Nov, 14:27 CET'],
  ['REMINDER',  [trouble('Shop')],                        'Shop is still down', 'HTTP 503 since Sat 14 Nov, 14:27 CET'],
  ['RECOVERED', [trouble('Shop', ended)],                 'Shop is up again',   'After 7 min 40 s, since Sat 14 Nov, 14:27 CET'],
  ['RECOVERED', [trouble('Shop', { ...ended, resolution: 'MONITOR_DELETED' })], 'Shop was deleted', 'After 7 min 40 s, since Sat 14 Nov, 14:27 CET'],
  ['DOWN',      ['A', 'B', 'C'].map((name) => trouble(name)), '3 monitors on shop.example are down', 'HTTP 503 since Sat 14 Nov, 14:27 CET'],
  ['DOWN',      [trouble('A'), trouble('B', { host: 'x' })],  '2 monitors are down', 'HTTP 503 since Sat 14 Nov, 14:27 CET'],
  ['DEGRADED',  [trouble('A', { kind: 'DEGRADED', incidentUuid: null })], 'A is degraded', 'HTTP 503 since Sat 14 Nov, 14:27 CET'],
]
for (const [kind, told, title, summary] of rows)
  test(`${kind}: ${title}`, () => {
    const alert = toAlert({ kind, thread: 't', told, open: [] }, SETTING)
    assert.deepEqual([alert.title, alert.summary], [title, summary])
  })

test('links: to the incident, and to take it while it goes on', () => {
  const links = (kind: 'DOWN' | 'RECOVERED') =>
    toAlert({ kind, thread: 't', told: [trouble('Shop')], open: [] }, SETTING).links
  const incident = 'https://up.example/incidents/inc_01m7eychzqe008002b7amarpje'
  assert.deepEqual(links('DOWN'), { open: incident, acknowledge: `${incident}#acknowledge` })
  assert.deepEqual(links('RECOVERED'), { open: incident, acknowledge: null })
})

test('a partial end names what goes on', () => {
  const told = [trouble('A', ended), trouble('B', ended)]
  const { summary } = toAlert(
    { kind: 'PARTLY_RECOVERED', thread: 't', told, open: [trouble('C')] },
    SETTING,
  )
  assert.match(summary, /Still down: C$/)
})

test('of many nine are listed', () => {
  const told = Array.from({ length: 30 }, (_, i) => trouble(`M${i}`))
  const { facts } = toAlert({ kind: 'DOWN', thread: 't', told, open: [] }, SETTING)
  assert.equal(facts.length, 10)
  assert.deepEqual(facts.at(-1), { label: 'And more', value: '21 others' })
})

test('times and durations', () => {
  assert.equal(formatAt(new Date('2026-07-01T10:00:00Z'), 'UTC'), 'Wed 1 Jul, 10:00 UTC')
  const lasted = (seconds: number) => formatLasted(new Date(0), new Date(seconds * 1000))
  assert.deepEqual([0, 59, 60, 460, 3600, 90_061].map(lasted), [
    '1 s',
    '59 s',
    '1 min',
    '7 min 40 s',
    '1 h',
    '1 d 1 h',
  ])
  assert.match(testAlert('Ops', SETTING).title, /^Test alert for Ops$/)
})

test('facts that are troubles: a login in an address stays behind, others are none', () => {
  const monitor = { id: MONITOR, name: 'Shop', url: 'https://ana:pw@shop.example/x', host: null }
  const at = new Date(0)
  const expiring = toTrouble({
    type: 'monitor.ssl_expiring',
    at,
    data: { monitor, expiresAt: '2026-11-20T00:00:00.000Z', daysLeft: 1 },
  })
  assert.equal(expiring?.about.address, 'https://shop.example/x')
  assert.equal(expiring.about.cause, 'The certificate expires on 2026-11-20, in 1 day')
  const dns = toTrouble({
    type: 'monitor.dns_changed',
    at,
    data: { monitor, before: ['192.0.2.1'], after: [] },
  })
  assert.equal(dns?.about.cause, '192.0.2.1 became nothing')
  assert.equal(toTrouble({ type: 'monitor.up', at, data: { monitor } }), undefined)
})
