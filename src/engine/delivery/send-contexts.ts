import type { OutgoingDelivery } from '../../channels/channel.ts'

/**
 * Opens what sending needs, once per organization. Opened separately, because an organization whose secrets cannot be
 * decrypted must not block the others.
 */
export function openSendContexts<SendContext>(
  sendings: readonly OutgoingDelivery[],
  open: (own: OutgoingDelivery[]) => Promise<SendContext>,
): (sending: OutgoingDelivery) => Promise<SendContext> {
  const contexts = new Map(
    [...Map.groupBy(sendings, ({ orgId }) => orgId)].map(([orgId, own]) => [orgId, open(own)]),
  )
  return async ({ orgId, deliveryId }) => {
    const context = await contexts.get(orgId)
    if (context === undefined) throw new Error(`Nothing was prepared for ${deliveryId}`)
    return context
  }
}
