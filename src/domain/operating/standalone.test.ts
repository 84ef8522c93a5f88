import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataFound, decideFirstSteps, isStartedAgain } from './standalone.ts'

const EMPTY: DataFound = {
  directory: '/data',
  isMounted: true,
  freeBytes: 1e9,
  hasSecrets: false,
  missingSecrets: [],
  dataMajor: undefined,
  programMajor: 15,
}
const FULL: DataFound = { ...EMPTY, hasSecrets: true, dataMajor: 15 }

const STEPS: [string, DataFound, { makeSecrets: boolean; makeDatabase: boolean }][] = [
  ['nothing', EMPTY, { makeSecrets: true, makeDatabase: true }],
  ['secrets', { ...EMPTY, hasSecrets: true }, { makeSecrets: false, makeDatabase: true }],
  ['everything', FULL, { makeSecrets: false, makeDatabase: false }],
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
  ['older data', { dataMajor: 14 }, /^The data are of PostgreSQL 14, and this image has/],
  ['newer data', { dataMajor: 17 }, /^The data are of PostgreSQL 17, and this image has/],
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
