// When a domain's registration ends, or that there is none: from RDAP, and where the registry has none, from WHOIS.

import type { OutboundConnection } from '../outbound/outbound-connection.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { queryRdap, type RegistryResult } from './rdap.ts'
import { queryWhois } from './whois.ts'

/** Where registrations are looked up, and the dates known so far. */
export type Registry = {
  bootstrapUrl: string
  /** `host` or `host:port`. */
  whoisServer: string
  cache: RegistrationCache
}

type RegistrationCache = {
  /** Who asks while somebody else is asking for the same domain shares the answer. */
  share(domain: string, ask: () => Promise<RegistryResult>): Promise<RegistryResult>
  find(domain: string, now: Date): RegistryResult
  keep(domain: string, answer: Date | 'ABSENT', now: Date): void
}

const KEEP_MS = 6 * 60 * 60 * 1000

/** Remembers each answer for 6 h, and at most `maxDomains` of them, the oldest leaving first. */
export function createRegistrationCache(maxDomains: number): RegistrationCache {
  const cached = new Map<string, { answer: Date | 'ABSENT'; askedAt: Date }>()
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
      cached.delete(domain)
      cached.set(domain, { answer, askedAt: now })
      const [oldest] = cached.keys()
      if (cached.size > maxDomains && oldest !== undefined) cached.delete(oldest)
    },
  }
}

/**
 * `ABSENT` only when the registry and the parent zone both say so. Undefined when nobody knows; throws what the way
 * out threw when WHOIS could not be asked.
 */
export async function findRegistration(
  domain: string,
  { bootstrapUrl, whoisServer }: Registry,
  connection: OutboundConnection,
): Promise<RegistryResult> {
  const rdap = await tryRdap(domain, bootstrapUrl, connection)
  if (rdap instanceof Date) return rdap
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
    // A registry whose RDAP is down may still answer by WHOIS.
    if (!(error instanceof OutboundError)) throw error
    return undefined
  }
}

/** Whether the parent zone answers NXDOMAIN. Silence and "no such record" prove nothing. */
export async function hasNoZone(domain: string, { query }: OutboundConnection): Promise<boolean> {
  try {
    await query(domain, 'NS')
    return false
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'NAME_NOT_FOUND' && error.detail === 'ENOTFOUND'
  }
}
