import { getDomain } from 'tldts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { domainExpired, domainNotRegistered } from './cause-text.ts'
import { type Check, type CheckContext, type CheckFinding, failed } from './check.ts'
import { parseHostPort } from './host-port.ts'
import { findRegistration, hasNoZone } from './registration.ts'

type DomainTarget = { type: 'DOMAIN'; url: string; timeoutSeconds: number }

/** DOMAIN passes until the registration expires. A failed lookup is never reported as an outage. */
export const domainCheck: Check<DomainTarget> = {
  viaThirdParty: true,

  toTarget: ({ url, timeoutSeconds }) => ({ type: 'DOMAIN', url: url ?? '', timeoutSeconds }),

  async run(target, context) {
    const domain = getDomain(parseHostPort(target.url).host)
    if (domain === null) return inconclusive('not a registrable domain')
    const expiresAt = await findExpiry(domain, context)
    if (expiresAt === 'ABSENT') return failed('DOMAIN_NOT_REGISTERED', domainNotRegistered(domain))
    if (!(expiresAt instanceof Date)) return expiresAt
    const evidence = { domainExpiresAt: expiresAt.toISOString() }
    return expiresAt > context.now()
      ? { outcome: 'OK', ...evidence }
      : failed('DOMAIN_EXPIRED', domainExpired(domain, expiresAt), evidence)
  },
}

async function findExpiry(
  domain: string,
  context: CheckContext,
): Promise<Date | 'ABSENT' | CheckFinding> {
  const { registry, now } = context
  const cached = registry.cache.find(domain, now())
  if (cached instanceof Date) return cached
  try {
    // A domain that now has a zone has been registered since: the registry is queried again.
    if (cached === 'ABSENT' && (await hasNoZone(domain, context))) return 'ABSENT'
    const registration = registry.cache.share(domain, () =>
      findRegistration(domain, registry, context),
    )
    // The lookup may belong to another attempt with more time than this one.
    const expiresAt = await Promise.race([registration, timeoutOf(context.signal)])
    if (expiresAt === undefined) return inconclusive('no expiry date')
    registry.cache.keep(domain, expiresAt, now())
    return expiresAt
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
