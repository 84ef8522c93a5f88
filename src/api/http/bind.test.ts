import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonitorTag, removeMonitorTag } from '../../contract/ext/tags.ts'
import type { BaseOperation, HandlerOutput } from '../../contract/operation.ts'
import { updateMe } from '../../contract/private/account.ts'
import { renameTag } from '../../contract/private/tags.ts'
import { deleteMonitor, updateMonitor } from '../../contract/public/monitors.ts'
import { Audited } from './audited.ts'
import { bind } from './bind.ts'

/** A handler of this operation that only responds. */
const responding =
  <O extends BaseOperation>({ id }: O) =>
  (): Promise<HandlerOutput<O>> =>
    Promise.reject(new Error(`${id} is not called`))

test('an operation that changes fields does not compile unless it says what changed', () => {
  // @ts-expect-error A PATCH of the public API.
  bind(updateMonitor, responding(updateMonitor))
  // @ts-expect-error A PATCH of the dashboard.
  bind(renameTag, responding(renameTag), { rules: () => [] })
  // @ts-expect-error A PUT adds a part.
  bind(addMonitorTag, responding(addMonitorTag))
  // @ts-expect-error A DELETE with two parameters takes a part away.
  bind(removeMonitorTag, responding(removeMonitorTag))

  const respond = responding(updateMonitor)
  const bound = bind(updateMonitor, async () => new Audited(await respond(), { changes: [] }))
  assert.equal(bound.operation, updateMonitor)
})

test('what is deleted whole, or belongs to a person, needs to say nothing', () => {
  assert.equal(bind(deleteMonitor, responding(deleteMonitor)).operation, deleteMonitor)
  assert.equal(bind(updateMe, responding(updateMe)).operation, updateMe)
})
