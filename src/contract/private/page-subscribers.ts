// The subscribers of a status page, for the members who manage it.
import Type from 'typebox'
import { SUBSCRIBER_KINDS } from '../../domain/status-pages/subscriber.ts'
import { closed, Deleted, input, nullable, oneOf, PAGE_QUERY, page, Timestamp } from '../schema.ts'
import { ORGANIZATION_PATH, ORGANIZATION_PROPERTIES, privateOperation } from './operation.ts'

const PageParams = Type.Object({ ...ORGANIZATION_PROPERTIES, statusPageId: Type.String() })
/** WAITING: the confirmation email is sent, but its link was not followed yet. */
export const SUBSCRIBER_STATES = ['CONFIRMED', 'WAITING'] as const

export const listPageSubscribers = privateOperation({
  id: 'listPageSubscribers',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/overview/status-pages/{statusPageId}/subscribers`,
  who: 'MEMBER',
  params: PageParams,
  query: input({
    ...PAGE_QUERY,
    state: oneOf(SUBSCRIBER_STATES, { default: 'CONFIRMED' }),
    /** A full address: addresses are stored encrypted, so a partial search is not possible. */
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  }),
  reply: {
    status: 200,
    body: page(
      closed({
        id: Type.String(),
        kind: oneOf(SUBSCRIBER_KINDS),
        /** Of Slack and webhooks only where it leads: the full URL is all it takes to post there. */
        address: Type.String(),
        /** How many components they chose; null for the whole page. */
        components: nullable(Type.Integer()),
        askedAt: Timestamp,
        confirmedAt: nullable(Timestamp),
      }),
    ),
  },
})

/** Deletes everything about them, as if they had unsubscribed. */
export const removePageSubscriber = privateOperation({
  id: 'removePageSubscriber',
  method: 'DELETE',
  path: `${ORGANIZATION_PATH}/status-pages/{statusPageId}/subscribers/{subscriberId}`,
  who: 'MEMBER',
  params: Type.Object({ ...PageParams.properties, subscriberId: Type.String() }),
  reply: { status: 200, body: Deleted },
})

export const PAGE_SUBSCRIBER_OPERATIONS = [listPageSubscribers, removePageSubscriber] as const
