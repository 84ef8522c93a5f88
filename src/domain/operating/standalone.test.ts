import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DataFound,
  decideFirstSteps,
  type FirstSteps,
  isKeptLongEnough,
  isStartedAgain,
} from './standalone.ts'

const EMPTY: DataFound = {
  directory: '/data',
  isMounted: true,
  freeBytes: 1e9,
  hasSecrets: false,
  missingSecrets: [],
  dataMajor: undefined,
  dataBytes: 0,
  hasUpgraded: false,
  keptMajors: [],
  programMajor: 17,
  readableMajors: [15, 17],
}
const FULL: DataFound = { ...EMPTY, hasSecrets: true, dataMajor: 17 }
const OLDER: DataFound = { ...FULL, dataMajor: 15, dataBytes: 400 * 1024 * 1024 }
const NONE = { makeSecrets: false, makeDatabase: false }

const STEPS: [string, DataFound, FirstSteps][] = [
  ['nothing', EMPTY, { makeSecrets: true, makeDatabase: true }],
  ['secrets', { ...EMPTY, hasSecrets: true }, { makeSecrets: false, makeDatabase: true }],
  ['everything', FULL, NONE],
  ['data of an older version', OLDER, { ...NONE, upgradeFrom: 15 }],
  [
    'older data beside a copy of one that failed',
    { ...OLDER, hasUpgraded: true },
    { ...NONE, upgradeFrom: 15 },
  ],
  [
    'an upgrade that ended before its last step',
    { ...FULL, dataMajor: undefined, hasUpgraded: true, keptMajors: [15] },
    { ...NONE, finishUpgrade: true },
  ],
  ['the data from before the last upgrade', { ...FULL, keptMajors: [15] }, NONE],
]
for (const [what, found, steps] of STEPS)
  test(`a start that finds ${what} makes what is missing`, () => {
    assert.deepEqual(decideFirstSteps(found), steps)
  })

const REFUSED: [string, Partial<DataFound>, RegExp][] = [
  ['no volume', { isMounted: false }, /^No volume is mounted at \/data/],
  ['a full disk', { freeBytes: 8 * 1024 * 1024 }, /^\/data is full: 8 MiB are free/],
  ['a lost secret', { missingSecrets: ['master_keys'] }, /secrets lacks master_keys\./],
  ['no secrets beside data', { hasSecrets: false }, /secrets is missing\. Put back your copy/],
  [
    'older data',
    { dataMajor: 14 },
    /^The data are of PostgreSQL 14, .* has PostgreSQL 17, without/,
  ],
  ['newer data', { dataMajor: 18 }, /^The data are of PostgreSQL 18, .* PostgreSQL 18 or newer\.$/],
  [
    'too little space to upgrade',
    { ...OLDER, freeBytes: 663 * 1024 * 1024 },
    /The upgrade needs 664 MiB in \/data, and 663 MiB are free\./,
  ],
  [
    'the data of an earlier upgrade',
    { ...OLDER, keptMajors: [15] },
    /\/data\/postgres\.15, which exists/,
  ],
  ['a directory without a version', { dataMajor: 0 }, /^\/data\/postgres is not a database/],
]
for (const [what, change, sentence] of REFUSED)
  test(`a start that finds ${what} ends with a sentence`, () => {
    const decided = decideFirstSteps({ ...FULL, ...change })
    assert.match(String(decided), sentence)
  })

test('PostgreSQL is started again four times within ten minutes, and again after that', () => {
  const minute = 60_000
  const ended = [0, 1, 2, 3].map((at) => at * minute)
  assert.equal(isStartedAgain(ended, 3 * minute), true)
  assert.equal(isStartedAgain([...ended, 4 * minute], 4 * minute), false)
  assert.equal(isStartedAgain([...ended, 11 * minute], 11 * minute), true)
})

test('data from before an upgrade are deleted after a day', () => {
  const day = 86_400_000
  assert.equal(isKeptLongEnough(1_000, 999 + day), false)
  assert.equal(isKeptLongEnough(1_000, 1_000 + day), true)
})
