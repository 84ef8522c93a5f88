// The role that serves the APIs, the dashboard and the status pages.
import { createRequestCheck, createRequestTrial } from '../../actions/monitors/request-check.ts'
import { bindExtOperations } from '../../api/ext/operations.ts'
import { counted } from '../../api/http/counted-surface.ts'
import { installationSurface } from '../../api/http/installation.ts'
import { createApiServer } from '../../api/http/server.ts'
import type { PreviewRenderer } from '../../api/private/screens/pages.ts'
import { heartbeatSurface } from '../../api/public/heartbeat.ts'
import { bindPublicOperations } from '../../api/public/operations.ts'
import { securityTxtSurfaces } from '../../api/site/security-txt.ts'
import { startReceiptRecorder } from '../../engine/probing/ping-receipt.ts'
import { slotsMissedCounter } from '../../platform/metrics/slots-missed-counter.ts'
import { listen, type Part } from '../../platform/process/lifecycle.ts'
import type { Database } from '../../store/core/db.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { Tenants } from '../../store/core/tenants.ts'
import { KeyAuthenticator } from '../../store/people/key-authenticator.ts'
import { addressPolicy } from '../address-policy.ts'
import { type Context, openPool } from '../context.ts'
import { limitServerConnections } from '../limit-connections.ts'
import { shareAmongOrganizations } from '../share-connections.ts'
import { dashboard, documents, withBuild } from './documents.ts'
import { keySurfaces } from './key-surfaces.ts'
import { startPages } from './pages.ts'
import { startPrivateApi } from './private-api.ts'

// Pings of many organizations are recorded together, which only the engine's role may do. The operator's page uses one of
// these connections while it is read.
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
  const pages = startPages(context, secrets)
  const apis = await startApis(context, { tenants, secrets, keys, engine, draw: pages.draw })
  const surfaces = [
    ...apis.keySurfaces,
    pages.previewSurface,
    withBuild(apis.privateApi.surface),
    heartbeats,
    pages.surface,
    ...documents(context),
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
    apis.privateApi.part,
    pages.part,
    { name: 'heartbeats', stop: heartbeats.stop },
    part,
    // Stops before the server does: from then on pings may be refused.
    { name: 'ping receipt', stop: receipt.stop },
    apis.privateApi.streams,
  ]
}

type ApiDeps = {
  tenants: Tenants
  secrets: OrganizationSecrets
  keys: Database
  engine: Database
  draw: PreviewRenderer
}

/** The dashboard's API has the public operations too, and the extension API some of the dashboard's. */
async function startApis(context: Context, { keys, ...shared }: ApiDeps) {
  const { config, bus } = context
  const publicOperations = bindPublicOperations({
    config,
    policy: addressPolicy(config),
    requestCheck: createRequestCheck(bus),
  })
  const privateApi = await startPrivateApi(context, { ...shared, publicOperations })
  const extOperations = bindExtOperations({
    config,
    privateOperations: privateApi.operations,
    peopleFor: privateApi.peopleFor,
    requestTrial: createRequestTrial(bus),
  })
  const authenticator = new KeyAuthenticator(keys, config.rateLimitRequests)
  const { tenants } = shared
  const deps = { authenticator, tenants, publicOperations, extOperations }
  return { privateApi, keySurfaces: keySurfaces(context, deps) }
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
