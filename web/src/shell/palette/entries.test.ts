import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { NavigationItem } from '../navigation-items.ts'
import { type Sources, toEntries, toEntriesOf } from './entries.ts'
import { type PaletteHit, stateOfHit } from './hits.ts'

const SINCE = '2026-11-14T13:27:00.000Z'
const hit = (title: string, rest: Partial<PaletteHit> = {}): PaletteHit => ({
  kind: 'MONITOR',
  id: `mon_${title}`,
  title,
  detail: `https://${title.toLowerCase()}.example.com/`,
  state: 'UP',
  type: 'HTTP',
  since: SINCE,
  unacknowledgedId: null,
  ...rest,
})
const checkout = hit('Checkout', { state: 'DOWN', unacknowledgedId: 'inc_1' })
const cache = hit('Redis cache')
const job = hit('Cleanup', { type: 'CRON', detail: null })
const paused = hit('Old shop', { state: 'PAUSED' })
const outage = hit('Checkout', {
  kind: 'INCIDENT',
  id: 'inc_1',
  detail: 'HTTP 503',
  state: 'ONGOING',
  unacknowledgedId: 'inc_1',
})
const page = hit('Acme', {
  kind: 'STATUS_PAGE',
  id: 'sp_1',
  state: 'PUBLISHED',
  type: null,
  since: null,
})

const shortcut = (keys: string, label: string, hidden = false) => ({
  keys,
  label,
  hidden,
  group: 'This screen' as const,
  run: () => {},
})
const place = (label: string): NavigationItem => ({
  to: PATHS.monitors,
  label,
  icon: (() => null) as unknown as NavigationItem['icon'],
  keys: 'g m',
  group: 'Watch',
})
const EMPTY: Sources = {
  text: '',
  mayWrite: true,
  hits: [],
  targets: [],
  open: [],
  shortcuts: [
    shortcut('n', 'New monitor'),
    shortcut('t', 'Change theme'),
    shortcut('j', 'Next', true),
  ],
  creations: [{ to: PATHS.newMonitor, label: 'Create monitor', shortcut: 'New monitor' }],
  places: [place('Monitors'), place('Settings')],
}
const listed = (sources: Partial<Sources>) =>
  toEntries({ ...EMPTY, ...sources }).map(({ group, label }) => `${group}: ${label}`)

type Case = [what: string, sources: Partial<Sources>, listed: string[]]
// biome-ignore format: a table is read by its columns
const cases: Case[] = [
  ['nothing typed: commands and places', {},
    ['ACTION: Change theme', 'ACTION: Create monitor', 'PLACE: Monitors', 'PLACE: Settings']],
  ['nothing typed, an open incident: it comes first', { open: [outage], places: [], shortcuts: [], creations: [] },
    ['INCIDENT: Checkout', 'ACTION: Acknowledge Checkout']],
  ['found: actions of the best hit follow', { text: 'che', hits: [checkout, cache], places: [] },
    ['MONITOR: Checkout', 'MONITOR: Redis cache', 'ACTION: Acknowledge Checkout', 'ACTION: Check Checkout now',
      'ACTION: Pause Checkout', 'ACTION: Start maintenance for Checkout…', 'ACTION: Edit Checkout',
      'ACTION: Check a monitor now…']],
  ['a CRON monitor cannot be checked', { text: 'clean', hits: [job], places: [] },
    ['MONITOR: Cleanup', 'ACTION: Pause Cleanup', 'ACTION: Start maintenance for Cleanup…', 'ACTION: Edit Cleanup']],
  ['a command without a target is completed first', { text: 'pause', targets: [checkout, paused] },
    ['ACTION: Pause a monitor…', 'ACTION: Pause Checkout']],
  ['a completed command lists its targets', { text: 'pause ', targets: [checkout, cache] },
    ['ACTION: Pause Checkout', 'ACTION: Pause Redis cache']],
  ['a command with a target', { text: 'pause che', targets: [checkout, cache] },
    ['ACTION: Pause Checkout', 'ACTION: Pause Redis cache']],
  ['only what can be resumed', { text: 'resume', targets: [checkout, paused] },
    ['ACTION: Resume a monitor…', 'ACTION: Resume Old shop']],
  ['acknowledge goes to what is open', { text: 'ack', targets: [outage] }, ['ACTION: Acknowledge Checkout']],
  ['an incident is not listed twice', { text: 'acknowledge checkout', hits: [outage], targets: [checkout, outage] },
    ['INCIDENT: Checkout', 'ACTION: Acknowledge Checkout']],
  ['readers find, and change nothing',
    { text: 'check', mayWrite: false, hits: [checkout, outage], targets: [checkout], creations: [] },
    ['MONITOR: Checkout', 'INCIDENT: Checkout']],
  ['a page has no actions', { text: 'acme', hits: [page] }, ['STATUS_PAGE: Acme']],
  ['creating and going', { text: 'mon' }, ['ACTION: Create monitor', 'PLACE: Monitors']],
  ['nothing found', { text: 'nothing like it' }, []],
]
for (const [what, sources, expected] of cases)
  test(`palette: ${what}`, () => assert.deepEqual(listed(sources), expected))

test('palette: at most six of a kind', () => {
  const hits = Array.from({ length: 20 }, (_, index) => hit(`Shop ${index}`))
  const many = toEntries({ ...EMPTY, text: 'shop', hits })
  assert.equal(many.filter(({ group }) => group === 'MONITOR').length, 6)
})

test('palette: a creation shows the key of its screen', () => {
  const [created] = toEntries({ ...EMPTY, text: 'create' })
  assert.deepEqual(created?.deed, { does: 'create', creation: EMPTY.creations[0], keys: 'n' })
})

test('palette: what matches is marked in the name, or in the target', () => {
  const [byName] = toEntries({ ...EMPTY, text: 'redis', hits: [cache] })
  assert.deepEqual(byName?.spans, [[0, 5]])
  const [byTarget] = toEntries({ ...EMPTY, text: 'example', hits: [cache] })
  assert.deepEqual([byTarget?.spans, byTarget?.detailSpans], [[], [[20, 27]]])
})

test('palette: one hit and what can be done to it', () => {
  const labels = (text: string, mayWrite: boolean) =>
    toEntriesOf(checkout, text, mayWrite).map(({ label }) => label)
  assert.deepEqual(labels('', true), [
    'Open Checkout',
    'Acknowledge Checkout',
    'Check Checkout now',
    'Pause Checkout',
    'Start maintenance for Checkout…',
    'Edit Checkout',
  ])
  assert.deepEqual(labels('pau', true), ['Pause Checkout'])
  assert.deepEqual(labels('', false), ['Open Checkout'])
})

const NOW = Date.parse('2026-11-14T13:31:12.000Z')
// biome-ignore format: a table is read by its columns
const states: [what: string, hit: PaletteHit, state: string, text: RegExp][] = [
  ['down, and for how long',     checkout,                              'DOWN',        /^Down 4 min$/],
  ['up',                         cache,                                 'UP',          /^Up$/],
  ['a certificate near its end', { ...cache, type: 'SSL', state: 'DEGRADED' }, 'EXPIRING', /^Expiring$/],
  ['a slow page',                { ...checkout, state: 'DEGRADED' },    'DEGRADED',    /^Degraded 4 min$/],
  ['paused, and for how long',   paused,                                'PAUSED',      /^Paused 4 min$/],
  ['ongoing, with its time',     outage,                                'DOWN',        /^Ongoing, .*\d\d:27$/],
  ['resolved, with its date',    { ...outage, state: 'RESOLVED', since: '2026-10-01T13:27:00.000Z' }, 'UP', /^Resolved, \w{3}, Oct 1, \d\d:27$/],
  ['a published page',           page,                                  'OPERATIONAL', /^Published$/],
  ['a page that is not public',  { ...page, state: 'HIDDEN' },          'PAUSED',      /^Not published$/],
]
for (const [what, of, state, text] of states)
  test(`palette: ${what}`, () => {
    const shown = stateOfHit(of, NOW)
    assert.equal(shown.state, state)
    assert.match(shown.text, text)
  })
