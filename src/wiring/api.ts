import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRequestCheck } from '../actions/monitors/request-check.ts'
import { assertComplete, type BoundOperation } from '../api/http/bind.ts'
import { counted } from '../api/http/counted-surface.ts'
import { installationSurface } from '../api/http/installation.ts'
import { KeysInUse } from '../api/http/keys-in-use.ts'
import { Router } from '../api/http/router.ts'
import { createApiServer } from '../api/http/server.ts'
import { type Surface } from '../api/http/surface.ts'
import { mcpSurface } from '../api/mcp/mcp-surface.ts'
import { metricsSurfaces } from '../api/metrics/metrics-surfaces.ts'
import { AbuseGuard } from '../api/public/abuse-guard.ts'
import { checkOperation } from '../api/public/check-monitor.ts'
import { heartbeatSurface } from '../api/public/heartbeat.ts'
import { incidentOperations } from '../api/public/incidents.ts'
import { maintenanceWindowOperations } from '../api/public/maintenance-windows.ts'
import { monitorOperations } from '../api/public/monitors.ts'
import { publicApi } from '../api/public/public-api.ts'
import { statusIncidentOperations } from '../api/public/status-incidents.ts'
import { statusPageOperations } from '../api/public/status-pages.ts'
import { webhookDeliveryOperations } from '../api/public/webhook-deliveries.ts'
import { webhookEndpointOperations } from '../api/public/webhook-endpoints.ts'
import { documentSurface } from '../api/reference/documents.ts'
import { DOCS_HEADERS, renderDocs } from '../api/reference/page.ts'
import { FONT_PATH } from '../api/reference/style.ts'
import { dashboardSurfaces } from '../api/site/dashboard.ts'
import { missingDashboardSurfaces } from '../api/site/dashboard-missing.ts'
import { securityTxtSurfaces } from '../api/site/security-txt.ts'
import { EXT_API } from '../contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../contract/ext/operations.ts'
import { createOpenapi } from '../contract/public/openapi.ts'
import { OPERATIONS } from '../contract/public/operations.ts'
import { rateHeaders, unusedWindow } from '../domain/values/rate-window.ts'
import { startReceiptRecorder } from '../engine/probing/ping-receipt.ts'
import { finishInTurn } from '../platform/limits/busy-work.ts'
import { slotsMissedCounter } from '../platform/metrics/slots-missed-counter.ts'
import { listen, type Part } from '../platform/process/lifecycle.ts'
import type { Database } from '../store/core/db.ts'
import { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import { Tenants } from '../store/core/tenants.ts'
import { KeyAuthenticator } from '../store/people/key-authenticator.ts'
import { addressPolicy } from './address-policy.ts'
import { openClientAddress } from './client-address.ts'
import { type Context, openPool } from './context.ts'
import { bindExtOperations } from './ext-api.ts'
import { limitServerConnections } from './limit-connections.ts'
import { startPages } from './pages.ts'
import { startPrivateApi } from './private-api.ts'
import { shareAmongOrganizations } from './share-connections.ts'

const ROOT = join(import.meta.dirname, '../..')
// Pings of many organizations are recorded together, which only the engine's role may do.
const HEARTBEAT_CONNECTIONS = 3
// Keys are looked up and counted in batches, two at a time. No handler can delay them.
const KEY_CONNECTIONS = 2

export async function startApiRole(context: Context): Promise<Part[]> {
  const { config, log, tracer } = context
  const database = openPool(context, 'api', 'upvane_app', config.databaseConnections)
  const keys = openPool(context, 'keys', 'upvane_app', KEY_CONNECTIONS)
  const engine = openPool(context, 'heartbeat', 'upvane_engine', HEARTBEAT_CONNECTIONS)
  const secrets = new OrganizationSecrets(config.masterKeys)
  const heartbeats = countedHeartbeats(context, engine, secrets)
  const tenants = openTenants(context, database, secrets)
  const publicOperations = bindPublicOperations(context)
  const pages = startPages(context, secrets)
  const { draw } = pages
  const privateApi = await startPrivateApi(context, { tenants, secrets, publicOperations, draw })
  const surfaces = [
    ...keySurfaces(context, {
      authenticator: new KeyAuthenticator(keys, config.rateLimitRequests),
      tenants,
      publicOperations,
      extOperations: bindExtOperations(context, privateApi),
    }),
    pages.previewSurface,
    privateApi.surface,
    heartbeats,
    pages.surface,
    ...documents(config),
    installationSurface(config.masterKeys),
    ...securityTxtSurfaces(config.securityContacts, config.baseUrl),
    ...dashboard(context),
  ]
  const { rateLimitRequests } = config
  const { surfaceOfHost } = pages
  const headers = securityHeaders(config)
  const server = createApiServer(surfaces, { rateLimitRequests, headers, surfaceOfHost, tracer })
  limitServerConnections(server, context)
  const part = await listen('api', server, config)
  const receipt = await startReceiptRecorder(engine, config.region, log)
  log.info({ port: part.port }, 'listening')
  return [
    { name: 'api database', stop: () => database.close() },
    { name: 'keys database', stop: () => keys.close() },
    { name: 'heartbeat database', stop: () => engine.close() },
    privateApi.part,
    pages.part,
    { name: 'heartbeats', stop: heartbeats.stop },
    part,
    // Stops before the server does: from then on pings may be refused.
    { name: 'ping receipt', stop: receipt.stop },
    privateApi.streams,
  ]
}

function countedHeartbeats(
  { log, metrics }: Context,
  database: Database,
  secrets: OrganizationSecrets,
) {
  const surface = heartbeatSurface({ database, secrets, log })
  return counted(surface, (status) => metrics.heartbeatRequests.inc({ status }))
}

function openTenants(context: Context, database: Database, secrets: OrganizationSecrets): Tenants {
  const slotsMissed = slotsMissedCounter(context.metrics.registry)
  return new Tenants(
    shareAmongOrganizations(database, context, shareOf(context)),
    secrets,
    (reason, slots) => slotsMissed.inc({ reason }, slots),
  )
}

/**
 * Once people use https, browsers must use nothing else. This includes custom domains, whose pages have https:// URLs,
 * but not their subdomains, which are not ours. Browsers ignore it over plain HTTP.
 */
function securityHeaders({ baseUrl }: Context['config']): Record<string, string> {
  return baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}

const shareOf = ({ config }: Context) => ({
  pool: 'api',
  total: config.databaseConnections,
  perOrganization: config.limits.connectionsPerOrganization,
})

function bindPublicOperations({ config, bus }: Context): readonly BoundOperation[] {
  const bound = [
    ...monitorOperations,
    checkOperation(createRequestCheck(bus)),
    ...incidentOperations,
    ...maintenanceWindowOperations,
    ...statusPageOperations(config),
    ...statusIncidentOperations,
    ...webhookEndpointOperations(addressPolicy(config)),
    ...webhookDeliveryOperations,
  ]
  assertComplete(OPERATIONS, bound)
  return bound
}

type ApiDeps = {
  authenticator: KeyAuthenticator
  tenants: Tenants
  publicOperations: readonly BoundOperation[]
  extOperations: readonly BoundOperation[]
}

/** The public and the extension API, metrics and MCP. A key has one rate limit for all of them. */
function keySurfaces(
  context: Context,
  { authenticator, tenants, publicOperations, extOperations }: ApiDeps,
): Surface[] {
  const { config, log, metrics } = context
  const shared = {
    authenticator,
    tenants,
    keysInUse: new KeysInUse(),
    abuseGuard: new AbuseGuard(config.unauthenticatedLimitPerMinute, config.rateLimitRequests),
    clientAddress: openClientAddress(context),
    rateLimitRequests: config.rateLimitRequests,
    baseUrl: config.baseUrl,
    log,
    metrics,
  }
  return [
    { prefix: '/api/v1', serve: publicApi({ ...shared, router: new Router(publicOperations) }) },
    { prefix: '/api/ext/v1', serve: publicApi({ ...shared, router: new Router(extOperations) }) },
    ...metricsSurfaces(shared),
    mcpSurface({
      ...shared,
      version: context.version,
      operations: [...publicOperations, ...extOperations],
    }),
  ]
}

function documents({ baseUrl, rateLimitRequests }: Context['config']): Surface[] {
  const committed = (name: string) =>
    documentSurface(`/${name}`, {
      type: 'application/json; charset=utf-8',
      body: readFileSync(join(ROOT, name), 'utf8'),
      headers: rateHeaders(unusedWindow(rateLimitRequests)),
    })
  return [
    committed('openapi.json'),
    committed('openapi-ext.json'),
    documentSurface(FONT_PATH, {
      type: 'font/woff2',
      body: readFileSync(join(ROOT, 'src/pages/assets/inter-latin.woff2')),
      headers: { 'Cache-Control': 'public, max-age=86400' },
    }),
    documentSurface('/docs', {
      type: 'text/html; charset=utf-8',
      body: () => finishInTurn('docs', reference(baseUrl)),
      headers: DOCS_HEADERS,
    }),
  ]
}

/** Takes hundreds of milliseconds, which few processes ever need. */
function* reference(serverUrl: string): Generator<undefined, string> {
  const openapi = createOpenapi(OPERATIONS, { serverUrl })
  yield
  const extension = createOpenapi(EXT_OPERATIONS, { serverUrl, subject: EXT_API })
  yield
  return yield* renderDocs(openapi, extension)
}

function dashboard({ log }: Context): Surface[] {
  const surfaces = dashboardSurfaces(join(ROOT, 'web/dist'))
  if (surfaces === undefined)
    log.warn('the dashboard was not built, only the API is served: npm run web')
  return surfaces ?? missingDashboardSurfaces()
}
