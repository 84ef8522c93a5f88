import {
  type AcknowledgeLink,
  linkLocation,
  linkUse,
  readAcknowledgeToken,
} from '../../domain/alerts/acknowledge-link.ts'
import type { AlertContact } from '../../domain/alerts/contact.ts'
import { toAuditName } from '../../domain/people/audit-entry.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { findContact } from '../../store/alerts/contacts.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../../store/core/tenants.ts'
import { findIncident, type IncidentDetailRecord } from '../../store/incidents/incidents.ts'
import { appendAudit } from '../../store/people/audit-log.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { acknowledgeIncident } from './acknowledge.ts'

/** What a link is about. */
export type LinkedIncident = {
  organization: string
  monitor: string
  cause: string
  startedAt: Date
  contact: string
  /** Null while nobody has. */
  acknowledgedBy: string | null
  acknowledgedAt: Date | null
  resolvedAt: Date | null
  /** Whether the link still acknowledges. Otherwise it only shows what became of the incident. */
  works: boolean
}

/** Undefined if the link is not ours, expired weeks ago, or its incident or contact is gone. */
export async function readAcknowledgeLink(
  tenant: Tenant,
  token: string,
  now: Date,
): Promise<LinkedIncident | undefined> {
  const found = await follow(tenant, token, now)
  return found && toLinked(tenant, found)
}

/** A second person sees who was first. */
export async function acknowledgeByLink(
  tx: TenantTx,
  token: string,
): Promise<LinkedIncident | undefined> {
  const found = await follow(tx, token, tx.now)
  if (found === undefined || !found.works) return undefined
  const { incident, contact } = found
  if (incident.acknowledgedAt !== null) return toLinked(tx, found)
  const by = { byType: 'ALERT_CONTACT' as const, byUuid: contact.uuid, byName: contact.name }
  const acknowledged = await acknowledgeIncident(tx, incident.uuid, { ...by, note: null })
  if (acknowledged === undefined) return undefined
  // Someone else may have been faster, and has an entry of their own.
  const { acknowledgedAt, acknowledgement } = acknowledged
  const isFirst =
    acknowledgement?.byUuid === contact.uuid && acknowledgedAt?.getTime() === tx.now.getTime()
  if (isFirst) await audit(tx, incident, contact)
  return toLinked(tx, { ...found, incident: acknowledged })
}

async function audit(
  tx: TenantTx,
  { uuid, monitor }: IncidentDetailRecord,
  contact: AlertContact,
): Promise<void> {
  await appendAudit(tx, {
    actor: { type: 'ALERT_CONTACT', id: contact.uuid, name: contact.name },
    action: 'acknowledgeIncident',
    resourceId: toPublicId('inc', uuid),
    resourceName: toAuditName(monitor.name),
    requestId: null,
    detail: {},
  })
}

type Followed = { incident: IncidentDetailRecord; contact: AlertContact; works: boolean }

async function follow(tenant: Tenant, token: string, now: Date): Promise<Followed | undefined> {
  const read = readAcknowledgeToken(token)
  if (read === undefined || read.link.orgId !== tenant.orgId) return undefined
  const { link, proof } = read
  // First, because an organization that does not exist has no key to prove anything with.
  const incident = await findIncident(tenant, link.incidentUuid)
  if (incident === undefined || !isProven(await tenant.cipher(), link, proof)) return undefined
  const use = linkUse(link, incident, now)
  if (use === undefined) return undefined
  const contact = await findContact(tenant, link.contactUuid)
  return contact && { incident, contact, works: use === 'ACKNOWLEDGE' }
}

/** Sealed by us for exactly this incident, contact and time. */
function isProven(cipher: Cipher, link: AcknowledgeLink, proof: Buffer): boolean {
  try {
    return cipher.unseal(linkLocation(link), proof) === ''
  } catch {
    return false
  }
}

async function toLinked(tenant: Tenant, followed: Followed): Promise<LinkedIncident> {
  const { incident, contact, works } = followed
  const { monitor, cause, startedAt, acknowledgement, acknowledgedAt, resolvedAt } = incident
  return {
    organization: await findOrganizationName(tenant, tenant.orgId),
    monitor: monitor.name,
    cause,
    startedAt,
    contact: contact.name,
    acknowledgedBy: acknowledgement?.byName ?? null,
    acknowledgedAt,
    resolvedAt,
    works,
  }
}
