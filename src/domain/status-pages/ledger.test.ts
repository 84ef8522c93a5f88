import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DetectedOutage, hiddenOutages, toLedger } from './ledger.ts'
import type { Section, ShownComponent } from './status-page.ts'

const minute = (count: number) => new Date(Date.parse('2026-11-14T14:00:00Z') + count * 60_000)

const outage = (fields: Partial<DetectedOutage> = {}): DetectedOutage => ({
  componentName: 'Shop',
  detectedAt: minute(27),
  endedAt: minute(50),
  resolution: 'RECOVERED',
  publishedAt: minute(41),
  ...fields,
})

// biome-ignore format: a table is read by its columns
const OUTAGES: [what: string, fields: Partial<DetectedOutage>, minutes: number | null, isCutShort: boolean][] = [
  ['published later',           {},                                       14,   false],
  ['published before',          { publishedAt: minute(20) },              0,    false],
  ['never published',           { publishedAt: null },                    null, false],
  ['paused',                    { resolution: 'MONITOR_PAUSED' },         14,   true],
  ['still going on',            { endedAt: null, resolution: null },      14,   false],
]
for (const [what, fields, minutes, isCutShort] of OUTAGES)
  test(`an outage: ${what}`, () => {
    const [entry] = toLedger([outage(fields)], [])
    assert.ok(entry?.kind === 'OUTAGE')
    const expected = [minutes === null ? null : minutes * 60_000, isCutShort]
    assert.deepEqual([entry.publishedAfterMs, entry.isCutShort], expected)
  })

test('entries are newest first, at most 200', () => {
  const override = { kind: 'COMPONENT_REMOVED', componentName: 'Shop', at: minute(30) } as const
  const entries = toLedger([outage(), outage({ detectedAt: minute(60) })], [override])
  assert.deepEqual(
    entries.map(({ at }) => at),
    [minute(60), minute(30), minute(27)],
  )
  assert.equal(
    toLedger(
      Array.from({ length: 300 }, () => outage()),
      [],
    ).length,
    200,
  )
})

const component = (fields: Partial<ShownComponent>): ShownComponent => ({
  uuid: 'c1',
  name: null,
  description: null,
  monitorUuid: 'm1',
  manualState: null,
  monitorName: 'Shop',
  monitorType: 'HTTP',
  monitorState: 'DOWN',
  inWindow: false,
  incidentStates: [],
  ...fields,
})
const sectionOf = <C>(...components: C[]): Section<C> => ({
  uuid: 's1',
  name: null,
  collapsed: false,
  components,
})

const REMOVED = [{ kind: 'COMPONENT_REMOVED', monitorUuid: 'm1', componentName: 'Shop' }]
const DETACHED = [{ kind: 'MONITOR_DETACHED', monitorUuid: 'm1', componentName: 'Shop' }]

// biome-ignore format: a table is read by its columns
const CHANGES: [what: string, before: Partial<ShownComponent>, after: { uuid: string; monitorUuid: string | null }[], expected: object[]][] = [
  ['removed while it is down',         {},                          [],                                    REMOVED],
  ['replaced by a manual one',         {},                          [{ uuid: 'c1', monitorUuid: null }],   DETACHED],
  ['given another monitor',            {},                          [{ uuid: 'c1', monitorUuid: 'm2' }],   DETACHED],
  ['moved to another component',       {},                          [{ uuid: 'c9', monitorUuid: 'm1' }],   []],
  ['unchanged',                        {},                          [{ uuid: 'c1', monitorUuid: 'm1' }],   []],
  ['removed while it is up',           { monitorState: 'UP' },      [],                                    []],
  ['removed in a maintenance window',  { inWindow: true },          [],                                    []],
  ['a component without a monitor',    { monitorUuid: null, monitorState: null }, [],                      []],
]
for (const [what, before, after, expected] of CHANGES)
  test(`hiddenOutages: ${what}`, () => {
    const found = hiddenOutages([sectionOf(component(before))], [sectionOf(...after)])
    assert.deepEqual(found, expected)
  })
