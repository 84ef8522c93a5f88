import { getDomain } from 'tldts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { domainExpired, domainNotRegistered } from './cause-text.ts'
import { type Check, type CheckContext, type CheckFinding, failed } from './check.ts'
import { parseHostPort } from './host-port.ts'
import type { Registration } from './rdap.ts'
import { findRegistration, hasNoZone } from './registration.ts'

type DomainTarget = { type: 'DOMAIN'; url: string; timeoutSeconds: number }

/** DOMAIN passes until the registration expires. A failed lookup is never reported as an outage. */
export const domainCheck: Check<DomainTarget> = {
  viaThirdParty: true,
  // Registrations are cached for hours.
  needsNoResponse: true,

  toTarget: ({ url, timeoutSeconds }) => ({ type: 'DOMAIN', url: url ?? '', timeoutSeconds }),

  async run(target, context) {
    const domain = getDomain(parseHostPort(target.url).host)
    if (domain === null) return inconclusive('not a registrable domain')
    const found = await lookUp(domain, context)
    if (found === 'ABSENT') return failed('DOMAIN_NOT_REGISTERED', domainNotRegistered(domain))
    if (!('expiresAt' in found)) return found
    const { expiresAt, registrar } = found
    const evidence = {
      domainExpiresAt: expiresAt.toISOString(),
      ...(registrar !== null && { issuer: registrar }),
    }
    return expiresAt > context.now()
      ? { outcome: 'OK', ...evidence }
      : failed('DOMAIN_EXPIRED', domainExpired(domain, expiresAt), evidence)
  },
}

async function lookUp(
  domain: string,
  context: CheckContext,
): Promise<Registration | 'ABSENT' | CheckFinding> {
  const { registry, now } = context
  const cached = registry.cache.find(domain, now())
  if (typeof cached === 'object') return cached
  try {
    // A domain that now has a zone has been registered since: the registry is queried again.
    if (cached === 'ABSENT' && (await hasNoZone(domain, context))) return 'ABSENT'
    const lookup = registry.cache.share(domain, () => findRegistration(domain, registry, context))
    // The lookup may belong to another attempt with more time than this one.
    const found = await Promise.race([lookup, timeoutOf(context.signal)])
    if (found === undefined) return inconclusive('no expiry date')
    registry.cache.keep(domain, found, now())
    return found
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return inconclusive(error.detail)
  }
}

function timeoutOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(new OutboundError('TIMEOUT'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}

function inconclusive(detail: string): CheckFinding {
  return { outcome: 'INCONCLUSIVE', reason: 'LOOKUP_FAILED', detail }
}
