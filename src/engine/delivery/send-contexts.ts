import type { OutgoingDelivery } from '../../channels/channel.ts'

/**
 * What sending needs, opened once for each organization. Not for all at once: one whose secrets do not open must not
 * keep the others' messages.
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
