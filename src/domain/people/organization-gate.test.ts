import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Gate, gateRefusal, requirementRefusal } from './organization-gate.ts'

const FACTOR = /requires two-factor/
const DELETION = /being deleted/

// biome-ignore format: a table is read by its columns
const GATES: [deleting: boolean, requires: boolean, has: boolean, passes: Gate[], refusal?: RegExp][] = [
  [false, false, false, []],
  [false, false, true,  []],
  [false, true,  true,  []],
  [false, true,  false, [],                            FACTOR],
  [false, true,  false, ['DELETION'],                  FACTOR],
  [false, true,  false, ['SECOND_FACTOR']],
  [true,  false, false, [],                            DELETION],
  [true,  false, false, ['SECOND_FACTOR'],             DELETION],
  [true,  false, false, ['DELETION']],
  [true,  true,  true,  [],                            DELETION],
  [true,  true,  true,  ['DELETION']],
  // Undoing a deletion needs the second factor, too.
  [true,  true,  false, ['DELETION'],                  FACTOR],
  [true,  true,  false, ['SECOND_FACTOR'],             DELETION],
  [true,  true,  false, ['DELETION', 'SECOND_FACTOR']],
]
for (const [isDeleting, requiresSecondFactor, hasSecondFactor, passes, refusal] of GATES)
  test(`${JSON.stringify({ isDeleting, requiresSecondFactor, hasSecondFactor, passes })}`, () => {
    const facts = { isDeleting, isMoving: false, requiresSecondFactor, hasSecondFactor }
    const found = gateRefusal(facts, passes)
    if (refusal === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', refusal)
  })

test('an organization that moves is closed for everyone, and no operation passes', () => {
  const facts = {
    isDeleting: true,
    isMoving: true,
    requiresSecondFactor: false,
    hasSecondFactor: true,
  }
  for (const passes of [[], ['DELETION'], ['SECOND_FACTOR', 'DELETION']] satisfies Gate[][])
    assert.match(gateRefusal(facts, passes) ?? '', /being moved to another installation/)
})

test('only someone with a second factor may require it, and anyone who may change it can stop', () => {
  assert.match(
    requirementRefusal({ isRequired: true, hasSecondFactor: false }) ?? '',
    /Set up two-factor/,
  )
  for (const [isRequired, hasSecondFactor] of [
    [true, true],
    [false, true],
    [false, false],
  ] as const)
    assert.equal(requirementRefusal({ isRequired, hasSecondFactor }), undefined)
})
