// What a certificate or a domain shows instead of its state: the time left.
import type { ItemOf } from '../api/contract.ts'
import { monitorRowText as text } from '../messages/monitor-row.ts'

type Row = Pick<ItemOf<'GET /overview/monitors'>, 'type' | 'state' | 'inMaintenance' | 'expiry'>

// These exist to watch an expiry. For other types the certificate is a detail.
const WATCHES_EXPIRY: ReadonlySet<string> = new Set(['SSL', 'DOMAIN'])

export const watchesExpiry = (type: string): boolean => WATCHES_EXPIRY.has(type)

/** Undefined where the state matters more: down, paused, pending, or in maintenance. */
export function expiryLabel({ type, state, inMaintenance, expiry }: Row) {
  if (!watchesExpiry(type) || expiry === null || inMaintenance) return undefined
  if (state !== 'UP' && state !== 'DEGRADED') return undefined
  const isNear = expiry.soon || state === 'DEGRADED'
  return { state: isNear ? 'DEGRADED' : 'UP', word: daysLeftLabel(expiry.daysLeft) } as const
}

export const daysLeftLabel = (days: number): string =>
  days === 0 ? text.lessThanADay : text.daysLeft(days)
