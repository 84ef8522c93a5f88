import type { ItemOf } from '../../api/contract.ts'
import { keysText as TEXT } from '../../messages/connections/api-keys.ts'
import type { State } from '../../ui/state.tsx'

export type ApiKeyView = ItemOf<'GET /keys'>

const SOON_MS = 14 * 24 * 3_600_000

/** How a key is shown. One that expires soon needs a replacement. */
export function appearanceOfKey(key: ApiKeyView, now: number): { state: State; word: string } {
  if (key.state === 'REVOKED') return { state: 'UNKNOWN', word: TEXT.states.REVOKED }
  if (key.state === 'EXPIRED') return { state: 'UNKNOWN', word: TEXT.states.EXPIRED }
  if (key.state === 'DISABLED') return { state: 'PAUSED', word: TEXT.states.DISABLED }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) - now < SOON_MS)
    return { state: 'DEGRADED', word: TEXT.states.soon }
  return { state: 'UP', word: TEXT.states.active }
}

export const isActive = ({ state }: ApiKeyView): boolean => state === 'ACTIVE'

/** Usable now, or again once enabled. */
export const isLive = ({ state }: ApiKeyView): boolean => state === 'ACTIVE' || state === 'DISABLED'

export const accessLabel = (access: ApiKeyView['access']): string => TEXT.accessNames[access]
