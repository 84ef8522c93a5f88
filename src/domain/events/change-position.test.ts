import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAtLeast,
  isKnownAt,
  isTooOld,
  readPosition,
  toPosition,
  writePosition,
} from './change-position.ts'

const AT = new Date('2026-11-15T08:00:00.123Z')
const at = (snapshot: string, seconds = 0) =>
  toPosition(snapshot, new Date(AT.getTime() + seconds * 1000))

// biome-ignore format: a table is read by its columns
const SNAPSHOTS = ['1000:1000:', '1000:1001:1000', '790:815:790,801,814', '8589934592:8589934600:8589934592', '3:3:']

for (const snapshot of SNAPSHOTS)
  test(`${snapshot} is read as it was written`, () => {
    const position = at(snapshot)
    assert.deepEqual(readPosition(writePosition(position)), position)
    assert.match(writePosition(position), /^[0-9a-z.-]{5,60}$/)
  })

// biome-ignore format: a table is read by its columns
const STRANGE = ['', 'x', '1-2', '1-2-3-', '1-2-3-4.', '1-2-3-4', '1-2-3-2.3', 'A-1-1', '1-1-1 ', '1-1-1\n', '-1-1-1',
  "1-1-1';--", '1-zzzzzzzzzzzz-1', '1-1-zzzzzzz', '1-1-zzzzzz', '1-zzzzzzzzzzz-1', `1-1-zzzzzz-${'1.'.repeat(1001)}1`, '1'.repeat(9000)]

for (const text of STRANGE)
  test(`${JSON.stringify(text.slice(0, 30))} was never a position`, () => {
    assert.equal(readPosition(text), undefined)
  })

// biome-ignore format: a table is read by its columns
const KNOWN: [snapshot: string, xid: number, known: boolean][] = [
  ['10:20:10,15', 9,  true],
  ['10:20:10,15', 10, false],
  ['10:20:10,15', 11, true],
  ['10:20:10,15', 15, false],
  ['10:20:10,15', 19, true],
  ['10:20:10,15', 20, false],
  ['10:20:10,15', 21, false],
]

for (const [snapshot, xid, known] of KNOWN)
  test(`${xid} is ${known ? '' : 'not '}known at ${snapshot}`, () => {
    assert.equal(isKnownAt(at(snapshot), xid), known)
  })

// biome-ignore format: a table is read by its columns
const ORDER: [position: string, other: string, atLeast: boolean][] = [
  ['10:20:10,15', '10:20:10,15', true],
  ['15:20:15',    '10:20:10,15', true],  // 10 has ended since
  ['10:20:10,15', '15:20:15',    false],
  ['15:30:15,25', '10:20:10,15', true],  // what runs now began later
  ['10:19:10,15', '10:20:10,15', false],
  ['20:20:',      '10:20:10,15', true],
]

for (const [position, other, atLeast] of ORDER)
  test(`${position} is ${atLeast ? '' : 'not '}at least ${other}`, () => {
    assert.equal(isAtLeast(at(position), at(other)), atLeast)
  })

test('isTooOld: after so many seconds', () => {
  assert.ok(!isTooOld(at('90:90:'), new Date(AT.getTime() + 60_000), 60))
  assert.ok(isTooOld(at('90:90:'), new Date(AT.getTime() + 60_001), 60))
})
