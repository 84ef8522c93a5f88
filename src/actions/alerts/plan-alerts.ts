import { linkExpiry } from '../../domain/alerts/acknowledge-link.ts'
import { planAlerts as plan } from '../../domain/alerts/alerting.ts'
import { CHANNELS } from '../../domain/alerts/channels.ts'
import type { Timing } from '../../domain/alerts/clusters.ts'
import { type ConditionEnd, endOf } from '../../domain/alerts/condition-end.ts'
import { zoneOfContact } from '../../domain/alerts/contact.ts'
import { type AlertMessage } from '../../domain/alerts/model.ts'
import { type AlertContext, toAlert } from '../../domain/alerts/text.ts'
import {
  countActiveMonitors,
  findConditions,
  findNotifications,
  lockAlerts,
  type StoredCondition,
  savePlan,
} from '../../store/alerts/conditions.ts'
import { findContactsToAlert, type StoredContact, settingsOf } from '../../store/alerts/contacts.ts'
import { findOutageDetails } from '../../store/alerts/details.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { Cipher, OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { findZones } from '../../store/people/time-zones.ts'
import { acknowledgeUrl } from './acknowledge-url.ts'
import { queueAlert } from './queue-alert.ts'
import { queueOwnerEmails } from './queue-owner-emails.ts'

export type PlanDeps = {
  database: Database
  secrets: OrganizationSecrets
  timing: Timing
  baseUrl: string
}

const SECOND_MS = 1_000

/**
 * Queues the alerts that an organization's contacts should get now. Queued messages and the record of them are one
 * commit, so a crash loses or repeats nothing. Returns how many were queued, or undefined if another process is
 * planning.
 */
export function planAlerts(deps: PlanDeps, orgId: string): Promise<number | undefined> {
  const { database, timing } = deps
  return database.transaction(undefined, async (tx) => {
    if (!(await lockAlerts(tx, orgId))) return undefined
    const contacts = await findContactsToAlert(tx, orgId)
    const stored = await findConditions(tx, orgId, timing.togetherMs / SECOND_MS)
    const conditions = stored.map((one) => ({ ...one, ...endOf(one, tx.now) }))
    const uuids = conditions.map(({ uuid }) => uuid)
    const notifications = await findNotifications(tx, orgId, uuids)

    const planned = plan({ conditions, contacts, notifications }, timing, tx.now)

    const context = { orgId, contacts, conditions }
    if (planned.messages.length > 0) await queueAll(tx, deps, context, planned.messages)
    if (planned.ownersUuids.length > 0) await notifyOwners(tx, deps, context, planned.ownersUuids)
    await savePlan(tx, orgId, conditions, planned)
    return planned.messages.length
  })
}

type PlannedCondition = StoredCondition & ConditionEnd

type PlanContext = {
  orgId: string
  contacts: readonly StoredContact[]
  conditions: readonly PlannedCondition[]
}

async function queueAll(
  tx: Tx,
  { secrets, baseUrl }: PlanDeps,
  { orgId, contacts, conditions }: PlanContext,
  messages: readonly AlertMessage[],
): Promise<void> {
  const cipher = await secrets.cipherOf(tx, orgId)
  const organization = await findOrganizationName(tx, orgId)
  const zoneOf = await findZones(tx, orgId)
  const byUuid = new Map(conditions.map((condition) => [condition.uuid, condition]))
  const find = (uuids: readonly string[]) => uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
  const details = await findOutageDetails(tx, orgId, incidentsOf(messages, find))
  const hasDoubt = conditions.some(({ doubt }) => doubt != null)
  const monitors = hasDoubt ? { monitors: await countActiveMonitors(tx, orgId) } : {}
  for (const { contactUuid, kind, thread, conditionUuids, openUuids, escalated } of messages) {
    const found = contacts.find(({ uuid }) => uuid === contactUuid)
    if (found === undefined) throw new Error(`Contact ${contactUuid} is not there`)
    const notified = find(conditionUuids)
    const contact = { ...found, settings: settingsOf(cipher, found) }
    const setting: AlertContext = {
      organization,
      baseUrl,
      timezone: zoneOfContact(contact, zoneOf),
      at: tx.now,
      ...monitors,
      ...linkMaker(found, { orgId, cipher, baseUrl, now: tx.now }),
    }
    await queueAlert(
      tx,
      { orgId, cipher },
      {
        contact,
        alert: toAlert(
          { kind, thread, conditions: notified, open: find(openUuids), details, escalated },
          setting,
        ),
        thread,
        incidentUuids: notified.flatMap(({ incidentUuid }) => incidentUuid ?? []),
        baseUrl,
        // A recovery or a reminder is not part of the trace of the check that found the outage.
        traceparent: notified.find((one) => one.kind === kind)?.traceparent ?? null,
      },
    )
  }
}

type LinkContext = { orgId: string; cipher: Cipher; baseUrl: string; now: Date }

/** Only where people read the message: they may have no account. */
function linkMaker(
  { uuid: contactUuid, channel }: StoredContact,
  { orgId, cipher, baseUrl, now }: LinkContext,
): Pick<AlertContext, 'acknowledgeLink'> {
  if (!CHANNELS[channel].acknowledgesByLink) return {}
  const expiresAt = linkExpiry(now)
  return {
    acknowledgeLink: (incidentUuid) =>
      acknowledgeUrl(cipher, baseUrl, { orgId, incidentUuid, contactUuid, expiresAt }),
  }
}

/** One email per condition: they are usually unrelated. */
async function notifyOwners(
  tx: Tx,
  { secrets, baseUrl }: PlanDeps,
  { orgId, conditions }: PlanContext,
  uuids: readonly string[],
): Promise<void> {
  const organization = await findOrganizationName(tx, orgId)
  const reported = conditions.filter(({ uuid }) => uuids.includes(uuid))
  const owner = { orgId, cipher: await secrets.cipherOf(tx, orgId) }
  await queueOwnerEmails(tx, owner, (timezone) => {
    const setting: AlertContext = { organization, baseUrl, timezone, at: tx.now }
    return reported.map((condition) => {
      const { uuid: thread, kind } = condition
      return toAlert({ kind, thread, conditions: [condition], open: [] }, setting)
    })
  })
}

/** Only for messages about one monitor: those about several have no space for details. */
function incidentsOf(
  messages: readonly AlertMessage[],
  find: (uuids: readonly string[]) => PlannedCondition[],
): string[] {
  const notified = messages.map(({ conditionUuids }) => find(conditionUuids))
  const alone = notified.filter(
    (own) => new Set(own.map(({ monitorUuid }) => monitorUuid)).size === 1,
  )
  return [...new Set(alone.flat().flatMap(({ incidentUuid }) => incidentUuid ?? []))]
}
