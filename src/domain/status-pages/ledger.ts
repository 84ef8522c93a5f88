// The ledger of a status page: when outages were detected, when they were published, and what was removed from the page
// meanwhile.
import type { Section, ShownComponent } from './status-page.ts'

export type DetectedOutage = {
  componentName: string
  detectedAt: Date
  endedAt: Date | null
  resolution: string | null
  /** When it was first published on the page; null if it never was. */
  publishedAt: Date | null
}

export type OverrideKind = 'COMPONENT_REMOVED' | 'MONITOR_DETACHED'
export type Override = { kind: OverrideKind; componentName: string; at: Date }

export type LedgerEntry =
  | (DetectedOutage & {
      kind: 'OUTAGE'
      at: Date
      /** From detection to publication; 0 if it was published before. */
      publishedAfterMs: number | null
      /** The checks were paused or changed before it was over. */
      isCutShort: boolean
    })
  | Override

const MAX_ENTRIES = 200

/** Newest first. */
export function toLedger(
  outages: readonly DetectedOutage[],
  overrides: readonly Override[],
): LedgerEntry[] {
  return [...outages.map(toOutage), ...overrides]
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MAX_ENTRIES)
}

function toOutage(outage: DetectedOutage): LedgerEntry {
  const { detectedAt, publishedAt, resolution } = outage
  const afterMs = publishedAt && publishedAt.getTime() - detectedAt.getTime()
  return {
    ...outage,
    kind: 'OUTAGE',
    at: detectedAt,
    publishedAfterMs: afterMs === null ? null : Math.max(0, afterMs),
    isCutShort: resolution !== null && resolution !== 'RECOVERED',
  }
}

export type HiddenOutage = { kind: OverrideKind; monitorUuid: string; componentName: string }

type Kept = { uuid: string; monitorUuid: string | null }

/** Components that showed an outage and no longer do, because their page was changed. */
export function hiddenOutages(
  before: readonly Section<ShownComponent>[],
  after: readonly Section<Kept>[],
): HiddenOutage[] {
  const kept = new Map(
    after.flatMap(({ components }) => components.map((one) => [one.uuid, one] as const)),
  )
  const shown = new Set([...kept.values()].map(({ monitorUuid }) => monitorUuid))
  return before
    .flatMap(({ components }) => components)
    .flatMap(({ uuid, name, monitorName, monitorUuid, monitorState, inWindow }) => {
      const isDown = monitorUuid !== null && monitorState === 'DOWN' && !inWindow
      if (!isDown || shown.has(monitorUuid)) return []
      const kind: OverrideKind = kept.has(uuid) ? 'MONITOR_DETACHED' : 'COMPONENT_REMOVED'
      return [{ kind, monitorUuid, componentName: name ?? monitorName ?? '' }]
    })
}
