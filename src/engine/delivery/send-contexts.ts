import type { Sending } from '../../channels/channel.ts'

/**
 * What sending needs, opened once for each organization. Not for all at once: one whose secrets do not open must not
 * keep the others' messages.
 */
export function openDesks<Desk>(
  sendings: readonly Sending[],
  open: (own: Sending[]) => Promise<Desk>,
): (sending: Sending) => Promise<Desk> {
  const desks = new Map(
    [...Map.groupBy(sendings, ({ orgId }) => orgId)].map(([orgId, own]) => [orgId, open(own)]),
  )
  return async ({ orgId, deliveryId }) => {
    const desk = await desks.get(orgId)
    if (desk === undefined) throw new Error(`Nothing was prepared for ${deliveryId}`)
    return desk
  }
}
