import { createMaintenanceWindow } from '../../actions/maintenance/create.ts'
import { deleteMaintenanceWindow } from '../../actions/maintenance/delete.ts'
import type { GivenSettings } from '../../actions/maintenance/references.ts'
import { updateMaintenanceWindow } from '../../actions/maintenance/update.ts'
import type { WithDates } from '../../contract/operation.ts'
import type { WindowInput } from '../../contract/public/maintenance-window.ts'
import * as contract from '../../contract/public/maintenance-windows.ts'
import type { Recurrence } from '../../domain/maintenance/maintenance.ts'
import { coverageProblems, scheduleProblems } from '../../domain/maintenance/rules.ts'
import { type MaintenanceWindow, toApiWindow } from '../../domain/maintenance/window.ts'
import type { AuditedFields } from '../../domain/people/audit-entry.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import { collectInTurn } from '../../platform/limits/busy-work.ts'
import * as windows from '../../store/maintenance/maintenance-windows.ts'
import { compared, counted, plain, plainFields } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listMaintenanceWindows> = async ({ query }, { tenant }) => {
  const { limit, offset, status, monitorId: monitorUuid } = query
  const page = await windows.listWindows(tenant, { limit, offset, status, monitorUuid })
  // Computing the next occurrence of a hundred windows takes long enough to delay other requests.
  const shownWindows = page.windows.values().map((window) => toApiWindow(window, page.at))
  return {
    data: await collectInTurn(tenant.orgId, shownWindows),
    pagination: { limit, offset, total: page.total },
  }
}

const create: Handler<typeof contract.createMaintenanceWindow> = async ({ body }, { tx }) =>
  shown(await createMaintenanceWindow(tx, toSettings(body) as GivenSettings))

const get: Handler<typeof contract.getMaintenanceWindow> = async ({ params }, { tenant }) => {
  return shown(await windows.findWindow(tenant, params.maintenanceId))
}

const update: Handler<typeof contract.updateMaintenanceWindow> = async (
  { params, body },
  { tx },
) => {
  const patch = toSettings(body as Partial<Given>)
  const change = await updateMaintenanceWindow(tx, params.maintenanceId, patch)
  if (!change) throw notFound('maintenance window')
  return compared(toApiWindow(change.after, change.at), change, windowFields)
}

const remove: Handler<typeof contract.deleteMaintenanceWindow> = async ({ params }, { tx }) => {
  if (!(await deleteMaintenanceWindow(tx, params.maintenanceId)))
    throw notFound('maintenance window')
  return { data: { id: toPublicId('mw', params.maintenanceId) } }
}

export const maintenanceWindowOperations: readonly BoundOperation[] = [
  bind(contract.listMaintenanceWindows, list),
  bind(contract.createMaintenanceWindow, create, { rules: createRules }),
  bind(contract.getMaintenanceWindow, get),
  bind(contract.updateMaintenanceWindow, update, { rules: updateRules }),
  bind(contract.deleteMaintenanceWindow, remove),
]

function shown(seen: windows.WindowSnapshot | undefined) {
  if (!seen) throw notFound('maintenance window')
  return toApiWindow(seen.window, seen.at)
}

function createRules(body: Record<string, unknown>): Problem[] {
  const { allMonitors, monitorIds } = body as Partial<Given>
  const covers = allMonitors !== undefined && monitorIds !== undefined
  return [...updateRules(body), ...(covers ? coverageProblems(allMonitors, monitorIds) : [])]
}

function updateRules(body: Record<string, unknown>): Problem[] {
  return scheduleProblems(toSettings(body as Partial<Given>))
}

type Given = WithDates<WindowInput>

/** Only the fields that were sent. */
function toSettings({ recurrence, ...rest }: Partial<Given>): Partial<GivenSettings> {
  if (recurrence === undefined) return rest
  return { ...rest, recurrence: recurrence && toRecurrence(recurrence) }
}

function toRecurrence(rule: NonNullable<Given['recurrence']>): Recurrence {
  const { frequency, interval, daysOfWeek = null, dayOfMonth = null, endsAt = null } = rule
  return { frequency, interval, daysOfWeek, dayOfMonth, endsAt }
}

function windowFields(window: MaintenanceWindow): AuditedFields {
  return {
    ...plainFields(window, ['name', 'description', 'startsAt', 'endsAt', 'timezone']),
    ...plainFields(window, ['allMonitors', 'showOnStatusPages', 'notifySubscribers']),
    recurrence: plain(window.recurrence && recurrenceText(window.recurrence)),
    monitors: counted(window.monitorUuids.toSorted(), 'monitor'),
    statusPages: counted(window.pageUuids.toSorted(), 'status page'),
  }
}

function recurrenceText(rule: Recurrence): string {
  const { frequency, interval, daysOfWeek, dayOfMonth, endsAt } = rule
  const unit = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' }[frequency]
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
  const parts = [every]
  if (daysOfWeek?.length) parts.push(`on ${daysOfWeek.join(', ').toLowerCase()}`)
  if (dayOfMonth !== null)
    parts.push(dayOfMonth === -1 ? 'on the last day' : `on day ${dayOfMonth}`)
  if (endsAt !== null) parts.push(`until ${endsAt.toISOString()}`)
  return parts.join(' ')
}
