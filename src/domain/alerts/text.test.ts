import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutageDetails } from './details.ts'
import { type NotifiedCondition, testAlert, toAlert } from './text.ts'
import { formatAt, formatLasted, formatStretch } from './times.ts'

const SETTING = {
  organization: 'Acme',
  baseUrl: 'https://up.example',
  timezone: 'Europe/Berlin',
  at: new Date('2026-11-14T13:35:00Z'),
}

function condition(name: string, fields: Partial<NotifiedCondition> = {}): NotifiedCondition {
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
const paused = { ...ended, resolution: 'MONITOR_PAUSED' }
const deleted = { ...ended, resolution: 'MONITOR_DELETED' }

// biome-ignore format: a table is read by its columns
const rows: [kind: Parameters<typeof toAlert>[0]['kind'], told: NotifiedCondition[], title: string, summary: string][] = [
  ['DOWN',      [condition('Shop')],                        'Shop is down',       'HTTP 503 since Sat, Nov 14, 14:27 CET'],
  ['REMINDER',  [condition('Shop')],                        'Shop is still down', 'HTTP 503 since Sat, Nov 14, 14:27 CET'],
  ['RECOVERED', [condition('Shop', ended)],                 'Shop is up again',   'After 7 min 40 s, since Sat, Nov 14, 14:27 CET'],
  ['CLOSED',    [condition('Shop', paused)],                'Shop was paused',    'After 7 min 40 s, since Sat, Nov 14, 14:27 CET'],
  ['CLOSED',    [condition('A', paused), condition('B', deleted)], '2 monitors on shop.example were paused or deleted', 'After 7 min 40 s, since Sat, Nov 14, 14:27 CET'],
  ['DOWN',      ['A', 'B', 'C'].map((name) => condition(name)), '3 monitors on shop.example are down', 'HTTP 503 since Sat, Nov 14, 14:27 CET'],
  ['DOWN',      [condition('A'), condition('B', { host: 'x' })],  '2 monitors are down', 'HTTP 503 since Sat, Nov 14, 14:27 CET'],
  ['DEGRADED',  [condition('A', { kind: 'DEGRADED', incidentUuid: null })], 'A is degraded', 'HTTP 503 since Sat, Nov 14, 14:27 CET'],
]
for (const [kind, told, title, summary] of rows)
  test(`${kind}: ${title}`, () => {
    const alert = toAlert({ kind, thread: 't', conditions: told, open: [] }, SETTING)
    assert.deepEqual([alert.title, alert.summary], [title, summary])
  })

test('links: to the incident, and to take it while it goes on', () => {
  const links = (kind: 'DOWN' | 'RECOVERED') =>
    toAlert({ kind, thread: 't', conditions: [condition('Shop')], open: [] }, SETTING).links
  const incident = 'https://up.example/incidents/inc_01m7eychzqe008002b7amarpje'
  assert.deepEqual(links('DOWN'), { open: incident, acknowledge: `${incident}#acknowledge` })
  assert.deepEqual(links('RECOVERED'), { open: incident, acknowledge: null })
})

test('links: a contact that acknowledges by link gets its own, while it goes on', () => {
  const setting = { ...SETTING, acknowledgeLink: (uuid: string) => `https://up.example/a#${uuid}` }
  const links = (kind: 'DOWN' | 'RECOVERED', conditions = [condition('Shop')]) =>
    toAlert({ kind, thread: 't', conditions, open: [] }, setting).links.acknowledge
  assert.equal(links('DOWN'), 'https://up.example/a#01a1dde6-47f7-7000-8000-4b3aa8ac5a4e')
  assert.equal(links('RECOVERED'), null)
  // Several have no link of their own.
  const several = [condition('A'), condition('B')]
  assert.equal(links('DOWN', several), 'https://up.example/incidents?state=unacknowledged')
  assert.equal(links('RECOVERED', several), null)
})

test('an alert of an escalation says so first, about one monitor and about many', () => {
  const escalated = { contactUuid: 'ben', step: 2, afterMinutes: 15 }
  for (const conditions of [[condition('A')], [condition('A'), condition('B')]]) {
    const { facts } = toAlert(
      { kind: 'DOWN', thread: 't', conditions, open: [], escalated },
      SETTING,
    )
    const value = 'Step 2, no acknowledgement in 15 min'
    assert.deepEqual(facts[0], { label: 'Escalation', value })
    assert.ok(facts.length > 1)
  }
})

const joined = (name: string) =>
  condition(name, {
    doubt: { uuid: 'd' },
    about: { monitorId: name, name, address: null, cause: 'Timed out after 10 s' },
  })
// biome-ignore format: a table is read by its columns
const doubts: [names: string[], monitors: number, title: string, isSaid: boolean][] = [
  [['A', 'B', 'C'], 3, 'No answer from any of your 3 monitors', true],
  [['A', 'B'],      9, 'No answer from 2 of your 9 monitors',   true],
  [['A'],           9, 'A is down',                             true],
  [['A'],           1, 'A is down',                             false],
]
for (const [names, monitors, title, isSaid] of doubts)
  test(`${names.length} of ${monitors} monitors in doubt: ${title}`, () => {
    const content = { kind: 'DOWN', thread: 't', open: [] } as const
    const setting = { ...SETTING, monitors }
    const alert = toAlert({ ...content, conditions: names.map(joined) }, setting)
    assert.equal(alert.title, title)
    assert.equal(alert.summary, 'Timed out after 10 s since Sat, Nov 14, 14:27 CET')
    assert.equal(alert.facts[0]?.label === 'Network', isSaid)
    const mixed = toAlert({ ...content, conditions: [joined('A'), condition('B')] }, setting)
    assert.equal(
      mixed.title,
      '2 monitors on shop.example are down',
      'what began outside is not joined',
    )
  })

test('a partial end names what goes on', () => {
  const told = [condition('A', ended), condition('B', ended)]
  const { summary } = toAlert(
    { kind: 'PARTLY_RECOVERED', thread: 't', conditions: told, open: [condition('C')] },
    SETTING,
  )
  assert.match(summary, /Still down: C$/)
})

test('of many nine are listed', () => {
  const told = Array.from({ length: 30 }, (_, i) => condition(`M${i}`))
  const { facts } = toAlert({ kind: 'DOWN', thread: 't', conditions: told, open: [] }, SETTING)
  assert.equal(facts.length, 10)
  assert.deepEqual(facts.at(-1), { label: 'And more', value: '21 others' })
})

test('of many, each says where it is while all fail alike, else why, and at the end how long it was', () => {
  const other = { monitorId: 'B', name: 'B', address: null, cause: 'Timeout' }
  const values = (told: NotifiedCondition[], kind: 'DOWN' | 'RECOVERED' = 'DOWN') =>
    toAlert({ kind, thread: 't', conditions: told, open: [] }, SETTING).facts.map(
      ({ value }) => value,
    )
  const alike = [condition('A'), condition('B')]
  assert.deepEqual(values(alike), ['https://shop.example/', 'https://shop.example/'])
  assert.deepEqual(values([condition('A'), condition('B', { about: other })]), [
    'HTTP 503',
    'Timeout',
  ])
  const over = alike.map((one) => ({ ...one, ...ended }))
  assert.deepEqual(values(over, 'RECOVERED'), Array(2).fill('Down for 7 min 40 s'))
})

test('times and durations', () => {
  assert.equal(formatAt(new Date('2026-07-01T10:00:00Z'), 'UTC'), 'Wed, Jul 1, 10:00 UTC')
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

const EVIDENCE = {
  checkId: 'chk_1',
  checkedAt: '2026-11-14T13:27:12.000Z',
  location: 'eu-central',
  outcome: 'FAILED' as const,
  causeCode: null,
  cause: null,
  responseMs: 112.4,
  httpStatus: 200,
  resolvedIp: null,
  timings: null,
  certExpiresAt: null,
  dnsAnswers: null,
  bodyExcerpt: null,
  attempts: [10, 11, 14].map((second, index) => ({
    number: index + 1,
    startedAt: `2026-11-14T13:27:${second}.000Z`,
    outcome: 'FAILED' as const,
    causeCode: null,
    responseMs: null,
    httpStatus: null,
  })),
}
const BODY = `<html><head><title>503</title><style>p{}</style></head><body>
  <h1>upstream   connect error</h1>\u202e[x](http://evil)<p unclosed`

test('an outage says from where it was seen and what the target answered, as text', () => {
  const details = {
    opened: { ...EVIDENCE, bodyExcerpt: BODY },
    resolved: null,
    taken: null,
    uptime: null,
  }
  assert.deepEqual(rowsOf('DOWN', condition('Shop'), details), {
    Cause: 'HTTP 503',
    'Detected from': 'eu-central, in 3 attempts within 4 s',
    Address: 'https://shop.example/',
    Response: 'upstream connect error [x](http://evil)',
    Since: 'Sat, Nov 14, 14:27 CET',
  })
})

test('an end says how it is now, who took it, and the uptime, never rounded up', () => {
  const taken = { by: 'Ana Kovač', at: new Date('2026-11-14T13:32:00Z'), note: 'Rollback' }
  const details = { opened: EVIDENCE, resolved: EVIDENCE, taken, uptime: 0.999_99 }
  assert.deepEqual(rowsOf('RECOVERED', condition('Shop', ended), details), {
    Down: 'Sat, Nov 14, 14:27:10 – 14:34:50 CET',
    Lasted: '7 min 40 s',
    Cause: 'HTTP 503',
    Address: 'https://shop.example/',
    Now: 'HTTP 200 in 112 ms from eu-central',
    'Acknowledged by': 'Ana Kovač at 14:32: “Rollback”',
    'Uptime 30 days': '99.99%',
  })
})

test('what is not known is not said', () => {
  const nowhere = { ...EVIDENCE, location: 'heartbeat', bodyExcerpt: '<p> </p>' }
  const details = { opened: nowhere, resolved: nowhere, taken: null, uptime: null }
  const labels = (kind: 'DOWN' | 'RECOVERED', told: NotifiedCondition) =>
    Object.keys(rowsOf(kind, told, details))
  assert.deepEqual(labels('DOWN', condition('Shop')), ['Cause', 'Address', 'Since'])
  const end = labels('RECOVERED', condition('Shop', ended))
  assert.deepEqual(end, ['Down', 'Lasted', 'Cause', 'Address'])
})

test('of many that fail alike each says where it is, else why', () => {
  const values = (causes: string[]) => {
    const told = causes.map((cause, i) => {
      const address = `https://shop.example/${i}`
      return condition(`M${i}`, { about: { monitorId: `m${i}`, name: `M${i}`, address, cause } })
    })
    const { facts } = toAlert({ kind: 'DOWN', thread: 't', conditions: told, open: [] }, SETTING)
    return facts.map(({ value }) => value)
  }
  assert.deepEqual(values(['x', 'x']), ['https://shop.example/0', 'https://shop.example/1'])
  assert.deepEqual(values(['x', 'y']), ['x', 'y'])
})

test('a stretch over midnight names both days', () => {
  const stretch = formatStretch(
    new Date('2026-10-24T21:00:00Z'),
    new Date('2026-10-25T02:00:00Z'),
    'Europe/Berlin',
  )
  assert.equal(stretch, 'Sat, Oct 24, 23:00:00 CEST – Sun, Oct 25, 03:00:00 CET')
})

function rowsOf(kind: 'DOWN' | 'RECOVERED', told: NotifiedCondition, known: OutageDetails) {
  const details = new Map([[told.incidentUuid ?? '', known]])
  const { facts } = toAlert({ kind, thread: 't', conditions: [told], open: [], details }, SETTING)
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]))
}
