// What is used with an API key: the public and the extension API, metrics and MCP. A key has one rate limit for all of them.
import { type BoundOperation } from '../../api/http/bind.ts'
import { KeysInUse } from '../../api/http/keys-in-use.ts'
import { Router } from '../../api/http/router.ts'
import type { Surface } from '../../api/http/surface.ts'
import { mcpSurface } from '../../api/mcp/mcp-surface.ts'
import { metricsSurfaces } from '../../api/metrics/metrics-surfaces.ts'
import { AbuseGuard } from '../../api/public/abuse-guard.ts'
import { publicApi } from '../../api/public/public-api.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import type { KeyAuthenticator } from '../../store/people/key-authenticator.ts'
import { openClientAddress } from '../client-address.ts'
import type { Context } from '../context.ts'

type ApiDeps = {
  authenticator: KeyAuthenticator
  tenants: Tenants
  publicOperations: readonly BoundOperation[]
  extOperations: readonly BoundOperation[]
}

export function keySurfaces(
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
