import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEnds, type ProcessEnd } from './process-ends.ts'

const PATIENCE_MS = 20_000

const once = (secondsAgo: number, pid = 7): ProcessEnd => ({
  name: `start on a (${pid})`,
  secondsAgo,
})
const other: ProcessEnd = { name: 'api on b (7)', secondsAgo: 30 }

// biome-ignore format: a table is read by its columns
const CASES: readonly [what: string, ends: ProcessEnd[], message: string | undefined, isCertain?: boolean][] = [
  ['no end',                                   [],                            undefined],
  ['one end',                                  [once(1)],                     'start on a', false],
  ['one end, two minutes later',               [once(120)],                   undefined],
  ['the same process again',                   [once(1), once(500, 8)],       'start on a (2 times)', true],
  ['the same process, three times',            [once(1), once(9), once(18)],  'start on a (3 times)', true],
  ['again, but ten minutes apart',             [once(1), once(600)],          'start on a', false],
  ['the last of two is minutes ago',           [once(400), once(500)],        'start on a (2 times)', true],
  ['two processes, once each',                 [once(1), other],              'api on b, start on a', false],
  ['an old end of another process is over',    [once(300), other],            'api on b', false],
]

for (const [what, ends, names, isCertain] of CASES)
  test(`findEnds: ${what}`, () => {
    const expected =
      names === undefined
        ? []
        : [
            {
              code: 'PROCESS_DIED',
              subject: '',
              message: `Ended without being stopped: ${names}`,
              isCertain,
            },
          ]
    assert.deepEqual(findEnds(ends, PATIENCE_MS), expected)
  })
