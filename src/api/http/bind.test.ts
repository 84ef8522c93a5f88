import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonitorTag, removeMonitorTag } from '../../contract/ext/tags.ts'
import { updateMe } from '../../contract/private/account.ts'
import { renameTag } from '../../contract/private/tags.ts'
import { deleteMonitor, updateMonitor } from '../../contract/public/monitors.ts'
import { AUDITED_NAME } from './audited.ts'
import { bind } from './bind.ts'

const refuse = () => Promise.reject(new Error('not called'))

test('an operation that changes fields does not compile unless it says what the audit log compares', () => {
  // @ts-expect-error A PATCH of the public API.
  bind(updateMonitor, refuse)
  // @ts-expect-error A PATCH of the dashboard.
  bind(renameTag, refuse, { rules: () => [] })
  // @ts-expect-error A PUT adds a part.
  bind(addMonitorTag, refuse)
  // @ts-expect-error A DELETE with two parameters takes a part away.
  bind(removeMonitorTag, refuse)

  assert.equal(bind(updateMonitor, refuse, { audited: AUDITED_NAME }).audited, AUDITED_NAME)
  assert.equal(bind(updateMonitor, refuse, { audited: null }).audited, null)
})

test('what is deleted whole, or belongs to a person, needs to say nothing', () => {
  assert.equal(bind(deleteMonitor, refuse).audited, null)
  assert.equal(bind(updateMe, refuse).audited, null)
})
