import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPosition } from './change-position.ts'
import { groupRows, withoutKnown } from './changed-rows.ts'
import { type ChangeRows, LISTS, MAX_CHANGES, toChanges } from './row-change.ts'

const UUID = '01940000-0000-7000-8000-000000000001'
const AT = '2026-11-15T08:00:00.123456+00:00'

function rows(more: Partial<ChangeRows> = {}): ChangeRows {
  return { monitors: [], incidents: [], receivers: [], events: [], deeds: [], ...more }
}

const monitor = (xid = 1, orgId = 'a') => ({
  orgId,
  xid,
  uuid: UUID,
  state: 'UP' as const,
  since: AT,
  checkedAt: null,
  responseMs: 42,
})
const deed = (resourceId: string | null) => ({ orgId: 'a', xid: 1, resourceId })
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

test('toChanges: nothing is nothing to tell', () => {
  assert.equal(toChanges(rows()), undefined)
  assert.equal(toChanges(rows({ deeds: [deed(null), deed('x_1'), deed('whd_1')] })), undefined)
})

test('toChanges: a monitor with ids and instants as the API writes them', () => {
  assert.deepEqual(toChanges(rows({ monitors: [monitor()] })), {
    monitors: [
      {
        id: 'mon_01jg000000e008000000000001',
        state: 'UP',
        since: '2026-11-15T08:00:00.123Z',
        lastCheckedAt: null,
        responseMs: 42,
      },
    ],
  })
})

test('toChanges: what somebody did names the list once', () => {
  const deeds = [deed('key_1'), deed('usr_1'), deed('key_2'), deed('inc_')]
  assert.deepEqual(toChanges(rows({ deeds })), { lists: ['incidents', 'members', 'keys'] })
})

test('toChanges: what would be too much is to be asked for', () => {
  const most = rows({ monitors: times(MAX_CHANGES.monitors, monitor()) })
  assert.equal(toChanges(most)?.monitors?.length, MAX_CHANGES.monitors)
  const more = rows({ monitors: times(MAX_CHANGES.monitors + 1, monitor()) })
  assert.deepEqual(toChanges(more), { lists: ['monitors'] })
  const busy = rows({ deeds: times(MAX_CHANGES.deeds + 1, deed('key_1')) })
  assert.deepEqual(toChanges(busy), { lists: [...LISTS] })
})

test('groupRows: everybody gets their own', () => {
  const groups = groupRows(rows({ monitors: [monitor(1, 'a'), monitor(2, 'b')] }))
  assert.deepEqual([...groups.keys()], ['a', 'b'])
  assert.deepEqual(groups.get('b'), rows({ monitors: [monitor(2, 'b')] }))
})

test('withoutKnown: what was told elsewhere is left out, unless it was cut off', () => {
  const position = toPosition('10:20:15', new Date(AT))
  const monitors = [monitor(9), monitor(15), monitor(19), monitor(20)]
  assert.deepEqual(
    withoutKnown(rows({ monitors }), position).monitors.map(({ xid }) => xid),
    [15, 20],
  )
  const cut = rows({ monitors: times(MAX_CHANGES.monitors + 1, monitor(9)) })
  assert.deepEqual(withoutKnown(cut, position), cut)
})
