// Makes an outage longer without waiting: moves all records into the past, as if the product had been dead for that
// much longer. A whole number of intervals keeps every monitor's grid.
import type { World } from './world.ts'

const COLUMNS: Record<string, readonly string[]> = {
  monitors: ['created_at', 'updated_at'],
  monitor_states: ['next_due_at', 'last_slot', 'last_checked_at', 'last_status_changed_at'],
  results: ['slot'],
  missed: ['from_slot', 'to_slot'],
  state_spans: ['started_at', 'ended_at'],
  incidents: ['started_at', 'resolved_at', 'last_line_at'],
  incident_evidence: ['checked_at'],
  incident_timeline: ['at'],
  events: ['occurred_at'],
  schedulers: ['expires_at'],
}

export async function shiftRows(world: World, byMs: number): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const sets = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`)
    await world.query(`update ${table} set ${sets.join(', ')}`, [byMs / 1000])
  }
  for (const visit of world.targets.visits) visit.atMs -= byMs
}
