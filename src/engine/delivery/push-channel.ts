// Browser notifications: sends an alert to the devices of a contact, and records what became of it on each.
import { type PushSender, sendPush } from '../../channels/web-push/send-push.ts'
import type { Alert } from '../../domain/alerts/alert.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import type { WebhookClient } from '../../outbound/webhook-client.ts'
import { type PushTarget, recordPushOutcomes } from '../../store/alerts/push-devices.ts'
import type { PushKeys } from '../../store/alerts/push-keys.ts'
import type { Database } from '../../store/core/db.ts'

export type PushDeps = {
  database: Database
  pushKeys: PushKeys
  /** How push services reach the operator: a `mailto:` or `https:` address. */
  pushSubject: string
}

type Sending = {
  contactId: string
  deliveryId: string
  alert: Alert
  sentAt: Date
  targets: readonly PushTarget[]
}

export async function sendToDevices(
  { database, pushKeys, pushSubject }: PushDeps,
  client: WebhookClient,
  { deliveryId, targets, ...rest }: Sending,
  deadlineMs: number,
): Promise<SendResult> {
  const sender: PushSender = { keys: await pushKeys.get(database), subject: pushSubject }
  const devices = targets.filter(({ lastDeliveryId }) => lastDeliveryId !== deliveryId)
  const isAccepted = devices.length < targets.length
  const sending = { ...rest, devices, isAccepted }
  const { result, outcomes } = await sendPush(client, sender, sending, deadlineMs)
  await recordPushOutcomes(database, deliveryId, outcomes)
  return result
}
