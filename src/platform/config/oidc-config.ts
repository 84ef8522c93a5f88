// The identity provider (OpenID Connect), as configured in the environment.
import { isIPv4 } from 'node:net'

const ROLES = ['READ_ONLY', 'MEMBER', 'ADMIN'] as const

export type OidcConfig = Readonly<{
  /** Exactly as the provider writes it. */
  issuer: string
  clientId: string
  /** Undefined: we are a public client of the provider. */
  clientSecret: string | undefined
  /** The label of the button. */
  name: string
  /** Domains whose email addresses the provider may assert; empty: all that it verified. */
  allowedDomains: readonly string[]
  /** People without an invitation join this organization. Undefined: they are refused. */
  joins: { organizationId: string; role: (typeof ROLES)[number] } | undefined
}>

/** Reads the environment and collects its problems. */
type Reading = {
  text(name: string, fallback?: string): string
  list(name: string): string[]
  oneOf<V extends string>(name: string, values: readonly V[], fallback: V): V
  problems: string[]
}

const NAME_LENGTH = 40
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

export function readOidcConfig(read: Reading): OidcConfig | undefined {
  const issuer = read.text('OIDC_ISSUER', '')
  const organizationId = read.text('OIDC_ORGANIZATION', '')
  const role = read.oneOf('OIDC_ROLE', ROLES, 'READ_ONLY')
  const config = {
    issuer,
    clientId: read.text('OIDC_CLIENT_ID', ''),
    clientSecret: read.text('OIDC_CLIENT_SECRET', '') || undefined,
    name: read.text('OIDC_NAME', 'Single sign-on'),
    allowedDomains: read.list('OIDC_ALLOWED_DOMAINS').map((domain) => domain.toLowerCase()),
    joins: organizationId === '' ? undefined : { organizationId, role },
  }
  if (issuer === '') return undefined
  read.problems.push(...problemsOf(config))
  return config
}

function problemsOf({ issuer, clientId, name, allowedDomains, joins }: OidcConfig): string[] {
  const problems: [isWrong: boolean, problem: string][] = [
    [!isIssuer(issuer), 'OIDC_ISSUER must be an https:// address without query or fragment'],
    [clientId === '', 'OIDC_CLIENT_ID is required'],
    [name.length > NAME_LENGTH, `OIDC_NAME must have at most ${NAME_LENGTH} characters`],
    [
      !allowedDomains.every((domain) => DOMAIN.test(domain)),
      'OIDC_ALLOWED_DOMAINS must be domains such as example.com, separated by commas',
    ],
    [
      joins !== undefined && !/^org_[0-9a-z]{26}$/.test(joins.organizationId),
      'OIDC_ORGANIZATION must be an id that starts with org_',
    ],
    // Otherwise anyone who can get an account there could join.
    [
      joins !== undefined && allowedDomains.length === 0,
      'OIDC_ORGANIZATION needs OIDC_ALLOWED_DOMAINS, which says whose people may join it',
    ],
  ]
  return problems.flatMap(([isWrong, problem]) => (isWrong ? problem : []))
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** For trying it out: no one can intercept traffic on the loopback interface. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
