import { ALERT_STATES } from '../../domain/alerts/model.ts'
import {
  MAX_PUSH_DEVICES,
  type PushDevice,
  type PushSubscription,
} from '../../domain/alerts/push-device.ts'
import { ApiError } from '../../platform/api-error.ts'
import { resetContactFailures } from '../../store/alerts/contacts.ts'
import { findOwnContact, savePushDevice } from '../../store/alerts/push-devices.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { createAlertContact } from './create-contact.ts'

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }

/** Adds a browser of a member. Their contact is created with the first one, and attached to all monitors. */
export async function addPushDevice(
  tx: TenantTx,
  owner: { uuid: string; name: string },
  device: { name: string; subscription: PushSubscription },
): Promise<PushDevice> {
  await lockUsage(tx)
  const contactUuid = (await findOwnContact(tx, owner.uuid)) ?? (await createContact(tx, owner))

  const saved = await savePushDevice(tx, { contactUuid, ...device }, MAX_PUSH_DEVICES)
  if (saved === undefined)
    throw new ApiError(
      'plan_limit',
      `You can receive notifications on up to ${MAX_PUSH_DEVICES} devices. Remove one first.`,
    )
  await resetContactFailures(tx, contactUuid)
  return saved
}

async function createContact(
  tx: TenantTx,
  { uuid: ownerUuid, name }: { uuid: string; name: string },
): Promise<string> {
  const wish = { name, channel: 'WEB_PUSH' as const, settings: {}, enabled: true, rules: RULES }
  const noEmail = { baseUrl: '', canMail: false }
  const { uuid } = await createAlertContact(tx, { ...wish, ownerUuid }, 'ALL', noEmail)
  return uuid
}
