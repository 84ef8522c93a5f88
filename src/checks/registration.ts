// When a domain's registration ends: from RDAP, and where the registry has none, from WHOIS.
import { OutboundError } from '../outbound/outbound-error.ts'
import type { WayOut } from '../outbound/way-out.ts'
import { askRdap } from './rdap.ts'
import { askWhois } from './whois.ts'

/** Where registrations are looked up, and the dates known so far. */
export type Registry = {
  bootstrapUrl: string
  /** `host` or `host:port`. */
  whoisServer: string
  cache: RegistrationCache
}

export type RegistrationCache = {
  /** Who asks while somebody else is asking for the same domain shares the answer. */
  share(domain: string, ask: () => Promise<Date | undefined>): Promise<Date | undefined>
  find(domain: string, now: Date): Date | undefined
  keep(domain: string, expiresAt: Date, now: Date): void
}

const KEEP_MS = 6 * 60 * 60 * 1000

/** Remembers each answer for 6 h, and at most `maxDomains` of them, the oldest leaving first. */
export function createRegistrationCache(maxDomains: number): RegistrationCache {
  const known = new Map<string, { expiresAt: Date; askedAt: Date }>()
  const asking = new Map<string, Promise<Date | undefined>>()
  return {
    share(domain, ask) {
      const running = asking.get(domain) ?? ask().finally(() => asking.delete(domain))
      asking.set(domain, running)
      return running
    },
    find(domain, now) {
      const entry = known.get(domain)
      const fresh = entry !== undefined && now.getTime() - entry.askedAt.getTime() < KEEP_MS
      return fresh ? entry.expiresAt : undefined
    },
    keep(domain, expiresAt, now) {
      known.delete(domain)
      known.set(domain, { expiresAt, askedAt: now })
      const [oldest] = known.keys()
      if (known.size > maxDomains && oldest !== undefined) known.delete(oldest)
    },
  }
}

/** Undefined when neither source knows; throws what the way out threw when WHOIS could not be asked. */
export async function askRegistration(
  domain: string,
  { bootstrapUrl, whoisServer }: Registry,
  wayOut: WayOut,
): Promise<Date | undefined> {
  try {
    const expiresAt = await askRdap(domain, bootstrapUrl, wayOut)
    if (expiresAt !== undefined) return expiresAt
  } catch (error) {
    // A registry whose RDAP is down may still answer by WHOIS.
    if (!(error instanceof OutboundError)) throw error
  }
  return askWhois(domain, whoisServer, wayOut)
}
