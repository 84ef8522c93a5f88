import type { ItemOf } from '../api/contract.ts'
import { useRead } from '../session/use-api.ts'

const MOST = 6

const QUERY = { status: ['ONGOING' as const], acknowledged: false, limit: MOST }
const useNewest = () => useRead('GET /overview/incidents', { query: QUERY }).data

/** Ongoing incidents that no one has acknowledged, the newest first. */
export const useUnacknowledged = (): readonly ItemOf<'GET /overview/incidents'>[] =>
  useNewest()?.data ?? []

export const useUnacknowledgedCount = (): number => useNewest()?.pagination.total ?? 0
