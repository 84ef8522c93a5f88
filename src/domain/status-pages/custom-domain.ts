// When a status page may answer under somebody's domain: as long as the domain's DNS names the page. A CNAME
// alone would prove too little: it leads to all pages of the service, and outlives the page it was made for.
import { toPublicId } from '../values/id.ts'
import type { CustomDomainStatus } from './status-page.ts'

export type OwnedDomain = {
  pageUuid: string
  status: Exclude<CustomDomainStatus, 'NONE'>
  /** When the record was last seen; while it never was, when it was last looked for. */
  checkedAt: Date | null
  /** When the page was last changed: no later than this was the domain set. */
  changedAt: Date
  /** When the claim failed; null unless it is FAILED. */
  failedAt: Date | null
}

/**
 * UNKNOWN: nobody answered, which says nothing about the domain. HELD: the record names this page, but another
 * page serves the domain.
 */
export type Proof = 'SEEN' | 'ABSENT' | 'UNKNOWN' | 'HELD'

export type Settlement = { status: CustomDomainStatus; checkedAt: Date }

// People need a while to set a record, and longer to notice that they removed one.
const PENDING_HOURS = 48
const GRACE_HOURS = 72
// A claim nobody proves must not stay on the page for good.
const FAILED_HOURS = 7 * 24
const HOUR_MS = 3_600_000

/** The TXT record that proves it: its name, and what one of its values must be. */
export function proofRecord(domain: string, pageUuid: string): { name: string; value: string } {
  return { name: `_upvane.${domain}`, value: toPublicId('sp', pageUuid) }
}

/** What to store; undefined when nothing changes. NONE releases the claim. */
export function settleDomain(
  { status, checkedAt, changedAt, failedAt }: OwnedDomain,
  proof: Proof,
  now: Date,
): Settlement | undefined {
  if (proof === 'UNKNOWN') return undefined
  if (proof === 'SEEN') return { status: 'ACTIVE', checkedAt: now }
  if (status === 'ACTIVE' && checkedAt !== null && isWithin(checkedAt, GRACE_HOURS, now))
    return undefined
  if (status === 'FAILED' && failedAt !== null && !isWithin(failedAt, FAILED_HOURS, now))
    return { status: 'NONE', checkedAt: now }
  const isEarly = status === 'PENDING' && isWithin(changedAt, PENDING_HOURS, now)
  return { status: isEarly ? 'PENDING' : 'FAILED', checkedAt: now }
}

function isWithin(from: Date, hours: number, now: Date): boolean {
  return now.getTime() - from.getTime() < hours * HOUR_MS
}
