// What a new monitor's form fills in: a name from the target, and defaults that fit the type. What was typed stays.
import {
  EMPTY_DRAFT,
  isHost,
  type MonitorDraft,
  type MonitorDraftType,
  withScheme,
} from './monitor-draft.ts'

const MAX_NAME = 120

type Defaults = Pick<MonitorDraft, 'intervalSeconds' | 'sslExpiryThresholdDays'>

const { intervalSeconds, sslExpiryThresholdDays } = EMPTY_DRAFT
const USUAL: Defaults = { intervalSeconds, sslExpiryThresholdDays }
const BY_TYPE: Partial<Record<MonitorDraftType, Defaults>> = {
  DNS: { ...USUAL, intervalSeconds: 300 },
  SSL: { ...USUAL, intervalSeconds: 3600 },
  DOMAIN: { intervalSeconds: 86_400, sslExpiryThresholdDays: '30' },
}
const defaultsOf = (type: MonitorDraftType): Defaults => BY_TYPE[type] ?? USUAL

/** What these check changes over days, and a job reports by itself: none of them is slow. */
export const canBeSlow = (type: MonitorDraftType): boolean =>
  type !== 'SSL' && type !== 'DOMAIN' && type !== 'CRON'

/** The host of the target; empty if there is none yet. */
export function guessName({ type, url, host }: MonitorDraft): string {
  if (type === 'CRON') return ''
  const name = isHost(type) ? host.trim() : URL.parse(withScheme(url))?.hostname
  return (name ?? '').slice(0, MAX_NAME)
}

/** An empty draft of this type. */
export function newDraft(type: MonitorDraftType): MonitorDraft {
  return changeNewDraft(EMPTY_DRAFT, { type })
}

/** Applies a change to a new monitor. Name and defaults follow it, unless the person chose others. */
export function changeNewDraft(before: MonitorDraft, part: Partial<MonitorDraft>): MonitorDraft {
  const after = { ...before, ...part }
  const type = part.type
  const typed = type === undefined || type === before.type ? after : withType(before, after)
  const isGuessed = part.name === undefined && before.name === guessName(before)
  return isGuessed ? { ...typed, name: guessName(typed) } : typed
}

function withType(before: MonitorDraft, after: MonitorDraft): MonitorDraft {
  const [own, next] = [defaultsOf(before.type), defaultsOf(after.type)]
  const isDefault = (field: keyof Defaults) => before[field] === own[field]
  return {
    ...after,
    intervalSeconds: isDefault('intervalSeconds') ? next.intervalSeconds : after.intervalSeconds,
    sslExpiryThresholdDays: isDefault('sslExpiryThresholdDays')
      ? next.sslExpiryThresholdDays
      : after.sslExpiryThresholdDays,
    isSlowDegraded: after.isSlowDegraded && canBeSlow(after.type),
  }
}
