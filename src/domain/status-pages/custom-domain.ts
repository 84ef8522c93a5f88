// When a status page may be served under a custom domain: as long as the domain's DNS names the page. A CNAME alone
// proves too little: it points to all pages of the service, and outlives the page it was created for.
import { toPublicId } from '../values/id.ts'
import type { CustomDomainStatus } from './status-page.ts'

export type OwnedDomain = {
  pageUuid: string
  status: Exclude<CustomDomainStatus, 'NONE'>
  /** When the record was last seen, or, if it never was, when it was last looked up. */
  checkedAt: Date | null
  /** When the page was last changed. The domain was set no later than this. */
  changedAt: Date
  /** When the claim failed; null unless it is FAILED. */
  failedAt: Date | null
}

/**
 * UNKNOWN: no DNS response, which says nothing about the domain. HELD: the record names this page, but another page
 * serves the domain.
 */
export type Proof = 'SEEN' | 'ABSENT' | 'UNKNOWN' | 'HELD'

export type Settlement = { status: CustomDomainStatus; checkedAt: Date }

// People need a while to set a record, and longer to notice that they removed one.
const PENDING_HOURS = 48
const GRACE_HOURS = 72
// A claim that is never proven must not stay on the page for good.
const FAILED_HOURS = 7 * 24
const HOUR_MS = 3_600_000

/** The TXT record that proves ownership: its name, and the value it must contain. */
export function proofRecord(domain: string, pageUuid: string): { name: string; value: string } {
  return { name: `_upvane.${domain}`, value: toPublicId('sp', pageUuid) }
}

/** What to store; undefined if nothing changes. NONE releases the claim. */
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
