import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRIVATE_OPERATIONS } from '../../contract/private/operations.ts'
import { AUDITED } from './audited.ts'

// What a person changes about themselves belongs to no organization, and is not in its log.
const updates = PRIVATE_OPERATIONS.filter(
  ({ method, who }) => method === 'PATCH' && who !== 'PERSON' && who !== 'ANYONE',
)

test('every operation that updates something is compared before and after', () => {
  assert.ok(updates.length >= 10, String(updates.length))
  const missing = updates.map(({ id }) => id).filter((id) => !Object.hasOwn(AUDITED, id))
  assert.deepEqual(missing, [])
})

test('only operations of the contract are compared', () => {
  const known = new Set(PRIVATE_OPERATIONS.map(({ id }) => id))
  assert.deepEqual(
    Object.keys(AUDITED).filter((id) => !known.has(id)),
    [],
  )
})
