// What the audit log compares of an alert contact.
import { CHANNELS } from '../../../domain/alerts/channels.ts'
import type { AlertContact } from '../../../domain/alerts/contact.ts'
import type { AuditedField, AuditedFields } from '../../../domain/people/audit-entry.ts'
import { counted, plain, plainFields, secret } from '../../http/audited.ts'

export const attachedMonitors = (monitorUuids: readonly string[]): AuditedFields => ({
  monitors: counted(monitorUuids, 'monitor'),
})

export function contactFields(contact: AlertContact): AuditedFields {
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
