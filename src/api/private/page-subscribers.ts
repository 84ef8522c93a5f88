// Subscribers of a status page, as listed and removed by members of its organization.
import * as contract from '../../contract/private/page-subscribers.ts'
import { shownHook } from '../../domain/events/hook-subscriber.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { pageExists } from '../../store/status-pages/status-pages.ts'
import {
  listSubscribers,
  removeSubscriber,
  type SubscriberRow,
} from '../../store/status-pages/subscriber-list.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listPageSubscribers> = async (
  { params, query },
  { tenant },
) => {
  if (!(await pageExists(tenant, params.statusPageId))) throw notFound('status page')
  const { limit, offset } = query
  const { subscribers, total } = await listSubscribers(tenant, params.statusPageId, query)
  return { data: subscribers.map(toApiSubscriber), pagination: { limit, offset, total } }
}

const remove: Handler<typeof contract.removePageSubscriber> = async ({ params }, { tx }) => {
  if (!(await removeSubscriber(tx, params.statusPageId, params.subscriberId)))
    throw notFound('subscriber')
  return { data: { id: toPublicId('sub', params.subscriberId) } }
}

export const pageSubscriberOperations: readonly BoundOperation[] = [
  bind(contract.listPageSubscribers, list),
  bind(contract.removePageSubscriber, remove),
]

export function toApiSubscriber({ uuid, askedAt, confirmedAt, ...rest }: SubscriberRow) {
  const { kind, address } = rest
  return {
    id: toPublicId('sub', uuid),
    ...rest,
    address: kind === 'EMAIL' ? address : shownHook(address),
    askedAt,
    confirmedAt,
  }
}
