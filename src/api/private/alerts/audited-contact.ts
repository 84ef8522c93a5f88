// What the audit log compares of an alert contact.
import { CHANNELS } from '../../../domain/alerts/channels.ts'
import type { AuditedField, AuditedFields } from '../../../domain/people/audit-entry.ts'
import { listAttached } from '../../../store/alerts/contact-monitors.ts'
import { findContact } from '../../../store/alerts/contacts.ts'
import type { TenantTx } from '../../../store/core/tenants.ts'
import {
  type Audited,
  auditedById,
  counted,
  plain,
  plainFields,
  secret,
} from '../../http/audited.ts'

export const AUDITED_CONTACT: Audited = auditedById('act', readContact)

export const AUDITED_ATTACHED: Audited = auditedById('act', async (tx, uuid) => ({
  monitors: counted(await listAttached(tx, uuid), 'monitor'),
}))

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
