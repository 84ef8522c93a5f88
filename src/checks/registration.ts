// Finds when a domain's registration expires and who the registrar is, or that it is not registered: from RDAP, or from
// WHOIS if RDAP has no answer.

import type { OutboundConnection } from '../outbound/outbound-connection.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { queryRdap, type Registration, type RegistryResult } from './rdap.ts'
import { queryWhois } from './whois.ts'

/** Where registrations are looked up, and the results known so far. */
export type DomainRegistry = {
  bootstrapUrl: string
  /** `host` or `host:port`. */
  whoisServer: string
  cache: RegistrationCache
}

type RegistrationCache = {
  /** Concurrent requests for the same domain share one lookup. */
  share(domain: string, ask: () => Promise<RegistryResult>): Promise<RegistryResult>
  find(domain: string, now: Date): RegistryResult
  keep(domain: string, answer: Registration | 'ABSENT', now: Date): void
}

const KEEP_MS = 6 * 60 * 60 * 1000

/** Keeps each result for 6 h, at most `maxDomains` of them. */
export function createRegistrationCache(maxDomains: number): RegistrationCache {
  const cached = new BoundedMap<string, { answer: Registration | 'ABSENT'; askedAt: Date }>(
    maxDomains,
  )
  const inProgress = new Map<string, Promise<RegistryResult>>()
  return {
    share(domain, ask) {
      const running = inProgress.get(domain) ?? ask().finally(() => inProgress.delete(domain))
      inProgress.set(domain, running)
      return running
    },
    find(domain, now) {
      const entry = cached.get(domain)
      const fresh = entry !== undefined && now.getTime() - entry.askedAt.getTime() < KEEP_MS
      return fresh ? entry.answer : undefined
    },
    keep(domain, answer, now) {
      cached.set(domain, { answer, askedAt: now })
    },
  }
}

/**
 * `ABSENT` only if both the registry and the parent zone say so. Undefined if unknown. Throws an outbound error if
 * WHOIS cannot be queried.
 */
export async function findRegistration(
  domain: string,
  { bootstrapUrl, whoisServer }: DomainRegistry,
  connection: OutboundConnection,
): Promise<RegistryResult> {
  const rdap = await tryRdap(domain, bootstrapUrl, connection)
  if (typeof rdap === 'object') return rdap
  if (rdap === 'ABSENT' && (await hasNoZone(domain, connection))) return 'ABSENT'
  const whois = await queryWhois(domain, whoisServer, connection)
  if (whois !== 'ABSENT') return whois
  return (await hasNoZone(domain, connection)) ? 'ABSENT' : undefined
}

async function tryRdap(
  domain: string,
  bootstrapUrl: string,
  connection: OutboundConnection,
): Promise<RegistryResult> {
  try {
    return await queryRdap(domain, bootstrapUrl, connection)
  } catch (error) {
    // A registry whose RDAP is down may still respond over WHOIS.
    if (!(error instanceof OutboundError)) throw error
    return undefined
  }
}

/** Whether the parent zone returns NXDOMAIN. No answer, or no record of the type, proves nothing. */
export async function hasNoZone(domain: string, { query }: OutboundConnection): Promise<boolean> {
  try {
    await query(domain, 'NS')
    return false
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'NAME_NOT_FOUND' && error.detail === 'ENOTFOUND'
  }
}
