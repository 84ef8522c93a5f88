// Splits the changed rows of many organizations by organization.
import { type ChangePosition, isKnownAt } from './change-position.ts'
import { type ChangeRows, MAX_CHANGES } from './row-change.ts'

const noRows = (): ChangeRows => ({
  monitors: [],
  incidents: [],
  receivers: [],
  events: [],
  deeds: [],
})

export function groupRows(rows: ChangeRows): Map<string, ChangeRows> {
  const groups = new Map<string, ChangeRows>()
  for (const kind of Object.keys(rows) as (keyof ChangeRows)[])
    for (const row of rows[kind]) {
      const group = groups.get(row.orgId) ?? noRows()
      groups.set(row.orgId, group)
      // Safe because a row goes back under the kind it came from.
      group[kind].push(row as never)
    }
  return groups
}

/**
 * The rows a client at `position` has not received. A list that was cut off stays whole, since it is unknown which rows
 * are missing.
 */
export function withoutKnown(rows: ChangeRows, position: ChangePosition): ChangeRows {
  const unknown = <Row extends { xid: number }>(list: Row[], most: number): Row[] =>
    list.length > most ? list : list.filter(({ xid }) => !isKnownAt(position, xid))
  return {
    monitors: unknown(rows.monitors, MAX_CHANGES.monitors),
    incidents: unknown(rows.incidents, MAX_CHANGES.incidents),
    receivers: unknown(rows.receivers, MAX_CHANGES.receivers),
    events: unknown(rows.events, MAX_CHANGES.events),
    deeds: unknown(rows.deeds, MAX_CHANGES.deeds),
  }
}
