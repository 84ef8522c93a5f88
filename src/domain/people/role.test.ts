import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows, ROLES, roleChangeRefusal } from './role.ts'

test('each role may do what those below it may', () => {
  const table = ROLES.map((role) => ROLES.map((needed) => allows(role, needed)))
  assert.deepEqual(table, [
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
  ])
})

test('nobody gives more than they have, nor changes those above them', () => {
  const may = (by: 'ADMIN' | 'OWNER', from: 'MEMBER' | 'OWNER' | null, to: 'ADMIN' | 'OWNER') =>
    roleChangeRefusal({ by, from, to, owners: 2 }) === undefined
  assert.equal(may('ADMIN', 'MEMBER', 'ADMIN'), true)
  assert.equal(may('ADMIN', 'MEMBER', 'OWNER'), false)
  assert.equal(may('ADMIN', 'OWNER', 'ADMIN'), false)
  assert.equal(may('ADMIN', null, 'OWNER'), false)
  assert.equal(may('OWNER', 'OWNER', 'ADMIN'), true)
})

test('the last owner stays', () => {
  const change = { by: 'OWNER', from: 'OWNER', owners: 1 } as const
  assert.match(roleChangeRefusal({ ...change, to: 'ADMIN' }) ?? '', /at least one owner/)
  assert.match(roleChangeRefusal({ ...change, to: null }) ?? '', /at least one owner/)
  assert.equal(roleChangeRefusal({ ...change, to: 'OWNER' }), undefined)
  assert.equal(roleChangeRefusal({ ...change, to: null, owners: 2 }), undefined)
})
