// The subscription form below a page's URL. Its response never reveals whether an address is known.
import { setTimeout as delay } from 'node:timers/promises'
import { subscribeToPage } from '../../actions/status-pages/subscribe.ts'
import { subscribeHook } from '../../actions/status-pages/subscribe-hook.ts'
import { parseHookUrl } from '../../domain/events/hook-subscriber.ts'
import type { AddressPolicy } from '../../domain/events/webhook.ts'
import type { HookKind } from '../../domain/status-pages/subscriber.ts'
import { parseEmailAddress } from '../../domain/values/email-address.ts'
import type { WebResponse } from '../../platform/web-exchange.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { listComponents } from '../../store/status-pages/subscribers.ts'
import { plainResponse, smallPageResponse } from '../serving/responses.ts'
import type { PagePart, PageVisit } from '../serving/visit.ts'
import { viewOf } from '../views/layout.ts'
import { renderNotFoundBelow } from '../views/small-pages.ts'
import { HOOK_FIELDS } from '../views/subscribe-menu.ts'
import { chosenOf, isCrossOrigin, readForm } from './form.ts'
import { type FormState, renderSent, renderSubscribe } from './pages.ts'
import { SubscribeThrottle } from './throttle.ts'

// Longer than the work takes for any address, so that timing reveals nothing about it.
const RESPONSE_DELAY_MS = 250
const WAIT_SECONDS = '600'
const MAX_TYPED_LENGTH = 254

type SubscribeDeps = { tenants: Tenants; policy: AddressPolicy }

export function subscribePart({ tenants, policy }: SubscribeDeps): PagePart {
  const throttle = new SubscribeThrottle()
  const deps = { tenants, policy, throttle }
  return {
    prefix: '/subscribe',
    // A visitor who may not read a page may not subscribe to it either.
    isOpen: false,
    async respond(visit) {
      const { request, page, path } = visit
      const view = viewOf(page.documents.snapshot, visit.links)
      const { canSubscribe, canSubscribeByHook } = page.documents.snapshot.page
      if (path !== '/subscribe' || !(canSubscribe || canSubscribeByHook))
        return smallPageResponse(404, renderNotFoundBelow(view))
      const components = await listComponents(page.tenant, page.ids.pageId)
      if (request.method === 'GET' || request.method === 'HEAD')
        return smallPageResponse(200, renderSubscribe(view, { components }))
      if (request.method !== 'POST') return plainResponse(405, { Allow: 'GET, HEAD, POST' })
      if (isCrossOrigin(request)) return plainResponse(403)
      const form = await readForm(request)
      const kind = HOOK_KINDS.find((each) => form?.has(HOOK_FIELDS[each]))
      if (kind !== undefined && form !== undefined)
        return subscribeUrl(visit, deps, { components, kind, form })
      if (!canSubscribe) return smallPageResponse(404, renderNotFoundBelow(view))
      return subscribe(visit, deps, { components, form })
    },
  }
}

type Deps = SubscribeDeps & { throttle: SubscribeThrottle }
type SentForm = Pick<FormState, 'components'> & { form: URLSearchParams | undefined }

async function subscribe(
  visit: PageVisit,
  { tenants, throttle }: Deps,
  { components, form }: SentForm,
): Promise<WebResponse> {
  const { request, page } = visit
  const view = viewOf(page.documents.snapshot, visit.links)
  const typed = (form?.get('email') ?? '').slice(0, MAX_TYPED_LENGTH)
  const address = parseEmailAddress(form?.get('email') ?? '')
  const componentUuids = form === undefined ? null : chosenOf(form, components)
  const sent: FormState = { components, typed, chosen: componentUuids ?? null }
  if (address === undefined)
    return smallPageResponse(400, renderSubscribe(view, { ...sent, refusal: 'ADDRESS' }))
  if (componentUuids === undefined) {
    const small = renderSubscribe(view, { ...sent, chosen: [], refusal: 'NONE_CHOSEN' })
    return smallPageResponse(400, small)
  }
  if (!throttle.admits(request.clientAddress, performance.now())) {
    const small = renderSubscribe(view, { ...sent, refusal: 'TOO_MANY' })
    return smallPageResponse(429, small, { 'Retry-After': WAIT_SECONDS })
  }
  const { orgId, pageId } = page.ids
  const wish = { pageUuid: pageId, address, componentUuids }
  await Promise.all([
    tenants.transaction(orgId, (tx) => subscribeToPage(tx, wish)),
    delay(RESPONSE_DELAY_MS),
  ])
  return smallPageResponse(200, renderSent(view))
}

const HOOK_KINDS = ['SLACK', 'WEBHOOK'] as const
const MAX_SHOWN_LENGTH = 500

/** One request is sent to the URL, and nothing else before it is confirmed. */
async function subscribeUrl(
  visit: PageVisit,
  { tenants, policy, throttle }: Deps,
  { components, kind, form }: SentForm & { kind: HookKind; form: URLSearchParams },
): Promise<WebResponse> {
  const { request, page } = visit
  const view = viewOf(page.documents.snapshot, visit.links)
  const text = form.get(HOOK_FIELDS[kind]) ?? ''
  const url = parseHookUrl(kind, text, policy)
  const sent: FormState = { components, typed: text.slice(0, MAX_SHOWN_LENGTH) }
  if (url === undefined || !page.documents.snapshot.page.canSubscribeByHook)
    return smallPageResponse(400, renderSubscribe(view, { ...sent, refusal: kind }))
  if (!throttle.admits(request.clientAddress, performance.now())) {
    const small = renderSubscribe(view, { ...sent, refusal: 'TOO_MANY' })
    return smallPageResponse(429, small, { 'Retry-After': WAIT_SECONDS })
  }
  const { orgId, pageId } = page.ids
  await Promise.all([
    tenants.transaction(orgId, (tx) => subscribeHook(tx, { pageUuid: pageId, kind, url })),
    delay(RESPONSE_DELAY_MS),
  ])
  return smallPageResponse(200, renderSent(view, kind))
}
