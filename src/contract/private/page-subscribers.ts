// The subscribers of a status page, for the members who manage it.
import { SUBSCRIBER_KINDS } from '../../domain/status-pages/subscriber.ts'
import { closed, Deleted, input, nullable, oneOf, PAGE_QUERY, page, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const PageParams = Type.Object({
  statusPageId: Type.String({ description: 'Id of the status page.' }),
})
/** WAITING: the confirmation email is sent, but its link was not followed yet. */
export const SUBSCRIBER_STATES = ['CONFIRMED', 'WAITING'] as const

export const PageSubscriber = closed({
  id: Type.String({ description: 'Id of the subscriber.' }),
  kind: oneOf(SUBSCRIBER_KINDS, { description: 'How they are notified.' }),
  address: Type.String({
    description:
      'Email address. Of Slack and webhooks only the host: the full URL is all it takes to post there.',
  }),
  components: nullable(
    Type.Integer({ description: 'How many components they chose. Null for the whole page.' }),
  ),
  askedAt: timestamp('When the subscription was last requested.'),
  confirmedAt: nullable(timestamp('When it was confirmed. Null while it waits.')),
})
export const PageSubscriberList = page(PageSubscriber)

export const listPageSubscribers = privateOperation({
  id: 'listPageSubscribers',
  method: 'GET',
  path: '/overview/status-pages/{statusPageId}/subscribers',
  who: 'MEMBER',
  params: PageParams,
  query: input({
    ...PAGE_QUERY,
    state: oneOf(SUBSCRIBER_STATES, {
      default: 'CONFIRMED',
      description: 'Confirmed subscribers, or those that have not followed the link yet.',
    }),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'A full address. Addresses are stored encrypted, so a partial search is not possible.',
      }),
    ),
  }),
  reply: { status: 200, body: PageSubscriberList },
})

/** Deletes everything about them, as if they had unsubscribed. */
export const removePageSubscriber = privateOperation({
  id: 'removePageSubscriber',
  missing: 'subscriber',
  method: 'DELETE',
  path: '/status-pages/{statusPageId}/subscribers/{subscriberId}',
  who: 'MEMBER',
  params: Type.Object({
    ...PageParams.properties,
    subscriberId: Type.String({ description: 'Id of the subscriber.' }),
  }),
  reply: { status: 200, body: Deleted },
})

export const PAGE_SUBSCRIBER_OPERATIONS = [listPageSubscribers, removePageSubscriber] as const
