// What a certificate or a domain shows instead of its state: the time left.
import { EXPIRY_TYPES, listedState } from '../../../src/domain/monitors/list-order.ts'
import type { ItemOf } from '../api/contract.ts'
import { monitorRowText as text } from '../messages/monitor-row.ts'
import { formatFull } from '../time/format.ts'
import { VIEWER_ZONE } from '../time/viewer.ts'

type Row = Pick<ItemOf<'GET /overview/monitors'>, 'type' | 'state' | 'inMaintenance' | 'expiry'>
type Expiry = NonNullable<Row['expiry']>

export const watchesExpiry = (type: string): boolean => EXPIRY_TYPES.includes(type)

/** Undefined where the state matters more: down, paused, pending, or in maintenance. */
export function expiryLabel({ type, state, inMaintenance, expiry }: Row) {
  if (!watchesExpiry(type) || expiry === null || inMaintenance) return undefined
  const listed = listedState({ type, state, expiry })
  if (listed !== 'UP' && listed !== 'EXPIRING') return undefined
  return { state: listed, word: timeLeftLabel(expiry) } as const
}

export function timeLeftLabel({ expired, daysLeft }: Pick<Expiry, 'expired' | 'daysLeft'>): string {
  if (expired) return text.expired
  return daysLeft === 0 ? text.lessThanADay : text.daysLeft({ days: daysLeft })
}

/** `issued by Let's Encrypt`; null if that is not known. */
export const issuerLabel = ({ what, issuer }: Pick<Expiry, 'what' | 'issuer'>): string | null =>
  issuer === null ? null : text.issuer[what]({ name: issuer })

/** For a tooltip: the exact time of the expiry, and the issuer. Undefined for other types. */
export function expiryTitle(
  { type, expiry }: Pick<Row, 'type' | 'expiry'>,
  zone = VIEWER_ZONE,
): string | undefined {
  if (expiry === null || !watchesExpiry(type)) return undefined
  const full = formatFull(expiry.at, zone)
  const until = expiry.expired ? text.expiredOn({ full }) : text.until({ full })
  const issuer = issuerLabel(expiry)
  return issuer === null ? until : `${until} · ${issuer}`
}
