import { renameView } from '../../actions/views/rename.ts'
import { saveView } from '../../actions/views/save.ts'
import * as contract from '../../contract/private/monitors/views.ts'
import { type SavedView, toViewName } from '../../domain/monitors/view.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import { deleteView, listViews } from '../../store/monitors/views.ts'
import { compared, plainFields } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listMonitorViews> = async (_input, { tenant }) => ({
  data: (await listViews(tenant)).map(toApiView),
})

const save: Handler<typeof contract.saveMonitorView> = async ({ body }, { tx }) =>
  toApiView(await saveView(tx, { name: toViewName(body.name), filter: body.filter }))

const rename: Handler<typeof contract.renameMonitorView> = async ({ params, body }, { tx }) => {
  const change = await renameView(tx, params.viewId, toViewName(body.name))
  if (!change) throw notFound('view')
  return compared(toApiView(change.after), change, (view) => plainFields(view, ['name']))
}

const remove: Handler<typeof contract.deleteMonitorView> = async ({ params }, { tx }) => {
  if (!(await deleteView(tx, params.viewId))) throw notFound('view')
  return { data: { id: toPublicId('mvw', params.viewId) } }
}

export const monitorViewOperations: readonly BoundOperation[] = [
  bind(contract.listMonitorViews, list),
  bind(contract.saveMonitorView, save, { rules: nameRules }),
  bind(contract.renameMonitorView, rename, { rules: nameRules }),
  bind(contract.deleteMonitorView, remove),
]

function nameRules({ name }: Record<string, unknown>): Problem[] {
  if (typeof name !== 'string' || toViewName(name) !== '') return []
  return [{ path: 'name', message: 'must have at least one visible character' }]
}

const toApiView = ({ uuid, ...view }: SavedView) => ({ id: toPublicId('mvw', uuid), ...view })
