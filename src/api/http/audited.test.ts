import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
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

// A PUT replaces or adds a part of something; a DELETE with two parameters takes a part away.
const changesAPart = ({ method, path }: { method: string; path: string }) =>
  method === 'PUT' || method === 'PATCH' || (method === 'DELETE' && path.split('{').length > 2)
const parts = EXT_OPERATIONS.filter(changesAPart).map(({ id }) => id)
// The subscriber is gone as a whole, and is a resource of its own.
const WHOLE = ['removePageSubscriber']

test('every operation for keys that changes a part of something is compared before and after', () => {
  assert.ok(parts.length >= 7, String(parts.length))
  const missing = parts.filter((id) => !Object.hasOwn(AUDITED, id) && !WHOLE.includes(id))
  assert.deepEqual(missing, [])
})

test('only operations of the contract are compared', () => {
  const known = new Set([...PRIVATE_OPERATIONS, ...EXT_OPERATIONS].map(({ id }) => id))
  assert.deepEqual(
    Object.keys(AUDITED).filter((id) => !known.has(id)),
    [],
  )
})
