// The form below a page's address. Its answer never tells whether an address is known.
import { setTimeout as delay } from 'node:timers/promises'
import { subscribeToPage } from '../../actions/status-pages/subscribe.ts'
import { parseMailAddress } from '../../domain/values/mail-address.ts'
import type { WebAnswer } from '../../platform/web-exchange.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { listComponents } from '../../store/status-pages/subscribers.ts'
import { plainAnswer, smallAnswer } from '../serving/responses.ts'
import type { PagePart, Visit } from '../serving/visit.ts'
import { renderNotFound } from '../views/small-pages.ts'
import { chosenOf, isFromElsewhere, readForm } from './form.ts'
import { type FormState, renderSent, renderSubscribe, type Setting } from './pages.ts'
import { SubscribeThrottle } from './throttle.ts'

// Longer than the work for any address takes: how long it took says nothing of which address it was.
const ANSWER_AFTER_MS = 250
const WAIT_SECONDS = '600'
const MAX_TYPED_LENGTH = 254

export function subscribePart(tenants: Tenants): PagePart {
  const throttle = new SubscribeThrottle()
  return {
    prefix: '/subscribe',
    // Who may not read a page may not be told of it either.
    isOpen: false,
    async answer(visit) {
      const { request, page, path } = visit
      const setting = settingOf(visit)
      if (path !== '/subscribe' || !page.documents.snapshot.page.canSubscribe)
        return smallAnswer(404, renderNotFound(setting))
      const components = await listComponents(page.tenant, page.ids.pageId)
      if (request.method === 'GET' || request.method === 'HEAD')
        return smallAnswer(200, renderSubscribe(setting, { components }))
      if (request.method !== 'POST') return plainAnswer(405, { Allow: 'GET, HEAD, POST' })
      if (isFromElsewhere(request)) return plainAnswer(403)
      return subscribe(visit, { tenants, throttle }, { components })
    },
  }
}

async function subscribe(
  visit: Visit,
  { tenants, throttle }: { tenants: Tenants; throttle: SubscribeThrottle },
  state: FormState,
): Promise<WebAnswer> {
  const { request, page } = visit
  const setting = settingOf(visit)
  const form = await readForm(request)
  const typed = form?.get('email') ?? ''
  const address = parseMailAddress(typed)
  if (form === undefined || address === undefined) {
    const shown = typed.slice(0, MAX_TYPED_LENGTH)
    return smallAnswer(
      400,
      renderSubscribe(setting, { ...state, refusal: 'ADDRESS', typed: shown }),
    )
  }
  if (!throttle.admits(request.clientAddress, performance.now())) {
    const small = renderSubscribe(setting, { ...state, refusal: 'TOO_MANY', typed: address })
    return smallAnswer(429, small, { 'Retry-After': WAIT_SECONDS })
  }
  const { orgId, pageId } = page.ids
  const componentUuids = chosenOf(form, state.components)
  const wish = { pageUuid: pageId, address, componentUuids }
  await Promise.all([
    tenants.transaction(orgId, (tx) => subscribeToPage(tx, wish)),
    delay(ANSWER_AFTER_MS),
  ])
  return smallAnswer(200, renderSent(setting))
}

function settingOf({ page, links }: Visit): Setting {
  const { name, locale, theme, accentColor } = page.documents.snapshot.page
  return { name, locale, theme, accentColor, links }
}
