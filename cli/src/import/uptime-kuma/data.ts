// What Uptime Kuma has, from its database or from the JSON backup of version 1. Rows keep its own names: columns such as
// push_token in the database, pushToken in the backup.
import type { SourceRow } from '../common/values.ts'

export type KumaGroup = { name: string; monitors: readonly string[] }
export type KumaPage = {
  row: SourceRow
  domains: readonly string[]
  groups: readonly KumaGroup[]
  /** How many of its monitors link to what they watch, or to another address. */
  links: number
}
type KumaMaintenance = { row: SourceRow; monitors: readonly string[]; pages: readonly string[] }

export type KumaData = {
  monitors: readonly SourceRow[]
  notifications: readonly SourceRow[]
  /** By id of the monitor. */
  notificationsOf: ReadonlyMap<string, readonly string[]>
  tags: readonly SourceRow[]
  tagsOf: ReadonlyMap<string, readonly SourceRow[]>
  pages: readonly KumaPage[]
  maintenances: readonly KumaMaintenance[]
  incidents: readonly SourceRow[]
  settings: ReadonlyMap<string, unknown>
}

/** Groups rows by the text of a column. */
export function groupBy<T>(
  rows: readonly SourceRow[],
  keyOf: (row: SourceRow) => string,
  valueOf: (row: SourceRow) => T,
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [valueOf(row)])
    else group.push(valueOf(row))
  }
  return groups
}
