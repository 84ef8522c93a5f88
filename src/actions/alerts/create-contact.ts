import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { AlertContact, ContactSettings } from '../../domain/alerts/contact.ts'
import { ApiError } from '../../platform/api-error.ts'
import { attachMonitors } from '../../store/alerts/contact-monitors.ts'
import * as contacts from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { newWebhookSecret } from '../webhooks/secret.ts'
import { type EmailOptions, requestConfirmation } from './confirm-contact.ts'

/** Attaches the contact to the given monitors, or to all existing ones with 'ALL'. */
export async function createAlertContact(
  tx: TenantTx,
  wish: contacts.ContactInput,
  monitorUuids: readonly string[] | 'ALL',
  emailOptions: EmailOptions,
): Promise<AlertContact> {
  await lockUsage(tx)
  if ((await contacts.countContacts(tx)) >= contacts.MAX_CONTACTS)
    throw new ApiError('plan_limit', `There may be ${contacts.MAX_CONTACTS} alert contacts.`)

  const uuid = tx.newUuid()
  await contacts.insertContact(tx, uuid, { ...wish, settings: signing(wish) })
  await attachMonitors(tx, uuid, monitorUuids === 'ALL' ? null : monitorUuids)
  if (wish.channel === 'EMAIL')
    await requestConfirmation(tx, { uuid, address: wish.settings['address'] ?? '' }, emailOptions)
  const contact = await contacts.findContact(tx, uuid)
  if (contact === undefined) throw new Error('The contact was not inserted')
  return contact
}

function signing({
  channel,
  settings,
}: {
  channel: ContactChannel
  settings: ContactSettings
}): ContactSettings {
  if (channel !== 'WEBHOOK' || settings['secret']) return settings
  return { ...settings, secret: newWebhookSecret() }
}
