// Public status pages next to the API: below /status, and alone on a custom domain and on STATUS_BASE_URL's host.
import { counted } from '../../api/http/counted-surface.ts'
import type { ServerOptions } from '../../api/http/server.ts'
import { isServiceHost } from '../../api/http/service-host.ts'
import type { Surface } from '../../api/http/surface.ts'
import { webSurface } from '../../api/http/web-surface.ts'
import type { PreviewRenderer } from '../../api/private/screens/pages.ts'
import { documentSurface } from '../../api/reference/documents.ts'
import { ActiveDomains } from '../../pages/serving/active-domains.ts'
import { renderIncidentPreview, renderPagePreview } from '../../pages/serving/draft.ts'
import { Site } from '../../pages/site.ts'
import { withSubscriberLinks } from '../../pages/subscribe/links.ts'
import { subscribePart } from '../../pages/subscribe/subscribe.ts'
import { PREVIEW_PATH, previewFrame } from '../../pages/views/preview-frame.ts'
import type { Part } from '../../platform/process/lifecycle.ts'
import { createUnknownHosts } from '../../platform/unknown-hosts.ts'
import type { WebHandler } from '../../platform/web-exchange.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { Tenants } from '../../store/core/tenants.ts'
import { findActiveDomains } from '../../store/status-pages/domains.ts'
import { subscriberPolicy } from '../address-policy.ts'
import { openClientAddress } from '../client-address.ts'
import { type Context, openPool } from '../context.ts'
import { shareAmongOrganizations } from '../share-connections.ts'

// Separate from the API's: visitors of pages that do not exist use none of its connections.
const CONNECTIONS = 4
// The fourth resolves addresses to pages, whether they exist or not.
const SHARE = { pool: 'pages', total: 3, perOrganization: 2 }

type PagesRole = {
  surface: Surface
  /** For the dashboard: renders unsaved pages, and serves the frame that shows them. */
  draw: PreviewRenderer
  previewSurface: Surface
  surfaceOfHost: NonNullable<ServerOptions['surfaceOfHost']>
  part: Part
}

export function startPages(context: Context, secrets: OrganizationSecrets): PagesRole {
  const { config, log, metrics } = context
  const { statusBaseUrl, masterKeys, smtp } = config
  const database = openPool(context, 'pages', 'upvane_app', CONNECTIONS)
  const tenants = new Tenants(shareAmongOrganizations(database, context, SHARE), secrets)
  const options = { statusBaseUrl, canSendMail: smtp !== undefined }
  const site = new Site({
    database,
    tenants,
    log,
    masterKeys,
    parts: [subscribePart({ tenants, policy: subscriberPolicy(config) })],
    options,
  })
  const serveBySlug = withSubscriberLinks({ database, tenants }, site.serveBySlug)
  const serveByDomain = withSubscriberLinks({ database, tenants }, site.serveByDomain)
  const [ownHost, statusHost] = [config.baseUrl, statusBaseUrl].map((url) => new URL(url).hostname)
  if (ownHost === statusHost)
    log.warn(
      'status pages share the host of BASE_URL: set STATUS_BASE_URL to keep what tenants write away from it',
    )
  const deps = { clientAddress: openClientAddress(context), log }
  const surfaceOf = (prefix: string, handler: WebHandler) =>
    counted(webSurface(prefix, handler, deps), (status) => metrics.pageRequests.inc({ status }))
  const onOwnHost = ownHost === statusHost ? serveBySlug : redirectTo(statusBaseUrl)
  const elsewhere: WebHandler = (request) =>
    request.host === statusHost ? serveBySlug(request) : serveByDomain(request)
  const alone = surfaceOf('/', elsewhere)
  const isPage = openDomains(context, database)
  return {
    surface: surfaceOf('/status', onOwnHost),
    draw: {
      page: (tenant, uuid, draft) => renderPagePreview(tenant, uuid, draft, options),
      incident: (tenant, uuid, draft) => renderIncidentPreview(tenant, uuid, draft, options),
    },
    previewSurface: documentSurface(PREVIEW_PATH, previewFrame(statusBaseUrl)),
    surfaceOfHost: (host) => {
      // First, because it may be a bare name or an IP address, which is otherwise the service's own.
      if (host === statusHost && statusHost !== ownHost) return alone
      if (isServiceHost(host, ownHost ?? '')) return undefined
      return isPage(host).then((isActive) => (isActive ? alone : undefined))
    },
    part: { name: 'pages database', stop: () => database.close() },
  }
}

/** Whether a host is a page's custom domain. A host that is neither that nor ours is reported. */
function openDomains({ config, log }: Context, database: Database) {
  const domains = new ActiveDomains((names) => findActiveDomains(database, names), log)
  const unknown = createUnknownHosts(config.baseUrl, (fields, message) => log.warn(fields, message))
  return async (host: string): Promise<boolean> => {
    const isActive = await domains.isActive(host)
    if (!isActive) unknown.notice(host)
    return isActive
  }
}

/** Tenants' content is never shown on the dashboard's own host if there is another for it. */
function redirectTo(statusBaseUrl: string): WebHandler {
  return async ({ path, query }) => ({
    status: 302,
    headers: { Location: `${statusBaseUrl}${path}${query === '' ? '' : `?${query}`}` },
    body: Buffer.alloc(0),
  })
}
