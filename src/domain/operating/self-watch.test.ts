import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  areInconclusive,
  differences,
  findingsOf,
  type SelfWatchLimits,
  type ServiceObservation,
  shardsOfRound,
} from './self-watch.ts'

const process = (name: string, roles: string[], settings: Record<string, string> = {}) => ({
  name,
  roles,
  settings,
})
const WELL: ServiceObservation = {
  processes: [process('a', ['api', 'dispatcher']), process('b', ['janitor'])],
  hasScheduler: true,
  lateShards: 0,
  alertLateSeconds: 0,
  deliveryLateSeconds: 0,
  unchecked: [],
  partitionDaysAhead: 7,
  databaseBytes: 80,
  backup: { isScheduled: true, ageSeconds: 26 * 3600, hasFailed: false },
}
const LIMITS: SelfWatchLimits = {
  lateSeconds: 300,
  deliveryLateSeconds: 20,
  databaseLimitBytes: 100,
  watermarkPercent: 85,
  backupMaxAgeHours: 26,
}

// biome-ignore format: a table is read by its columns
const rows: [what: string, seen: Partial<ServiceObservation>, codes: string[]][] = [
  ['all is well',              {},                                            []],
  ['no scheduler',             { hasScheduler: false },                       ['NO_SCHEDULER']],
  ['no dispatcher',            { processes: [process('a', ['api', 'janitor'])] }, ['NO_DISPATCHER']],
  ['no janitor',               { processes: [process('a', ['api', 'dispatcher'])] }, ['NO_JANITOR']],
  ['no API',                   { processes: [process('a', ['janitor', 'dispatcher'])] }, ['NO_API']],
  ['a late shard',             { lateShards: 1 },                             ['CHECKS_LATE']],
  ['alerts at the limit',      { alertLateSeconds: 20 },                      []],
  ['alerts beyond the limit',  { alertLateSeconds: 20.1 },                    ['ALERTS_LATE']],
  ['deliveries at the limit',  { deliveryLateSeconds: 20 },                   []],
  ['deliveries beyond it',     { deliveryLateSeconds: 21 },                   ['DELIVERIES_LATE']],
  ['monitors without results', { unchecked: [{ region: 'eu', count: 1 }] },   ['MONITORS_UNCHECKED']],
  ['two days of partitions',   { partitionDaysAhead: 2 },                     []],
  ['one day of partitions',    { partitionDaysAhead: 1 },                     ['PARTITIONS_MISSING']],
  ['a database at 85 %',       { databaseBytes: 85 },                         []],
  ['a database beyond 85 %',   { databaseBytes: 86 },                         ['DATABASE_FILLING']],
  ['a backup of yesterday',    { backup: { ...WELL.backup, ageSeconds: 26 * 3600 + 1 } }, ['BACKUP_OLD']],
  ['a backup that failed',     { backup: { ...WELL.backup, hasFailed: true } }, ['BACKUP_OLD']],
  ['no schedule of backups',   { backup: { ...WELL.backup, ageSeconds: 1e9, isScheduled: false } }, []],
]
for (const [what, seen, codes] of rows)
  test(`${what}: ${codes.join(', ') || 'nothing'}`, () => {
    const found = findingsOf({ ...WELL, ...seen }, LIMITS)
    assert.deepEqual(
      found.map(({ code }) => code),
      codes,
    )
  })

test('monitors without results: how many, and where', () => {
  const messageOf = (unchecked: ServiceObservation['unchecked']) =>
    findingsOf({ ...WELL, unchecked }, LIMITS).map(({ message }) => message)
  assert.deepEqual(messageOf([{ region: 'eu', count: 1 }]), ['1 monitor gets no results: eu (1)'])
  const two = [
    { region: 'us', count: 40 },
    { region: '', count: 2 },
  ]
  assert.deepEqual(messageOf(two), ['42 monitors get no results: no region (2), us (40)'])
})

test('a database of unknown limit never fills up', () => {
  const limits = { ...LIMITS, databaseLimitBytes: undefined }
  assert.deepEqual(findingsOf({ ...WELL, databaseBytes: 1e15 }, limits), [])
})

test('a difference names the setting and the processes on each side; missing settings are no difference', () => {
  const found = differences([
    process('a', ['api'], { BASE_URL: '1', ONLY_HERE: '1' }),
    process('b', ['api'], { BASE_URL: '1' }),
    process('c', ['api'], { BASE_URL: '2' }),
  ])
  assert.deepEqual(found, [
    { code: 'CONFIGURATION_DIFFERS', subject: 'BASE_URL', message: 'BASE_URL differs: a, b / c' },
  ])
})

test('more than half of at least three checks', () => {
  // biome-ignore format: a table is read by its columns
  const cases: [decided: number, inconclusive: number, isBad: boolean][] = [
    [0, 2, false], [0, 3, true], [1, 2, true], [2, 2, false], [2, 3, true], [100, 100, false],
  ]
  for (const [decided, inconclusive, isBad] of cases)
    assert.equal(areInconclusive({ decided, inconclusive }), isBad, `${decided} ${inconclusive}`)
})

test('shards: all of a small installation at once, all of a large one in turn', () => {
  assert.equal(new Set(shardsOfRound(-1, 7)).size, 256)
  assert.equal(new Set(shardsOfRound(20_000, 0)).size, 256)
  const count = shardsOfRound(1_000_000, 0).length
  assert.ok(count >= 1 && count <= 6, `${count}`)
  const seen = new Set<number>()
  for (let round = 0; round < Math.ceil(256 / count); round++)
    for (const shard of shardsOfRound(1_000_000, round)) seen.add(shard)
  assert.equal(seen.size, 256)
})
