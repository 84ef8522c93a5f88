// The subscription form below a page's URL. Its response never reveals whether an address is known.
import { setTimeout as delay } from 'node:timers/promises'
import { subscribeToPage } from '../../actions/status-pages/subscribe.ts'
import { parseEmailAddress } from '../../domain/values/email-address.ts'
import type { WebResponse } from '../../platform/web-exchange.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { listComponents } from '../../store/status-pages/subscribers.ts'
import { plainResponse, smallPageResponse } from '../serving/responses.ts'
import type { PagePart, PageVisit } from '../serving/visit.ts'
import { viewOf } from '../views/layout.ts'
import { renderNotFoundBelow } from '../views/small-pages.ts'
import { chosenOf, isCrossOrigin, readForm } from './form.ts'
import { type FormState, renderSent, renderSubscribe } from './pages.ts'
import { SubscribeThrottle } from './throttle.ts'

// Longer than the work takes for any address, so that timing reveals nothing about it.
const RESPONSE_DELAY_MS = 250
const WAIT_SECONDS = '600'
const MAX_TYPED_LENGTH = 254

export function subscribePart(tenants: Tenants): PagePart {
  const throttle = new SubscribeThrottle()
  return {
    prefix: '/subscribe',
    // A visitor who may not read a page may not subscribe to it either.
    isOpen: false,
    async respond(visit) {
      const { request, page, path } = visit
      const view = viewOf(page.documents.snapshot, visit.links)
      if (path !== '/subscribe' || !page.documents.snapshot.page.canSubscribe)
        return smallPageResponse(404, renderNotFoundBelow(view))
      const components = await listComponents(page.tenant, page.ids.pageId)
      if (request.method === 'GET' || request.method === 'HEAD')
        return smallPageResponse(200, renderSubscribe(view, { components }))
      if (request.method !== 'POST') return plainResponse(405, { Allow: 'GET, HEAD, POST' })
      if (isCrossOrigin(request)) return plainResponse(403)
      return subscribe(visit, { tenants, throttle }, { components })
    },
  }
}

async function subscribe(
  visit: PageVisit,
  { tenants, throttle }: { tenants: Tenants; throttle: SubscribeThrottle },
  state: FormState,
): Promise<WebResponse> {
  const { request, page } = visit
  const view = viewOf(page.documents.snapshot, visit.links)
  const form = await readForm(request)
  const typed = (form?.get('email') ?? '').slice(0, MAX_TYPED_LENGTH)
  const address = parseEmailAddress(form?.get('email') ?? '')
  const componentUuids = form === undefined ? null : chosenOf(form, state.components)
  const sent: FormState = { ...state, typed, chosen: componentUuids ?? null }
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
