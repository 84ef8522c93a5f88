import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentAction, FORMER_ACTIONS, storedActions } from './audit-actions.ts'

for (const former of FORMER_ACTIONS)
  test(`${former}: is found with the current name, which nothing replaces`, () => {
    const current = currentAction(former)
    assert.notEqual(current, former)
    assert.equal(currentAction(current), current)
    assert.deepEqual(storedActions(former), [current, former])
    assert.deepEqual(storedActions(current), [current, former])
  })

test('every other action has one name', () => {
  for (const action of ['createMonitor', 'joinOrganization', 'constructor', '']) {
    assert.equal(currentAction(action), action)
    assert.deepEqual(storedActions(action), [action])
  }
})
