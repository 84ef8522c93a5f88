import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Conduct,
  GOOD_CONDUCT,
  isReported,
  isSuspect,
  isSuspended,
  withFault,
} from './probe-conduct.ts'

const S = 1000
const after = (...faultSeconds: number[]): Conduct =>
  faultSeconds.reduce((conduct, at) => withFault(conduct, at * S), GOOD_CONDUCT)

// biome-ignore format: a table is read by its columns
const rows: [why: string, faults: number[], at: number, suspended: boolean, suspect: boolean, reported: boolean][] = [
  ['no fault',                              [],                    0, false, false, false],
  ['one fault',                             [0],                   1, false, true,  false],
  ['one fault, a minute ago',               [0],                  60, false, false, false],
  ['two faults',                            [0, 1],                2, false, true,  false],
  ['three within a minute',                 [0, 30, 59],          59, true,  true,  true],
  ['three, the first a minute before',      [0, 30, 60],          60, false, true,  false],
  ['suspended for a minute',                [0, 0, 0],            59, true,  true,  true],
  ['the minute is over',                    [0, 0, 0],            60, false, false, true],
  ['faults while suspended do not prolong', [0, 0, 0, 10, 20, 30], 60, false, false, true],
  ['suspended again',                       [0, 0, 0, 60, 60, 60], 61, true,  true,  true],
  ['reported for five minutes',             [0, 0, 0],           299, false, false, true],
  ['and no longer',                         [0, 0, 0],           300, false, false, false],
]
for (const [why, faults, at, suspended, suspect, reported] of rows)
  test(`a probe that sends nonsense: ${why}`, () => {
    const conduct = after(...faults)
    const found = [isSuspended, isSuspect, isReported].map((is) => is(conduct, at * S))
    assert.deepEqual(found, [suspended, suspect, reported])
  })
