// Alert contacts, as managed by an organization's admins.
import { resendConfirmation } from '../../actions/alerts/confirm-contact.ts'
import { createAlertContact } from '../../actions/alerts/create-contact.ts'
import { deleteAlertContact } from '../../actions/alerts/delete-contact.ts'
import { moveFromOpsgenie } from '../../actions/alerts/move-contact.ts'
import { testAlertContact } from '../../actions/alerts/test-contact.ts'
import { updateAlertContact } from '../../actions/alerts/update-contact.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import * as contract from '../../contract/private/alert-contacts.ts'
import {
  type AlertContact,
  mergeSettings,
  rulesProblems,
  secretsToRepeat,
  settingsProblems,
  toApiContact,
} from '../../domain/alerts/contact.ts'
import type { AlertState } from '../../domain/alerts/model.ts'
import { type AddressPolicy, publicOnly } from '../../domain/events/webhook.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import {
  attachMonitors,
  detachMonitors,
  listAttached,
} from '../../store/alerts/contact-monitors.ts'
import * as contacts from '../../store/alerts/contacts.ts'
import { listMessages, type SentMessage } from '../../store/alerts/messages.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, TenantTx } from '../../store/core/tenants.ts'
import { hasPrivateTargets } from '../../store/people/organizations.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { compared } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { attachedMonitors, contactFields } from './alerts/audited-contact.ts'
import { escalationOperations } from './alerts/escalation.ts'
import { countContactTest } from './receiver-tests.ts'

const SHOWN_DELIVERIES = 50

// Per organization in 15 minutes.
const MAX_CONFIRMATIONS = 20

type ContactDeps = { policy: AddressPolicy; canMail: boolean }

export function alertContactOperations(deps: ContactDeps): readonly BoundOperation[] {
  return [
    bind(contract.resendContactConfirmation, resendWith(deps.canMail), {
      prepare: countConfirmation,
    }),
    bind(contract.listAlertContacts, list),
    bind(contract.createAlertContact, createWith(deps), { prepare: countAddress }),
    bind(contract.getAlertContact, get),
    bind(contract.updateAlertContact, updateWith(deps), { prepare: countAddress }),
    bind(contract.moveAlertContact, moveWith(deps.policy)),
    bind(contract.deleteAlertContact, remove),
    bind(contract.testAlertContact, test, { prepare: countTest }),
    bind(contract.attachAlertContact, attach),
    bind(contract.listAlertDeliveries, deliveries),
    ...escalationOperations,
  ]
}

function createWith({ policy, canMail }: ContactDeps): Handler<typeof contract.createAlertContact> {
  return async ({ body }, { tx, baseUrl }) => {
    const { name, channel, settings, enabled, allMonitors } = body
    const wish = { name, channel, settings, enabled, rules: toRules(body) }
    refuse(wish, await policyOf(tx, policy))
    const way = { baseUrl, canMail }
    const contact = await createAlertContact(tx, wish, allMonitors ? 'ALL' : [], way)
    const secret = channel === 'WEBHOOK' ? (contact.settings['secret'] ?? null) : null
    return { ...toApiContact(contact), secret }
  }
}

function updateWith({ policy, canMail }: ContactDeps): Handler<typeof contract.updateAlertContact> {
  return async ({ params, body }, { tx, baseUrl }) => {
    // Unchanged settings are not validated again: a contact can be renamed or disabled whatever its address.
    const own = body.settings === undefined ? policy : await policyOf(tx, policy)
    const toWish = (contact: AlertContact) => {
      const wish = withChanges(contact, body as Partial<RuleBody> & Change)
      refuse(wish, own, secretsToRepeat(contact.channel, contact.settings, body.settings ?? {}))
      return wish
    }
    const changed = await updateAlertContact(tx, params.contactId, toWish, { baseUrl, canMail })
    if (!changed) throw notFound('alert contact')
    return compared(toApiContact(changed.after), changed, contactFields)
  }
}

function resendWith(canMail: boolean): Handler<typeof contract.resendContactConfirmation> {
  return async ({ params }, { tx, baseUrl }) => {
    const contact = await resendConfirmation(tx, params.contactId, { baseUrl, canMail })
    if (!contact) throw notFound('alert contact')
    return toApiContact(contact)
  }
}

function moveWith(policy: AddressPolicy): Handler<typeof contract.moveAlertContact> {
  return async ({ params, body: { apiKey } }, { tx }) => {
    if (apiKey !== undefined) {
      const problems = settingsProblems('JIRA_SERVICE_MANAGEMENT', { apiKey }, policy)
      if (problems.length > 0)
        throw validationError(problems.map(({ message }) => ({ path: 'apiKey', message })))
    }
    const change = await moveFromOpsgenie(tx, params.contactId, apiKey)
    if (!change) throw notFound('alert contact')
    return compared(toApiContact(change.after), change, contactFields)
  }
}

const list: Handler<typeof contract.listAlertContacts> = async (_input, { tenant }) => ({
  data: (await contacts.listContacts(tenant)).map(toApiContact),
})

const get: Handler<typeof contract.getAlertContact> = async ({ params }, { tenant }) => {
  const contact = await contacts.findContact(tenant, params.contactId)
  if (!contact) throw notFound('alert contact')
  return {
    ...toApiContact(contact),
    monitorIds: (await listAttached(tenant, contact.uuid)).map(toMonitorId),
  }
}

const remove: Handler<typeof contract.deleteAlertContact> = async ({ params }, { tx }) => {
  if (!(await deleteAlertContact(tx, params.contactId))) throw notFound('alert contact')
  return { data: { id: toPublicId('act', params.contactId) } }
}

const test: Handler<typeof contract.testAlertContact> = async ({ params }, { tx, baseUrl }) => {
  const deliveryUuid = await testAlertContact(tx, params.contactId, baseUrl)
  if (!deliveryUuid) throw notFound('alert contact')
  return { deliveryId: toPublicId('whd', deliveryUuid) }
}

const attach: Handler<typeof contract.attachAlertContact> = async ({ params, body }, { tx }) => {
  if ((await contacts.lockContact(tx, params.contactId)) === undefined)
    throw notFound('alert contact')
  const monitors = body.monitorIds?.flatMap((id) => fromPublicId('mon', id) ?? []) ?? null
  const before = await listAttached(tx, params.contactId)
  if (body.do === 'ATTACH') await attachMonitors(tx, params.contactId, monitors)
  else await detachMonitors(tx, params.contactId, monitors)
  const after = await listAttached(tx, params.contactId)
  return compared({ monitorIds: after.map(toMonitorId) }, { before, after }, attachedMonitors)
}

const deliveries: Handler<typeof contract.listAlertDeliveries> = async ({ params }, { tenant }) => {
  if ((await contacts.findContact(tenant, params.contactId)) === undefined)
    throw notFound('alert contact')
  return {
    data: (await listMessages(tenant, params.contactId, SHOWN_DELIVERIES)).map(toApiMessage),
  }
}

type Asking = { people: Database; tenant: Tenant }

/** A new or changed address gets a confirmation email. */
async function countAddress(
  input: { body: { settings?: Record<string, string> } },
  context: Asking,
): Promise<void> {
  if (input.body.settings?.['address'] !== undefined) await countConfirmation(input, context)
}

async function countConfirmation(_input: unknown, { people, tenant }: Asking): Promise<void> {
  const subject = subjectOf('contact-confirm', tenant.orgId)
  await limitRequests(people, [{ subject, limit: MAX_CONFIRMATIONS }])
}

const countTest = (_input: unknown, { people, tenant }: Asking): Promise<void> =>
  countContactTest(people, tenant.orgId)

const toMonitorId = (uuid: string): string => toPublicId('mon', uuid)

type RuleBody = {
  states: readonly AlertState[]
  delayMinutes: number
  reminderMinutes: number | null
  quietHours: { from: string; to: string; timezone: string } | null
}
type Change = { name?: string; enabled?: boolean; settings?: Record<string, string> }

function toRules({ states, delayMinutes, reminderMinutes, quietHours }: RuleBody) {
  const quiet = quietHours && {
    from: quietHours.from,
    to: quietHours.to,
    zone: quietHours.timezone,
  }
  return { states, delayMinutes, reminderMinutes, quiet }
}

function withChanges(
  contact: AlertContact,
  body: Partial<RuleBody> & Change,
): contacts.ContactInput {
  const { quiet } = contact.rules
  const quietHours = quiet && { from: quiet.from, to: quiet.to, timezone: quiet.zone }
  const { name = contact.name, enabled = contact.enabled, settings = {}, ...rules } = body
  return {
    name,
    enabled,
    channel: contact.channel,
    settings: mergeSettings(contact.settings, settings),
    rules: toRules({ ...contact.rules, quietHours, ...rules }),
  }
}

const policyOf = async (tx: TenantTx, policy: AddressPolicy): Promise<AddressPolicy> =>
  (await hasPrivateTargets(tx)) ? policy : publicOnly(policy)

function refuse(
  { channel, settings, rules }: contacts.ContactInput,
  policy: AddressPolicy,
  more: readonly Problem[] = [],
): void {
  const problems = [
    ...settingsProblems(channel, settings, policy),
    ...more,
    ...rulesProblems(rules),
  ]
  if (problems.length > 0) throw validationError(problems)
}

function toApiMessage({ uuid, nextAttemptAt, createdAt, completedAt, ...rest }: SentMessage) {
  return {
    id: toPublicId('whd', uuid),
    ...rest,
    nextAttemptAt,
    createdAt,
    completedAt,
  }
}
