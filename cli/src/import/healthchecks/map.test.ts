import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCounts, changesOf, refusalOf, resourceIn } from '../../../test/import/imported.ts'
import { largestGap } from './cron.ts'
import { mapHealthchecks, readHealthchecks } from './map.ts'

const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f8091'
const ANSWER = {
  checks: [
    {
      name: 'Backup',
      slug: 'backup',
      tags: 'prod db',
      desc: '',
      grace: 3600,
      timeout: 86_400,
      status: 'paused',
      ping_url: `https://hc.example.com/ping/${UUID}`,
      channels: '',
      methods: '',
    },
    {
      name: 'Report',
      tags: '',
      grace: 200_000,
      schedule: '0 6 * * 1-5',
      tz: 'Europe/Berlin',
      status: 'up',
      uuid: UUID,
    },
    { name: 'Odd', grace: 60, schedule: 'Mon..Fri 08:00', tz: 'UTC' },
  ],
}

test('checks', () => {
  const imported = mapHealthchecks(readHealthchecks('checks.json', ANSWER))
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'backup'), {
    name: 'Backup',
    type: 'CRON',
    expectedPeriodSec: 86_400,
    graceSeconds: 3600,
    paused: true,
    tags: ['prod', 'db'],
  })
  assert.deepEqual(changesOf(imported, 'Backup'), [])
  const report = resourceIn(imported, 'monitors', 'report')
  assert.deepEqual([report['expectedPeriodSec'], report['graceSeconds']], [3 * 86_400, 86_400])
  assert.deepEqual(changesOf(imported, 'Report'), ['schedule', 'graceSeconds'])
  assert.match(refusalOf(imported, 'Odd'), /schedule/)
  assert.deepEqual(
    imported.heartbeats.map(({ token, oldUrl }) => [token, oldUrl]),
    [
      [UUID, `https://hc.example.com/ping/${UUID}`],
      [UUID, `/ping/${UUID}`],
    ],
  )
})

const HOUR = 3600
const DAY = 24 * HOUR
for (const [expression, seconds] of [
  ['* * * * *', 60],
  ['*/15 * * * *', 900],
  ['5 * * * *', HOUR],
  ['0 3 * * *', DAY],
  ['0 3,15 * * *', 12 * HOUR],
  ['0 3,4 * * *', 23 * HOUR],
  ['0 6 * * mon-fri', 3 * DAY],
  ['0 6 * * 0', 7 * DAY],
  ['0 6 * * 7', 7 * DAY],
  ['0 0 1 * *', 31 * DAY],
  ['0 0 1 jan *', 366 * DAY],
  // Both days are given: one is enough.
  ['0 0 13 * 5', 7 * DAY],
  ['0 0 31 2 *', undefined],
  ['60 * * * *', undefined],
  ['*/0 * * * *', undefined],
  ['5-1 * * * *', undefined],
  ['* * * *', undefined],
  ['@daily', undefined],
  ['', undefined],
] as const)
  test(`the largest gap of "${expression}"`, () => {
    assert.equal(largestGap(expression), seconds)
  })

test('a file of another kind is refused', () => {
  assert.throws(() => readHealthchecks('x.json', []), /no list "checks"/)
})
