import * as actions from '../../actions/monitors/create.ts'
import { deleteMonitor } from '../../actions/monitors/delete.ts'
import { pauseMonitor } from '../../actions/monitors/pause.ts'
import { resumeMonitor } from '../../actions/monitors/resume.ts'
import { updateMonitor } from '../../actions/monitors/update.ts'
import type { MonitorCreate } from '../../contract/public/monitor.ts'
import * as contract from '../../contract/public/monitors.ts'
import { defaultsOf } from '../../domain/fields/field.ts'
import type { MonitorPatch } from '../../domain/monitors/change.ts'
import {
  MONITOR_SETTINGS,
  type Monitor,
  type MonitorSettings,
  toApiMonitor,
  withoutSecrets,
} from '../../domain/monitors/monitor.ts'
import { monitorProblems, targetProblems } from '../../domain/monitors/rules.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { compared, fieldsOf } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import type { ReadContext } from '../http/contexts.ts'

const list: Handler<typeof contract.listMonitors> = async ({ query }, context) => {
  const { limit, offset } = query
  const page = await monitors.listMonitors(context.tenant, query)
  return {
    data: page.monitors.map((monitor) => toShown(monitor, context)),
    pagination: { limit, offset, total: page.total },
  }
}

const create: Handler<typeof contract.createMonitor> = async ({ body }, { tx, baseUrl }) =>
  toApiMonitor(await actions.createMonitor(tx, toSettings(body)), baseUrl)

const get: Handler<typeof contract.getMonitor> = async ({ params }, context) => {
  const monitor = await monitors.findMonitor(context.tenant, params.monitorId)
  if (!monitor) throw notFound('monitor')
  return toShown(monitor, context)
}

/** A key sees everything, whatever its access. A person with read-only access sees no credentials. */
function toShown(monitor: Monitor, { caller, baseUrl }: ReadContext) {
  const shown = toApiMonitor(monitor, baseUrl)
  const isReader = caller.actor.type === 'USER' && caller.access === 'READ_ONLY'
  return isReader ? withoutSecrets(shown) : shown
}

const update: Handler<typeof contract.updateMonitor> = async (
  { params, body },
  { tx, baseUrl },
) => {
  const change = await updateMonitor(tx, params.monitorId, body as MonitorPatch)
  if (!change) throw notFound('monitor')
  return compared(toApiMonitor(change.after, baseUrl), change, fieldsOf(MONITOR_SETTINGS))
}

const pause: Handler<typeof contract.pauseMonitor> = async ({ params }, context) =>
  changed(params.monitorId, context, pauseMonitor)

const resume: Handler<typeof contract.resumeMonitor> = async ({ params }, context) =>
  changed(params.monitorId, context, resumeMonitor)

const remove: Handler<typeof contract.deleteMonitor> = async ({ params }, { tx }) => {
  if (!(await deleteMonitor(tx, params.monitorId))) throw notFound('monitor')
  return { data: { id: toPublicId('mon', params.monitorId) } }
}

export const monitorOperations: readonly BoundOperation[] = [
  bind(contract.listMonitors, list),
  bind(contract.createMonitor, create, { rules: createRules }),
  bind(contract.getMonitor, get),
  bind(contract.updateMonitor, update),
  bind(contract.deleteMonitor, remove),
  bind(contract.pauseMonitor, pause),
  bind(contract.resumeMonitor, resume),
]

async function changed(
  uuid: string,
  { tx, baseUrl }: { tx: TenantTx; baseUrl: string },
  act: (tx: TenantTx, uuid: string) => Promise<Monitor | undefined>,
) {
  const monitor = await act(tx, uuid)
  if (!monitor) throw notFound('monitor')
  return toApiMonitor(monitor, baseUrl)
}

export function createRules(body: Record<string, unknown>): Problem[] {
  if (body['type'] === undefined) return []
  const settings = toSettings(body as MonitorCreate)
  return [...monitorProblems(settings), ...targetProblems(settings)]
}

const NOT_SENT = defaultsOf(MONITOR_SETTINGS)

export function toSettings(body: MonitorCreate): MonitorSettings {
  return { ...NOT_SENT, ...body }
}
