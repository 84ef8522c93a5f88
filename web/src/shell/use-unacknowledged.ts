import type { ItemOf } from '../api/contract.ts'
import { useRead } from '../session/use-api.ts'

const MOST = 6

/** Ongoing incidents that no one has acknowledged, the newest first. */
export function useUnacknowledged(): readonly ItemOf<'GET /overview/incidents'>[] {
  const query = { status: ['ONGOING' as const], acknowledged: false, limit: MOST }
  return useRead('GET /overview/incidents', { query }).data?.data ?? []
}
