import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writePosition } from '../../../src/domain/events/change-position.ts'
import { findStart, forgetStart, isBefore, noteStart } from './stream-start.ts'

const at = (ms: number) => writePosition({ at: new Date(ms), xmin: 700, xmax: 702, running: [701] })

// biome-ignore format: a table is read by its columns
const cases: [what: string, start: string, other: string, before: boolean][] = [
  ['earlier',                   at(1_794_000_000_000), at(1_794_000_000_001), true],
  ['later',                     at(1_794_000_000_001), at(1_794_000_000_000), false],
  ['the same',                  at(1_794_000_000_000), at(1_794_000_000_000), false],
  ['with one more digit',       at(35),                at(36),                true],
]
for (const [what, start, other, before] of cases)
  test(`${what}: before is ${before}`, () => assert.equal(isBefore(start, other), before))

test('the oldest read of an organization is where its stream starts, until it is forgotten', () => {
  const [first, second, third] = [at(1000), at(2000), at(3000)]
  noteStart('org_1', second)
  noteStart('org_1', first)
  noteStart('org_1', third)
  noteStart('org_1', null)
  noteStart('org_2', third)
  assert.deepEqual([findStart('org_1'), findStart('org_2')], [first, third])
  forgetStart('org_1')
  assert.deepEqual([findStart('org_1'), findStart('org_2')], [undefined, third])
  noteStart('org_1', third)
  assert.equal(findStart('org_1'), third)
})
