// Saved views of the monitor list, shared by everyone in the organization.
import { LISTED_STATES, MONITOR_SORTS } from '../../../domain/monitors/list-order.ts'
import { MONITOR_TYPES } from '../../../domain/monitors/monitor.ts'
import { MAX_VIEW_CHARACTERS } from '../../../domain/monitors/view.ts'
import { closed, Deleted, input, oneOf } from '../../schema.ts'
import { Type } from '../../type.ts'
import { displayName } from '../display-name.ts'
import { privateOperation } from '../operation.ts'

const ViewParams = Type.Object({ viewId: Type.String() })
const PATH = '/monitor-views'

const viewName = Type.String({ ...displayName, maxLength: MAX_VIEW_CHARACTERS })
const filter = {
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  state: Type.Optional(oneOf(LISTED_STATES)),
  type: Type.Optional(oneOf(MONITOR_TYPES)),
  tagId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  sort: Type.Optional(oneOf(MONITOR_SORTS)),
  reversed: Type.Optional(Type.Boolean()),
}
const MonitorView = closed({ id: Type.String(), name: Type.String(), filter: closed(filter) })

/** By name. */
export const listMonitorViews = privateOperation({
  id: 'listMonitorViews',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  reply: { status: 200, body: closed({ data: Type.Array(MonitorView) }) },
})

export const saveMonitorView = privateOperation({
  id: 'saveMonitorView',
  method: 'POST',
  path: PATH,
  who: 'MEMBER',
  body: { schema: input({ name: viewName, filter: input(filter) }), required: true },
  reply: { status: 201, body: MonitorView },
})

export const renameMonitorView = privateOperation({
  id: 'renameMonitorView',
  method: 'PATCH',
  path: `${PATH}/{viewId}`,
  who: 'MEMBER',
  params: ViewParams,
  body: { schema: input({ name: viewName }), required: true },
  reply: { status: 200, body: MonitorView },
})

export const deleteMonitorView = privateOperation({
  id: 'deleteMonitorView',
  method: 'DELETE',
  path: `${PATH}/{viewId}`,
  who: 'MEMBER',
  params: ViewParams,
  reply: { status: 200, body: Deleted },
})

export const MONITOR_VIEW_OPERATIONS = [
  listMonitorViews,
  saveMonitorView,
  renameMonitorView,
  deleteMonitorView,
] as const
