// What became of each item of the other tool. The counts add up, or the import fails.
import type { ItemChange } from './draft.ts'

export type ItemKind =
  | 'monitor'
  | 'heartbeat'
  | 'contact'
  | 'tag'
  | 'status page'
  | 'component'
  | 'maintenance window'
  | 'incident'
  | 'subscriber'

export type SourceItem = { kind: ItemKind; id: string; name: string }

export type ReportedItem = SourceItem &
  (
    | { outcome: 'mapped'; became: string }
    | { outcome: 'changed'; became: string; changes: readonly ItemChange[] }
    | { outcome: 'not taken'; why: string }
  )

type KindCounts = { total: number; mapped: number; changed: number; notTaken: number }

/** Made beside the items of the other tool, such as a DOMAIN monitor for a reminder. */
export type Addition = { address: string; why: string }

export type ImportReport = {
  from: string
  counts: Readonly<Record<string, KindCounts>>
  items: readonly ReportedItem[]
  additions: readonly Addition[]
  /** Names of the environment variables that the file needs. */
  variables: readonly string[]
}

/** Throws if an item that was announced is missing in the report, or the other way around. */
export function countItems(
  announced: ReadonlyMap<ItemKind, number>,
  items: readonly ReportedItem[],
): Readonly<Record<string, KindCounts>> {
  const counts = new Map<ItemKind, KindCounts>()
  for (const [kind, total] of announced)
    counts.set(kind, { total, mapped: 0, changed: 0, notTaken: 0 })
  for (const { kind, outcome } of items) {
    const of = counts.get(kind)
    if (of === undefined) throw new Error(`A ${kind} was reported but never counted`)
    of[outcome === 'not taken' ? 'notTaken' : outcome] += 1
  }
  for (const [kind, { total, mapped, changed, notTaken }] of counts) {
    const reported = mapped + changed + notTaken
    if (reported !== total) throw new Error(`Of ${total} items (${kind}), ${reported} are reported`)
  }
  return Object.fromEntries(counts)
}
