import type { Static } from 'typebox'
import * as own from '../private/page-subscribers.ts'
import { id, input } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation, forKeys } from './operation.ts'

const tag = 'Subscribers'
const PATH = '/api/ext/v1/status-pages/{statusPageId}/subscribers'

const MAX_COMPONENTS = 500

const SUBSCRIBER: Static<typeof own.PageSubscriber> = {
  id: 'sub_01m7e43y1ne6a8002504v5j15s',
  kind: 'EMAIL',
  address: 'ana@example.com',
  components: null,
  askedAt: '2026-11-14T22:39:00.000Z',
  confirmedAt: '2026-11-14T22:41:12.000Z',
}

export const SubscriberInput = input({
  address: Type.String({ minLength: 3, maxLength: 254, description: 'Email address.' }),
  componentIds: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_COMPONENTS,
      description: 'Components they are notified about. Left out, the whole page.',
    }),
  ),
})

export const addPageSubscriber = extOperation({
  id: 'addPageSubscriber',
  method: 'POST',
  path: PATH,
  tag,
  summary: 'Add a subscriber',
  description:
    'Sends the address an email with a confirmation link, like the form on the page. Nothing else is sent before its owner follows the link. Answers 409 `conflict` if the page takes no subscribers, and if the address received too many emails lately.',
  params: Type.Object({ statusPageId: id('Id of the status page.') }),
  body: { schema: SubscriberInput, required: true, example: { address: 'ana@example.com' } },
  reply: {
    status: 200,
    description: 'The subscriber. `confirmedAt` is null until the link is followed.',
    body: own.PageSubscriber,
    example: { ...SUBSCRIBER, confirmedAt: null },
  },
})

export const SUBSCRIBER_OPERATIONS = [
  forKeys(own.listPageSubscribers, {
    path: PATH,
    tag,
    summary: 'List subscribers',
    description: 'The subscribers of a status page, newest first.',
    reply: {
      description: 'One page of subscribers.',
      example: { data: [SUBSCRIBER], pagination: { limit: 25, offset: 0, total: 1 } },
    },
  }),
  addPageSubscriber,
  forKeys(own.removePageSubscriber, {
    tag,
    summary: 'Remove a subscriber',
    description: 'Deletes everything about them, as if they had unsubscribed.',
    reply: {
      description: 'The subscriber is removed.',
      example: { data: { id: SUBSCRIBER.id } },
    },
  }),
] as const
