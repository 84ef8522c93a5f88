import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorRefusal } from './operator.ts'

const now = new Date('2026-11-14T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

// biome-ignore format: a table is read by its columns
const table: [isOperator: boolean, hasSecondFactor: boolean, signedInAt: Date, refusal: string | undefined][] = [
  [true,  true,  ago(0),   undefined],
  [true,  true,  ago(600), undefined],
  [true,  true,  ago(601), 'STALE'],
  [true,  false, ago(0),   'NO_SECOND_FACTOR'],
  [true,  false, ago(601), 'NO_SECOND_FACTOR'],
  [false, true,  ago(0),   'NO_OPERATOR'],
  [false, false, ago(601), 'NO_OPERATOR'],
]

for (const [isOperator, hasSecondFactor, createdAt, refusal] of table)
  test(`operator ${isOperator}, second factor ${hasSecondFactor}, signed in ${createdAt.toISOString()}: ${refusal ?? 'may'}`, () => {
    const standing = { isOperator, hasSecondFactor, session: { createdAt }, now }
    assert.equal(operatorRefusal(standing), refusal)
  })
