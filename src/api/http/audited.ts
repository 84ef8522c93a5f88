// What each audited change is compared by: the fields of its object, before and after. Secrets are marked, so that the
// audit log only says that they changed.
import { MonitorCreate } from '../../contract/public/monitor.ts'
import { CHANNELS } from '../../domain/alerts/channels.ts'
import { type EscalationStep, toTarget } from '../../domain/alerts/escalation.ts'
import type { Recurrence } from '../../domain/maintenance/maintenance.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { AuditedField, AuditedFields } from '../../domain/people/audit-entry.ts'
import { PAGE_SETTINGS, type StatusPage } from '../../domain/status-pages/status-page.ts'
import { fromPublicId, type IdPrefix } from '../../domain/values/id.ts'
import { listAttached } from '../../store/alerts/contact-monitors.ts'
import { findContact } from '../../store/alerts/contacts.ts'
import { findPolicy } from '../../store/alerts/escalation.ts'
import { findHomeRegion } from '../../store/core/regions.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findEndpoint } from '../../store/deliveries/webhook-endpoints.ts'
import { findWindow } from '../../store/maintenance/maintenance-windows.ts'
import { findMonitor } from '../../store/monitors/monitors.ts'
import { findTagsOf } from '../../store/monitors/tags.ts'
import { lockOwnKey } from '../../store/people/api-keys.ts'
import { findName } from '../../store/people/audit-names.ts'
import { lockMembers } from '../../store/people/members.ts'
import { findSettings } from '../../store/people/organization-settings.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { countBindings } from '../../store/sources/bindings.ts'
import { findSectionTags } from '../../store/status-pages/followed-tags.ts'
import { findNotes } from '../../store/status-pages/incident-notes.ts'
import { findLedgerStart } from '../../store/status-pages/ledger.ts'
import { findStatusIncident } from '../../store/status-pages/status-incidents.ts'
import { findPage } from '../../store/status-pages/status-pages.ts'

/** `id` is the first parameter of the path; empty if there is none. Undefined if there is no such object. */
type ReadFields = (tx: TenantTx, id: string) => Promise<AuditedFields | undefined>

/** By operation. A change that is not listed here is recorded without its fields. */
export const AUDITED: Readonly<Record<string, ReadFields>> = {
  updateMonitor: of('mon', readMonitor),
  setMonitorTags: of('mon', readTags),
  addMonitorTag: of('mon', readTags),
  removeMonitorTag: of('mon', readTags),
  updateStatusPage: of('sp', readPage),
  followTag: of('sp', readFollowing),
  setPageLedger: of('sp', async (tx, uuid) => ({
    ledger: plain((await findLedgerStart(tx, uuid)) !== undefined),
  })),
  updateStatusIncident: of('sin', readStatusIncident),
  savePostMortem: of('sin', readPostMortem),
  deletePostMortem: of('sin', readPostMortem),
  updateMaintenanceWindow: of('mw', readWindow),
  updateWebhookEndpoint: of('whe', readEndpoint),
  updateAlertContact: of('act', readContact),
  moveAlertContact: of('act', readContact),
  attachAlertContact: of('act', readAttached),
  putEscalationPolicy: readEscalation,
  detachAlertContact: of('act', readAttached),
  updateKey: of('key', readKey),
  changeRole: of('usr', readMember),
  putSourceBindings: readSource,
  renameTag: readName,
  renameMonitorView: readName,
  renameOrganization: async (tx) => ({ name: plain(await findOrganizationName(tx, tx.orgId)) }),
  changeTimezone: async (tx) => ({ timezone: plain((await findSettings(tx)).timezone) }),
  requireSecondFactor: async (tx) => ({
    requireTwoFactor: plain((await findSettings(tx)).requiresSecondFactor),
  }),
  changeHomeRegion: async (tx) => ({ homeRegion: plain(await findHomeRegion(tx)) }),
}

function of(prefix: IdPrefix, read: ReadFields): ReadFields {
  return async (tx, id) => {
    const uuid = fromPublicId(prefix, id)
    return uuid === undefined ? undefined : read(tx, uuid)
  }
}

async function readName(tx: TenantTx, id: string): Promise<AuditedFields> {
  return { name: plain((await findName(tx, id)) ?? null) }
}

const plain = (value: unknown): AuditedField => ({ value })
const secret = (value: unknown): AuditedField => ({ value, isSecret: true })
const counted = (values: readonly unknown[], noun: string): AuditedField => ({
  value: values,
  shown: `${values.length} ${noun}${values.length === 1 ? '' : 's'}`,
})

function plainFields<T extends object>(object: T, fields: readonly (keyof T & string)[]) {
  return Object.fromEntries(
    fields.map((field): [string, AuditedField] => [field, plain(object[field])]),
  )
}

// Safe because a monitor is created with exactly its settings.
const MONITOR_FIELDS = Object.keys(MonitorCreate.properties) as (keyof MonitorSettings)[]

async function readMonitor(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const monitor = await findMonitor(tx, uuid)
  return (
    monitor && {
      ...plainFields<MonitorSettings>(monitor, MONITOR_FIELDS),
      requestHeaders: secret(monitor.requestHeaders),
      requestBody: secret(monitor.requestBody),
    }
  )
}

async function readTags(tx: TenantTx, uuid: string): Promise<AuditedFields> {
  return { tags: plain((await findTagsOf(tx, uuid))?.map(({ name }) => name) ?? []) }
}

async function readSource(tx: TenantTx, name: string): Promise<AuditedFields> {
  return { bindings: plain(await countBindings(tx, name)) }
}

async function readPage(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const page = await findPage(tx, uuid)
  if (page === undefined) return undefined
  const { sections } = page
  return {
    ...plainFields(page, PAGE_SETTINGS),
    passwordProtected: plain(page.passwordProtected),
    sections: {
      value: sections.map(toSectionSettings),
      shown: sections.map(sectionText).join('; '),
    },
  }
}

/** What is published by it is in `sections`. */
async function readFollowing(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const page = await readPage(tx, uuid)
  const tags = await findSectionTags(tx, [uuid])
  const { sections = plain(null) } = page ?? {}
  return page && { sections, followedTags: plain([...tags.values()].map(({ name }) => name)) }
}

type ShownSection = StatusPage['sections'][number]

/** Without states, which change by themselves. */
function toSectionSettings({ name, collapsed, components }: ShownSection) {
  const settings = components.map(({ name: own, description, monitorUuid, manualState }) => [
    own,
    description,
    monitorUuid,
    manualState,
  ])
  return { name, collapsed, settings }
}

function sectionText({ name, components }: ShownSection): string {
  const names = components.map((component) => component.name ?? component.monitorName ?? '')
  return `${name ?? 'Untitled section'}: ${names.join(', ')}`
}

async function readStatusIncident(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const incident = await findStatusIncident(tx, uuid)
  return (
    incident && {
      ...plainFields(incident, ['title', 'status', 'impact', 'startedAt', 'resolvedAt']),
      statusPages: counted(incident.pageUuids.toSorted(), 'status page'),
      components: counted(incident.components, 'component'),
    }
  )
}

async function readPostMortem(tx: TenantTx, uuid: string): Promise<AuditedFields> {
  const notes = await findNotes(tx, uuid)
  return { message: plain(notes?.postMortem?.message ?? null) }
}

async function readWindow(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const window = (await findWindow(tx, uuid))?.window
  return (
    window && {
      ...plainFields(window, ['name', 'description', 'startsAt', 'endsAt', 'timezone']),
      ...plainFields(window, ['allMonitors', 'showOnStatusPages', 'notifySubscribers']),
      recurrence: plain(window.recurrence && recurrenceText(window.recurrence)),
      monitors: counted(window.monitorUuids.toSorted(), 'monitor'),
      statusPages: counted(window.pageUuids.toSorted(), 'status page'),
    }
  )
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

async function readEndpoint(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const endpoint = await findEndpoint(tx, uuid)
  return endpoint && plainFields(endpoint, ['url', 'description', 'eventTypes', 'enabled'])
}

async function readContact(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const contact = await findContact(tx, uuid)
  if (contact === undefined) return undefined
  const { channel, settings, rules } = contact
  const { states, delayMinutes, reminderMinutes, quiet } = rules
  const { fields } = CHANNELS[channel]
  const own = Object.entries(settings).map(([name, value]): [string, AuditedField] => [
    name,
    fields[name]?.secret === false ? plain(value) : secret(value),
  ])
  return {
    ...plainFields(contact, ['name', 'channel', 'enabled']),
    ...Object.fromEntries(own),
    states: plain(states),
    delayMinutes: plain(delayMinutes),
    reminderMinutes: plain(reminderMinutes),
    quietHours: plain(quiet && `${quiet.from}–${quiet.to} ${quiet.zone}`),
  }
}

async function readAttached(tx: TenantTx, uuid: string): Promise<AuditedFields> {
  return { monitors: counted(await listAttached(tx, uuid), 'monitor') }
}

async function readEscalation(tx: TenantTx, id: string): Promise<AuditedFields | undefined> {
  const target = toTarget(id)
  if (target === undefined) return undefined
  const steps = (await findPolicy(tx, target))?.steps
  return { steps: steps ? { value: steps, shown: steps.map(stepText).join('; ') } : plain(null) }
}

const stepText = ({ afterMinutes, contactUuids }: EscalationStep): string =>
  `after ${afterMinutes} min ${counted(contactUuids, 'contact').shown}`

async function readKey(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const key = await lockOwnKey(tx, uuid)
  return (
    key && {
      name: plain(key.name),
      enabled: plain(key.disabledAt === null),
      mcpWrites: plain(key.mcpWrites),
    }
  )
}

async function readMember(tx: TenantTx, uuid: string): Promise<AuditedFields> {
  return { role: plain((await lockMembers(tx)).get(uuid)?.role) }
}
