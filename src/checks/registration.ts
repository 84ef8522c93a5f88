// When a domain's registration ends, or that there is none: from RDAP, and where the registry has none, from WHOIS.
import { OutboundError } from '../outbound/outbound-error.ts'
import type { WayOut } from '../outbound/way-out.ts'
import { askRdap, type RegistryAnswer } from './rdap.ts'
import { askWhois } from './whois.ts'

/** Where registrations are looked up, and the dates known so far. */
export type Registry = {
  bootstrapUrl: string
  /** `host` or `host:port`. */
  whoisServer: string
  cache: RegistrationCache
}

type RegistrationCache = {
  /** Who asks while somebody else is asking for the same domain shares the answer. */
  share(domain: string, ask: () => Promise<RegistryAnswer>): Promise<RegistryAnswer>
  find(domain: string, now: Date): RegistryAnswer
  keep(domain: string, answer: Date | 'ABSENT', now: Date): void
}

const KEEP_MS = 6 * 60 * 60 * 1000

/** Remembers each answer for 6 h, and at most `maxDomains` of them, the oldest leaving first. */
export function createRegistrationCache(maxDomains: number): RegistrationCache {
  const known = new Map<string, { answer: Date | 'ABSENT'; askedAt: Date }>()
  const asking = new Map<string, Promise<RegistryAnswer>>()
  return {
    share(domain, ask) {
      const running = asking.get(domain) ?? ask().finally(() => asking.delete(domain))
      asking.set(domain, running)
      return running
    },
    find(domain, now) {
      const entry = known.get(domain)
      const fresh = entry !== undefined && now.getTime() - entry.askedAt.getTime() < KEEP_MS
      return fresh ? entry.answer : undefined
    },
    keep(domain, answer, now) {
      known.delete(domain)
      known.set(domain, { answer, askedAt: now })
      const [oldest] = known.keys()
      if (known.size > maxDomains && oldest !== undefined) known.delete(oldest)
    },
  }
}

/**
 * `ABSENT` only when the registry and the parent zone both say so. Undefined when nobody knows; throws what the way
 * out threw when WHOIS could not be asked.
 */
export async function askRegistration(
  domain: string,
  { bootstrapUrl, whoisServer }: Registry,
  wayOut: WayOut,
): Promise<RegistryAnswer> {
  const rdap = await tryRdap(domain, bootstrapUrl, wayOut)
  if (rdap instanceof Date) return rdap
  if (rdap === 'ABSENT' && (await hasNoZone(domain, wayOut))) return 'ABSENT'
  const whois = await askWhois(domain, whoisServer, wayOut)
  if (whois !== 'ABSENT') return whois
  return (await hasNoZone(domain, wayOut)) ? 'ABSENT' : undefined
}

async function tryRdap(
  domain: string,
  bootstrapUrl: string,
  wayOut: WayOut,
): Promise<RegistryAnswer> {
  try {
    return await askRdap(domain, bootstrapUrl, wayOut)
  } catch (error) {
    // A registry whose RDAP is down may still answer by WHOIS.
    if (!(error instanceof OutboundError)) throw error
    return undefined
  }
}

/** Whether the parent zone answers NXDOMAIN. Silence and "no such record" prove nothing. */
export async function hasNoZone(domain: string, { query }: WayOut): Promise<boolean> {
  try {
    await query(domain, 'NS')
    return false
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'NAME_NOT_FOUND' && error.detail === 'ENOTFOUND'
  }
}
