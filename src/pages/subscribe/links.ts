// Where the links in mails lead: /confirm, /manage and /unsubscribe with a token behind them. The token alone says
// whose page it is, so they work after the page got another address, a password, or is not public any more.
import {
  CONFIRM_WITHIN_DAYS,
  isLinkAlive,
  type Subscriber,
} from '../../domain/status-pages/subscriber.ts'
import { type Locale, toLocale } from '../../domain/values/locale.ts'
import type { AnswerWeb, WebAnswer, WebRequest } from '../../platform/web-exchange.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, Tenants } from '../../store/core/tenants.ts'
import * as subscribers from '../../store/status-pages/subscribers.ts'
import { plainAnswer, smallAnswer, textOf } from '../serving/responses.ts'
import { type Links, linksAt } from '../views/links.ts'
import { plainLook } from '../views/small-pages.ts'
import { chosenOf, isFromElsewhere, readForm } from './form.ts'
import * as render from './pages.ts'

type LinkDeps = { database: Database; tenants: Tenants }

type Verb = 'confirm' | 'manage' | 'unsubscribe'

/** The holder of a link, found by its token. */
type Holding = {
  tenants: Tenants
  tenant: Tenant
  subscriber: Subscriber
  setting: render.Setting
  address(verb: Verb): string
}

const PATH = /^((?:\/status\/[a-z0-9-]{1,63})?)\/(confirm|manage|unsubscribe)\/([\w-]{43})$/

/** Answers such links itself and leaves everything else to the pages. */
export function withSubscriberLinks(deps: LinkDeps, pages: AnswerWeb): AnswerWeb {
  return async (request) => {
    const [, base = '', verb, token = ''] = PATH.exec(request.path) ?? []
    if (verb === undefined) return pages(request)
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return plainAnswer(405, { Allow: 'GET, HEAD, POST' })
    const form = method === 'POST' ? await readForm(request) : undefined
    if (form !== undefined && isFromElsewhere(request) && !isOneClick(form)) return plainAnswer(403)

    const links = linksAt(base)
    const holding = await findHolding(deps, token, links)
    // Safe because the pattern knows no other.
    return answer(request, verb as Verb, { links, holding, form })
  }
}

/** RFC 8058: the mail program unsubscribes its reader without showing a page. */
const isOneClick = (form: URLSearchParams) => form.get('List-Unsubscribe') === 'One-Click'

type Asked = { links: Links; holding: Holding | undefined; form: URLSearchParams | undefined }

function answer(request: WebRequest, verb: Verb, { links, holding, form }: Asked) {
  if (holding === undefined) return nobody(request, links, verb === 'unsubscribe' && form)
  if (verb === 'unsubscribe') return unsubscribe(holding, form !== undefined)
  if (!isAlive(holding)) return nobody(request, links, undefined)
  if (verb === 'confirm' || holding.subscriber.confirmedAt === null)
    return confirm(holding, verb === 'confirm' && form !== undefined)
  return manage(holding, form)
}

async function findHolding(
  { database, tenants }: LinkDeps,
  token: string,
  links: Links,
): Promise<Holding | undefined> {
  const holder = await subscribers.findHolder(database, token)
  if (holder === undefined) return undefined
  const tenant = tenants.of(holder.orgId)
  const [subscriber, page] = await Promise.all([
    subscribers.findSubscriber(tenant, holder.uuid),
    subscribers.findSubscribedPage(tenant, holder.pageUuid),
  ])
  if (subscriber === undefined || page === undefined) return undefined
  const setting = { ...page, locale: toLocale(page.locale), links }
  const address = (verb: Verb) => `${links.base}/${verb}/${token}`
  return { tenants, tenant, subscriber, setting, address }
}

const isAlive = ({ subscriber }: Holding) => isLinkAlive(subscriber, new Date())

async function confirm(holding: Holding, isAskedFor: boolean): Promise<WebAnswer> {
  const { tenants, tenant, subscriber, setting } = holding
  const isConfirmed =
    subscriber.confirmedAt !== null ||
    (isAskedFor &&
      (await tenants.transaction(tenant.orgId, (tx) =>
        subscribers.confirm(tx, subscriber.uuid, CONFIRM_WITHIN_DAYS),
      )))
  return smallAnswer(
    200,
    isConfirmed
      ? render.renderSubscribed(setting, holding.address('manage'))
      : render.renderConfirm(setting),
  )
}

async function manage(holding: Holding, form: URLSearchParams | undefined): Promise<WebAnswer> {
  const { tenant, subscriber, setting } = holding
  const components = await subscribers.listComponents(tenant, subscriber.pageUuid)
  const chosen = form === undefined ? subscriber.componentUuids : chosenOf(form, components)
  const isSaved =
    form !== undefined && (await subscribers.chooseComponents(tenant, subscriber.uuid, chosen))
  const unsubscribeUrl = holding.address('unsubscribe')
  return smallAnswer(
    200,
    render.renderManage(setting, { components, chosen, isSaved, unsubscribeUrl }),
  )
}

async function unsubscribe(holding: Holding, isAskedFor: boolean): Promise<WebAnswer> {
  const { tenant, subscriber, setting } = holding
  if (!isAskedFor) return smallAnswer(200, render.renderUnsubscribe(setting))
  await subscribers.deleteSubscriber(tenant, subscriber.uuid)
  return smallAnswer(200, render.renderGone(setting))
}

/** A mail program that asks twice to unsubscribe is right twice. */
async function nobody(
  { headers }: WebRequest,
  links: Links,
  unsubscribing: URLSearchParams | false | undefined,
): Promise<WebAnswer> {
  const locale: Locale = toLocale(textOf(headers['accept-language']).split(/[,;]/)[0]?.trim() ?? '')
  const status = unsubscribing instanceof URLSearchParams ? 200 : 404
  return smallAnswer(status, render.renderDead(plainLook(locale, links)))
}
