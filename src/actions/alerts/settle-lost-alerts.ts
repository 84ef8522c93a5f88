import { ALREADY_OVER } from '../../domain/alerts/alert.ts'
import {
  type FailingContact,
  type LostAlert,
  ownerNotificationKind,
  toOwnerAlert,
} from '../../domain/alerts/owners/contact-failure.ts'
import { type FailedMessage, settleFailed } from '../../store/alerts/messages.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import {
  lockFailingContacts,
  recordOwnersNotified,
} from '../../store/deliveries/failing-contacts.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { queueOwnerEmails } from './queue-owner-emails.ts'

type LostAlertDeps = { database: Database; secrets: OrganizationSecrets; baseUrl: string }

const MAX_SETTLED = 500
// As many as fit into one email.
const MAX_PER_EMAIL = 10

/**
 * Records undelivered alerts in an organization's incidents, and notifies its owners of the unreachable contacts. All
 * of it is one commit.
 */
export function settleLostAlerts(deps: LostAlertDeps, orgId: string): Promise<void> {
  return deps.database.transaction(undefined, async (tx) => {
    const contacts = await lockFailingContacts(tx, orgId)
    const failed = await settleFailed(tx, [...contacts.keys()], MAX_SETTLED)

    const lost = toNotify(failed, contacts, tx.now)
    if (lost.length === 0) return

    await recordOwnersNotified(tx, orgId, lost)
    await queueEmails(tx, deps, orgId, lost)
  })
}

type Lost = LostAlert & { contactUuid: string }

/** The latest lost alert of each contact. Leaves out tests: the person testing sees the outcome. */
function toNotify(
  failed: readonly FailedMessage[],
  contacts: ReadonlyMap<string, FailingContact>,
  now: Date,
): Lost[] {
  const real = failed.filter(({ kind, error }) => kind !== 'TEST' && error !== ALREADY_OVER)
  const latest = new Map(real.map((message) => [message.contactUuid, message]))
  return [...latest.values()].flatMap(({ contactUuid, title, error }) => {
    const contact = contacts.get(contactUuid)
    const kind = contact && ownerNotificationKind(contact, now)
    return contact && kind ? { contactUuid, contact, kind, title, error } : []
  })
}

async function queueEmails(
  tx: Tx,
  { secrets, baseUrl }: LostAlertDeps,
  orgId: string,
  lost: readonly Lost[],
): Promise<void> {
  const organization = await findOrganizationName(tx, orgId)
  const chunks = chunksOf(lost, MAX_PER_EMAIL)
  const owner = { orgId, cipher: await secrets.cipherOf(tx, orgId) }
  await queueOwnerEmails(tx, owner, (timezone) => {
    const setting = { organization, baseUrl, timezone, at: tx.now }
    return chunks.map((own) => toOwnerAlert(own, own[0]?.contactUuid ?? orgId, setting))
  })
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
}
