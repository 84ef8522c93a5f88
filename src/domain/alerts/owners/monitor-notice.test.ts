import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  explainUnchecked,
  type MonitorNoticeKind,
  type NoticeContent,
  type NoticeCounts,
  type NoticedMonitor,
  type NoticeStep,
  nextNoticeStep,
  type OwnerNotice,
  toCheckedAgainNotice,
  toMonitorNotice,
} from './monitor-notice.ts'

const NOW = new Date('2026-11-14T13:20:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const open = (minutes: number, hasRecovered = false): OwnerNotice => ({
  sentAt: ago(minutes),
  isOpen: true,
  hasRecovered,
})
const over = (minutes: number): OwnerNotice => ({ ...open(minutes), isOpen: false })
const counts = (due: number, others = 0): NoticeCounts => ({ due, others })

// biome-ignore format: a table is read by its columns
const steps: [what: string, last: OwnerNotice | undefined, counts: NoticeCounts, step: NoticeStep][] = [
  ['nothing',                                    undefined,        counts(0),     'WAIT'],
  ['the first monitors',                         undefined,        counts(3),     'BEGIN'],
  ['too early to say',                           undefined,        counts(0, 3),  'WAIT'],
  ['it goes on',                                 open(600),        counts(0, 3),  'WAIT'],
  ['others join soon',                           open(59),         counts(2, 3),  'WAIT'],
  ['others join after the pause',                open(60),         counts(2, 3),  'MORE'],
  ['all have results',                           open(1, true),    counts(0),     'END'],
  ['one has, others do not',                     open(1, true),    counts(0, 1),  'WAIT'],
  ['the known ones have, others wait',           open(1, true),    counts(1),     'WAIT'],
  ['all were paused or deleted',                 open(1),          counts(0),     'CLOSE'],
  ['it ended long ago',                          over(600),        counts(0),     'WAIT'],
  ['again, too soon',                            over(14),         counts(1),     'WAIT'],
  ['again',                                      over(15),         counts(1),     'BEGIN'],
]
for (const [what, last, monitors, step] of steps)
  test(`${what}: ${step}`, () =>
    assert.equal(nextNoticeStep('NOT_CHECKED', last, monitors, NOW), step))

test('home passes again: no second email', () =>
  assert.equal(nextNoticeStep('FAILS_FROM_HOME', open(1, true), counts(0), NOW), 'CLOSE'))

const CONTEXT = {
  organization: 'Acme',
  baseUrl: 'https://up.example',
  timezone: 'Europe/Berlin',
  at: NOW,
}
const monitor = (number: number, fields: Partial<NoticedMonitor> = {}): NoticedMonitor => ({
  uuid: '019aa000-0000-7000-8000-0000000000ff',
  name: `Shop ${number}`,
  since: ago(15 - number / 60),
  reason: 'NO_PROBE',
  region: 'site-b',
  otherRegion: null,
  ...fields,
})
const notice = (
  kind: MonitorNoticeKind,
  monitors: NoticedMonitor[],
  fields: Partial<NoticeContent> = {},
) => {
  const content = { kind, step: 'BEGIN' as const, thread: 't', monitors, isOneReason: true }
  return toMonitorNotice({ ...content, total: monitors.length, ...fields }, CONTEXT)
}

test('one monitor: since when in the zone of the organization, why, and where to look', () => {
  const { title, summary, facts, links, kind } = notice('NOT_CHECKED', [monitor(0)])
  assert.equal(title, 'Shop 0 is not being checked')
  assert.equal(summary, 'Not checked since Sat, Nov 14, 14:05 CET: no probe in site-b')
  assert.deepEqual([kind, facts.map(({ label }) => label)], ['NOT_CHECKED', ['What it means']])
  assert.match(links.open, /^https:\/\/up\.example\/monitors\/mon_/)
})

test('many: the first nine and how many more, within the bounds of an alert', () => {
  const listed = Array.from({ length: 9 }, (_, i) => monitor(i, { name: 'x'.repeat(300) }))
  const { title, summary, facts, links } = notice('NOT_CHECKED', listed, { total: 21 })
  assert.equal(title, '21 monitors are not being checked')
  assert.equal(summary, 'Not checked since Sat, Nov 14, 14:05 CET: no probe in site-b')
  assert.equal(facts.length, 10)
  assert.equal(facts[0]?.value, 'no probe in site-b, since Sat, Nov 14, 14:05 CET')
  assert.ok(facts.every(({ label }) => label.length <= 40))
  assert.deepEqual(facts.at(-1), { label: 'More', value: 'and 12 more' })
  assert.equal(links.open, 'https://up.example/monitors')
})

test('several reasons: the summary names none of them', () => {
  const two = [monitor(0), monitor(1, { reason: 'EGRESS', region: 'site-c' })]
  const { summary, facts } = notice('NOT_CHECKED', two, { isOneReason: false, step: 'MORE' })
  assert.equal(summary, 'Not checked since Sat, Nov 14, 14:05 CET')
  assert.match(facts[1]?.value ?? '', /^no network connection in site-c, since/)
  assert.equal(
    notice('NOT_CHECKED', two, { step: 'MORE' }).title,
    '2 more monitors are not being checked',
  )
})

test('it fails from home: which region fails and which passes', () => {
  const places = { region: 'eu-west', otherRegion: 'us-east', reason: null }
  const one = notice('FAILS_FROM_HOME', [monitor(0, places)])
  assert.equal(one.title, 'Shop 0 fails from one region')
  assert.equal(one.summary, 'Fails from eu-west, passes from us-east, since Sat, Nov 14, 14:05 CET')
  const many = notice('FAILS_FROM_HOME', [monitor(0, places), monitor(1, places)], {
    isOneReason: false,
  })
  assert.equal(many.title, '2 monitors fail from one region')
  assert.equal(many.summary, 'Since Sat, Nov 14, 14:05 CET')
})

test('the end has the same thread', () => {
  const { kind, thread, title, summary } = toCheckedAgainNotice('t', CONTEXT)
  assert.deepEqual([kind, thread], ['CHECKED_AGAIN', 't'])
  assert.equal(title, 'All monitors are being checked again')
  assert.equal(summary, 'Since Sat, Nov 14, 14:20 CET')
})

// biome-ignore format: a table is read by its columns
const reasons: [reason: string | null, region: string | null, text: string][] = [
  ['NO_PROBE',   'site-b', 'no probe in site-b'],
  ['NO_PROBE',   null,     'no probe in any region'],
  ['NO_ROUTE',   'site-b', 'no route from site-b'],
  ['NOT_PROVEN', 'site-b', 'never reached from site-b'],
  ['PROBE_BUSY', 'site-b', 'probe overloaded in site-b'],
  ['toString',   'site-b', 'no result in site-b'],
  [null,         null,     'no result'],
]
for (const [reason, region, text] of reasons)
  test(`${reason} from ${region}: ${text}`, () =>
    assert.equal(explainUnchecked(reason, region), text))
