// Handles the links in emails: /confirm, /manage and /unsubscribe, each followed by a token. The token alone identifies
// the page, so they work after the page's URL changes, it gets a password, or it is unpublished.
import {
  CONFIRM_WITHIN_DAYS,
  isLinkAlive,
  type Subscriber,
} from '../../domain/status-pages/subscriber.ts'
import { type Locale, toLocale } from '../../domain/values/locale.ts'
import type { WebHandler, WebRequest, WebResponse } from '../../platform/web-exchange.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, Tenants } from '../../store/core/tenants.ts'
import * as subscribers from '../../store/status-pages/subscribers.ts'
import { plainResponse, smallPageResponse, textOf } from '../serving/responses.ts'
import { type Links, linksAt } from '../views/links.ts'
import { plainAppearance } from '../views/small-pages.ts'
import { chosenOf, isCrossOrigin, readForm } from './form.ts'
import * as render from './pages.ts'

type LinkDeps = { database: Database; tenants: Tenants }

type Verb = 'confirm' | 'manage' | 'unsubscribe'

/** The subscriber of a link, found by its token. */
type ResolvedLink = {
  tenants: Tenants
  tenant: Tenant
  subscriber: Subscriber
  context: render.SubscribeContext
  address(verb: Verb): string
}

const PATH = /^((?:\/status\/[a-z0-9-]{1,63})?)\/(confirm|manage|unsubscribe)\/([\w-]{43})$/

/** Responds to such links itself and passes everything else to the pages. */
export function withSubscriberLinks(deps: LinkDeps, pages: WebHandler): WebHandler {
  return async (request) => {
    const [, base = '', verb, token = ''] = PATH.exec(request.path) ?? []
    if (verb === undefined) return pages(request)
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return plainResponse(405, { Allow: 'GET, HEAD, POST' })
    const form = method === 'POST' ? await readForm(request) : undefined
    if (form !== undefined && isCrossOrigin(request) && !isOneClick(form)) return plainResponse(403)

    const links = linksAt(base)
    const link = await resolveLink(deps, token, links)
    // Safe because the pattern matches no other.
    return respond(request, verb as Verb, { links, link, form })
  }
}

/** RFC 8058: the email client unsubscribes its user without showing a page. */
const isOneClick = (form: URLSearchParams) => form.get('List-Unsubscribe') === 'One-Click'

type LinkRequest = {
  links: Links
  link: ResolvedLink | undefined
  form: URLSearchParams | undefined
}

function respond(request: WebRequest, verb: Verb, { links, link, form }: LinkRequest) {
  if (link === undefined) return unknownLink(request, links, verb === 'unsubscribe' && form)
  if (verb === 'unsubscribe') return unsubscribe(link, form !== undefined)
  if (!isAlive(link) || awaitsChallenge(link)) return unknownLink(request, links, undefined)
  if (verb === 'confirm' || link.subscriber.confirmedAt === null)
    return confirm(link, verb === 'confirm' && form !== undefined)
  return manage(link, form)
}

async function resolveLink(
  { database, tenants }: LinkDeps,
  token: string,
  links: Links,
): Promise<ResolvedLink | undefined> {
  const holder = await subscribers.findTokenHolder(database, token)
  if (holder === undefined) return undefined
  const tenant = tenants.of(holder.orgId)
  const [subscriber, page] = await Promise.all([
    subscribers.findSubscriber(tenant, holder.uuid),
    subscribers.findSubscribedPage(tenant, holder.pageUuid),
  ])
  if (subscriber === undefined || page === undefined) return undefined
  const { kind } = subscriber
  const context = { ...page, locale: toLocale(page.locale), links, kind }
  const address = (verb: Verb) => `${links.base}/${verb}/${token}`
  return { tenants, tenant, subscriber, context, address }
}

/** A webhook is confirmed by its receiver alone, and not by a link. */
const awaitsChallenge = ({ subscriber: { kind, confirmedAt } }: ResolvedLink) =>
  kind === 'WEBHOOK' && confirmedAt === null

const isAlive = ({ subscriber }: ResolvedLink) => isLinkAlive(subscriber, new Date())

async function confirm(link: ResolvedLink, isAskedFor: boolean): Promise<WebResponse> {
  const { tenants, tenant, subscriber, context } = link
  const isConfirmed =
    subscriber.confirmedAt !== null ||
    (isAskedFor &&
      (await tenants.transaction(tenant.orgId, (tx) =>
        subscribers.confirm(tx, subscriber.uuid, CONFIRM_WITHIN_DAYS),
      )))
  return smallPageResponse(
    200,
    isConfirmed
      ? render.renderSubscribed(context, link.address('manage'))
      : render.renderConfirm(context),
  )
}

async function manage(link: ResolvedLink, form: URLSearchParams | undefined): Promise<WebResponse> {
  const { tenant, subscriber, context } = link
  const components = await subscribers.listComponents(tenant, subscriber.pageUuid)
  const chosen = form === undefined ? subscriber.componentUuids : chosenOf(form, components)
  const isSaved =
    form !== undefined &&
    chosen !== undefined &&
    (await subscribers.chooseComponents(tenant, subscriber.uuid, chosen))
  const unsubscribeUrl = link.address('unsubscribe')
  return smallPageResponse(
    chosen === undefined ? 400 : 200,
    render.renderManage(context, { components, chosen, isSaved, unsubscribeUrl }),
  )
}

async function unsubscribe(link: ResolvedLink, isAskedFor: boolean): Promise<WebResponse> {
  const { tenant, subscriber, context } = link
  if (!isAskedFor) return smallPageResponse(200, render.renderUnsubscribe(context))
  await subscribers.deleteSubscriber(tenant, subscriber.uuid)
  return smallPageResponse(200, render.renderUnsubscribed(context))
}

/** An email client that unsubscribes twice gets a success both times. */
async function unknownLink(
  { headers }: WebRequest,
  links: Links,
  unsubscribing: URLSearchParams | false | undefined,
): Promise<WebResponse> {
  const locale: Locale = toLocale(textOf(headers['accept-language']).split(/[,;]/)[0]?.trim() ?? '')
  const status = unsubscribing instanceof URLSearchParams ? 200 : 404
  return smallPageResponse(status, render.renderExpiredLink(plainAppearance(locale, links)))
}
