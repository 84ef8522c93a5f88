import type pg from 'pg'

const AGE_WINDOW = `
  update maintenance_windows
     set starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval,
         occurrence_starts_at = occurrence_starts_at - $2::interval,
         occurrence_ends_at = occurrence_ends_at - $2::interval,
         next_edge_at = next_edge_at - $2::interval, counts_from = counts_from - $2::interval
   where id = $1`
const AGE_SPANS = `
  update maintenance_spans
     set started_at = started_at - $2::interval, ended_at = ended_at - $2::interval
   where window_id = $1`

/** Moves the window into the past by that much time. */
export async function ageWindow(admin: pg.Client, uuid: string, ms: number): Promise<void> {
  for (const statement of [AGE_WINDOW, AGE_SPANS])
    await admin.query(statement, [uuid, `${ms} milliseconds`])
}
