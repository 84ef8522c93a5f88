// What an attempt says about the way from its region to the target.
import { parseHostPort } from '../../checks/host-port.ts'
import type { CheckTarget } from '../../checks/registry.ts'
import type { RegionFinding } from '../../domain/regions/reach.ts'
import { isPrivate, toLiteral } from '../../outbound/permit.ts'
import type { ObservedAttempt } from './to-attempt.ts'

const HTTPS_PORT = 443
const HTTP_PORT = 80

/** Undefined if the attempt says nothing about the target. */
export function toRegionFinding(
  target: CheckTarget,
  { region, outcome, stalled, finding }: ObservedAttempt,
): RegionFinding | undefined {
  if (finding === null || finding.outcome === 'INCONCLUSIVE') return undefined
  // Our own stall may be the reason.
  if (outcome === 'FAILED' && stalled) return undefined
  const address = finding.resolvedIp ?? literalOf(target)
  const answers = target.type === 'DNS' ? (finding.dnsAnswers ?? []) : []
  const addresses = address === null ? answers : [...answers, address]
  return {
    region,
    passed: outcome === 'OK',
    address,
    port: portOf(target),
    isPrivate: addresses.some(isPrivate),
  }
}

/** Whether the target is written as a private address. */
export function isWrittenPrivate(target: CheckTarget): boolean {
  const address = literalOf(target)
  return address !== null && isPrivate(address)
}

function literalOf(target: CheckTarget): string | null {
  return toLiteral('host' in target ? target.host : parseHostPort(target.url).host)
}

/** Where the target accepts TCP; null for types that do not use it. */
function portOf(target: CheckTarget): number | null {
  switch (target.type) {
    case 'PORT':
      return target.port
    case 'SSL':
      return parseHostPort(target.url).port ?? HTTPS_PORT
    case 'HTTP':
    case 'KEYWORD': {
      const url = URL.parse(target.url)
      if (url === null) return null
      if (url.port !== '') return Number(url.port)
      return url.protocol === 'http:' ? HTTP_PORT : HTTPS_PORT
    }
    default:
      return null
  }
}
