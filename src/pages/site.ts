// Public status pages as a whole: finds the page, checks access, and responds.
import { fromPublicId } from '../domain/values/id.ts'
import { toLocale } from '../domain/values/locale.ts'
import type { MasterKeys } from '../platform/crypto/encryption.ts'
import { runInTurn } from '../platform/limits/busy-work.ts'
import { nameOperation } from '../platform/observability/event-loop-watch.ts'
import type { WebHandler, WebRequest, WebResponse } from '../platform/web-exchange.ts'
import type { PageAddress } from '../store/status-pages/snapshots.ts'
import { GuessThrottle } from './guess-throttle.ts'
import { PageSessions } from './page-session.ts'
import {
  assetResponse,
  documentResponse,
  plainResponse,
  smallPageResponse,
  textOf,
} from './serving/responses.ts'
import { isForPeople, type PageRoute, parseRoute } from './serving/routes.ts'
import { type CachedPage, Snapshots, type SnapshotsDeps } from './serving/snapshots.ts'
import type { PagePart, PageVisit } from './serving/visit.ts'
import { findIncident } from './snapshot/build-snapshot.ts'
import type { Rendition } from './snapshot/rendition.ts'
import { requestPassword, unlock } from './unlock.ts'
import { findAsset } from './views/assets.ts'
import { viewOf } from './views/layout.ts'
import { type Links, linksAt } from './views/links.ts'
import { renderMessages } from './views/render-messages.ts'
import {
  plainAppearance,
  renderNotFound,
  renderNotFoundBelow,
  renderUnavailable,
} from './views/small-pages.ts'

type SiteDeps = SnapshotsDeps & {
  masterKeys: MasterKeys
  parts?: readonly PagePart[]
}

const SLUG_PATH = /^\/status\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(\/.*)?$/
const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/
const RETRY_SECONDS = '5'

export class Site {
  readonly #snapshots: Snapshots
  readonly #sessions: PageSessions
  readonly #throttle = new GuessThrottle()
  readonly #deps: SiteDeps

  constructor(deps: SiteDeps) {
    this.#deps = deps
    this.#snapshots = new Snapshots(deps)
    this.#sessions = new PageSessions(deps.masterKeys)
  }

  /** Pages below /status/{slug}. */
  readonly serveBySlug: WebHandler = async (request) => {
    const asset = findAsset(request.path.replace(/^\/status\/-\//, ''))
    if (asset !== undefined) return assetResponse(asset)
    const [, slug, path = ''] = SLUG_PATH.exec(request.path) ?? []
    if (slug === undefined) return notFound(request, linksAt('/status/-'))
    return this.#respond(request, { slug }, linksAt(`/status/${slug}`), path)
  }

  /** The page of a custom domain. */
  readonly serveByDomain: WebHandler = async (request) => {
    const asset = findAsset(request.path.replace(/^\/-\//, ''))
    if (asset !== undefined) return assetResponse(asset)
    // A host that cannot be a domain name is not looked up.
    if (!DOMAIN.test(request.host)) return notFound(request, linksAt(''))
    const path = request.path === '/' ? '' : request.path
    return this.#respond(request, { domain: request.host }, linksAt(''), path)
  }

  async #respond(
    request: WebRequest,
    address: PageAddress,
    links: Links,
    path: string,
  ): Promise<WebResponse> {
    if (path === '/') return plainResponse(308, { Location: links.home })
    const found = await this.#snapshots.find(address)
    if (found.kind === 'AWAY') return unavailable(request, links)
    if (found.kind === 'NONE') return notFound(request, links)
    return this.#visit({ request, page: found.page, links, path })
  }

  async #visit(visit: PageVisit): Promise<WebResponse> {
    const { request, path } = visit
    const part = this.#deps.parts?.find(
      ({ prefix }) => path === prefix || path.startsWith(`${prefix}/`),
    )
    if (part?.isOpen) return part.respond(visit)
    if (path === '/unlock' && visit.page.passwordHash !== null)
      return unlock(visit, this.#sessions, this.#throttle)

    const route = parseRoute(path, request.query)
    if (!this.#maySee(visit)) return requestPassword(visit, route)
    if (part !== undefined) return part.respond(visit)
    if (route === undefined) return notFoundBelow(visit)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plainResponse(405, { Allow: 'GET, HEAD' })
    return this.#show(visit, route)
  }

  #maySee({ request, page }: PageVisit): boolean {
    const { passwordHash } = page
    if (passwordHash === null) return true
    const secured = { pageId: page.ids.pageId, passwordHash }
    return this.#sessions.isOpen(secured, textOf(request.headers['cookie']), Date.now())
  }

  async #show(visit: PageVisit, route: PageRoute): Promise<WebResponse> {
    const { request, page, links } = visit
    const { documents } = page
    nameOperation(`page ${route.kind}`)
    const rendition = documents.known(route, links) ?? (await this.#render(page, route, links))
    if (rendition === 'AWAY') return unavailable(request, links)
    if (rendition === undefined && page.isOutdated) return unavailable(request, links)
    if (rendition === undefined)
      return isForPeople(route) ? notFoundBelow(visit) : plainResponse(404)
    return documentResponse(request, rendition, {
      isPrivate: page.passwordHash !== null,
      allowIndexing: documents.snapshot.page.allowIndexing,
    })
  }

  async #render(
    page: CachedPage,
    route: PageRoute,
    links: Links,
  ): Promise<Rendition | 'AWAY' | undefined> {
    const { documents, ids } = page
    await documents.prepare(ids.orgId)
    const rendition = await runInTurn(ids.orgId, () => documents.find(route, links))
    return rendition ?? this.#findOlder(page, route, links)
  }

  /** Incident URLs never expire, however old the incident is. */
  async #findOlder(
    { tenant, ids, documents }: CachedPage,
    route: PageRoute,
    links: Links,
  ): Promise<Rendition | 'AWAY' | undefined> {
    const uuid = route.kind === 'INCIDENT' ? fromPublicId('sin', route.id) : undefined
    if (uuid === undefined || documents.isAbsent(uuid)) return undefined
    try {
      const incident = await findIncident(tenant, ids.pageId, uuid)
      if (incident !== undefined) {
        await renderMessages(ids.orgId, [incident])
        return await runInTurn(ids.orgId, () => documents.find(route, links, incident))
      }
      documents.setAbsent(uuid)
      return undefined
    } catch (err) {
      this.#deps.log.warn({ err }, 'page could not be read')
      return 'AWAY'
    }
  }
}

function unavailable(request: WebRequest, links: Links): WebResponse {
  const small = renderUnavailable(plainAppearance(localeOf(request), links))
  return smallPageResponse(503, small, { 'Retry-After': RETRY_SECONDS })
}

function notFound(request: WebRequest, links: Links): WebResponse {
  return smallPageResponse(404, renderNotFound(plainAppearance(localeOf(request), links)))
}

/** For visitors who may read the page. */
function notFoundBelow({ page, links }: PageVisit): WebResponse {
  return smallPageResponse(404, renderNotFoundBelow(viewOf(page.documents.snapshot, links)))
}

/** Until the page is known, the visitor's own language is the best choice. */
function localeOf({ headers }: WebRequest) {
  return toLocale(textOf(headers['accept-language']).split(/[,;]/)[0]?.trim() ?? '')
}
