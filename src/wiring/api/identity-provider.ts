// The identity provider with which people may sign in, if one is configured.
import type { Admission } from '../../actions/people/sign-in-by-provider.ts'
import type { IdentityProvider } from '../../api/private/sign-in/identity-provider.ts'
import { CALLBACK_PATH } from '../../api/private/sign-in/provider-surface.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { createOperatorOutbound, publicOnly } from '../../outbound/create-outbound.ts'
import { OidcDirectory } from '../../outbound/oidc/directory.ts'
import { OidcProvider } from '../../outbound/oidc/provider.ts'
import type { OidcConfig } from '../../platform/config/oidc-config.ts'
import type { Context } from '../context.ts'

const USER_AGENT = 'Upvane/1 (sign-in)'

/** The configured issuer may be at any address; the URLs that it publishes may only be public. */
export function openProvider({ config }: Context, oidc: OidcConfig): IdentityProvider {
  const { baseUrl, probeDnsServers: dnsServers } = config
  const anywhere = createOperatorOutbound({ dnsServers, userAgent: USER_AGENT })
  const guards = { own: anywhere.guard, others: publicOnly(anywhere).guard }
  const directory = new OidcDirectory({
    issuer: oidc.issuer,
    guards,
    nowMs: () => performance.now(),
  })
  const client = { ...oidc, redirectUri: `${baseUrl}${CALLBACK_PATH}` }
  const provider = new OidcProvider({ client, directory, now: () => new Date() })
  return {
    issuer: oidc.issuer,
    name: oidc.name,
    begin: (flow) => provider.begin(flow),
    finish: (query, flow) => provider.finish(query, flow),
  }
}

export function admissionOf(oidc: OidcConfig | undefined): Admission {
  const orgId = fromPublicId('org', oidc?.joins?.organizationId ?? '')
  const role = oidc?.joins?.role ?? 'READ_ONLY'
  return {
    allowedDomains: oidc?.allowedDomains ?? [],
    joins: orgId === undefined ? undefined : { orgId, role },
  }
}
