// Who reads a status page by e-mail, for those who look after it.
import Type from 'typebox'
import { closed, Deleted, input, nullable, oneOf, PAGE_QUERY, page, Timestamp } from '../schema.ts'
import { ORGANIZATION_PATH, ORGANIZATION_PROPERTIES, privateOperation } from './operation.ts'

const PageParams = Type.Object({ ...ORGANIZATION_PROPERTIES, statusPageId: Type.String() })
/** WAITING: the mail that asks is sent, and its link was not followed yet. */
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
    /** A whole address: they lie sealed, so none can be found by a part of it. */
    address: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
  }),
  reply: {
    status: 200,
    body: page(
      closed({
        id: Type.String(),
        address: Type.String(),
        /** How many components they chose; null: the whole page. */
        components: nullable(Type.Integer()),
        askedAt: Timestamp,
        confirmedAt: nullable(Timestamp),
      }),
    ),
  },
})

/** Nothing of them is kept, as if they had unsubscribed. */
export const removePageSubscriber = privateOperation({
  id: 'removePageSubscriber',
  method: 'DELETE',
  path: `${ORGANIZATION_PATH}/status-pages/{statusPageId}/subscribers/{subscriberId}`,
  who: 'MEMBER',
  params: Type.Object({ ...PageParams.properties, subscriberId: Type.String() }),
  reply: { status: 200, body: Deleted },
})

export const PAGE_SUBSCRIBER_OPERATIONS = [listPageSubscribers, removePageSubscriber] as const
