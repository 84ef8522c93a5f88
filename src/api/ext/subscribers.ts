// Subscribers of a status page that keys add: like the form on the page, with a confirmation email.
import { limitRequests } from '../../actions/people/limit-tries.ts'
import { subscribeToPage } from '../../actions/status-pages/subscribe.ts'
import * as contract from '../../contract/ext/subscribers.ts'
import type { StatusPage } from '../../domain/status-pages/status-page.ts'
import { parseEmailAddress } from '../../domain/values/email-address.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { countSubscribers } from '../../store/people/stored-rows.ts'
import { findPage } from '../../store/status-pages/status-pages.ts'
import { listSubscribers, type SubscriberRow } from '../../store/status-pages/subscriber-list.ts'
import { type BoundOperation, bind, type Handler, type Prepare } from '../http/bind.ts'
import { toApiSubscriber } from '../private/page-subscribers.ts'
import type { PeopleFor } from './served-to-keys.ts'

// Per organization in 15 minutes: each may be an email to a stranger.
const MAX_ADDED = 200

type Deps = { peopleFor: PeopleFor; canMail: boolean }
type Add = typeof contract.addPageSubscriber

export function subscriberOperations({ peopleFor, canMail }: Deps): readonly BoundOperation[] {
  const prepare: Prepare<Add> = async (_input, { tenant }) => {
    const subject = subjectOf('subscriber-add', tenant.orgId)
    await limitRequests(peopleFor(tenant.orgId), [{ subject, limit: MAX_ADDED }])
  }
  const write: Handler<Add> = async ({ params, body }, { tx }) => {
    const address = parseEmailAddress(body.address)
    const page = await findPage(tx, params.statusPageId)
    if (!page) throw notFound('status page')
    if (!canMail) throw new ApiError('conflict', 'This installation sends no email.')
    if (!page.subscribersEnabled) throw new ApiError('conflict', 'The page takes no subscribers.')
    const componentUuids = findComponents(page, body.componentIds)
    if (address === undefined) throw validationError([NO_ADDRESS])
    await subscribeToPage(tx, { pageUuid: page.uuid, address, componentUuids })
    const subscriber = await findByAddress(tx, page.uuid, address)
    if (subscriber === undefined && (await isFull(tx, page.uuid)))
      throw new ApiError('plan_limit', 'The page has as many subscribers as the plan allows.')
    if (subscriber === undefined)
      throw new ApiError('conflict', 'The address received too many emails lately. Retry later.')
    return toApiSubscriber(subscriber)
  }
  return [bind(contract.addPageSubscriber, write, { prepare, rules: addressRules })]
}

async function isFull(tx: TenantTx, pageUuid: string): Promise<boolean> {
  const { subscribersOfPage } = (await lockUsage(tx)).storage
  return (await countSubscribers(tx, pageUuid, subscribersOfPage)) >= subscribersOfPage
}

const NO_ADDRESS: Problem = { path: 'address', message: 'must be an email address' }

function addressRules({ address }: Record<string, unknown>): Problem[] {
  const isWrong = typeof address === 'string' && parseEmailAddress(address) === undefined
  return isWrong ? [NO_ADDRESS] : []
}

/** Null for the whole page. */
function findComponents(
  { sections }: StatusPage,
  ids: readonly string[] | undefined,
): string[] | null {
  if (ids === undefined) return null
  const components = sections.flatMap((section) => section.components)
  const known = new Set(components.map(({ uuid }) => uuid))
  const problems: Problem[] = []
  const uuids = ids.flatMap((id, at) => {
    const uuid = fromPublicId('cmp', id)
    if (uuid !== undefined && known.has(uuid)) return [uuid]
    problems.push({ path: `componentIds.${at}`, message: 'is not a component of the page' })
    return []
  })
  if (problems.length > 0) throw validationError(problems)
  return [...new Set(uuids)]
}

async function findByAddress(
  tx: TenantTx,
  pageUuid: string,
  address: string,
): Promise<SubscriberRow | undefined> {
  for (const state of ['WAITING', 'CONFIRMED'] as const) {
    const filter = { limit: 1, offset: 0, state, address }
    const [found] = (await listSubscribers(tx, pageUuid, filter)).subscribers
    if (found !== undefined) return found
  }
  return undefined
}
