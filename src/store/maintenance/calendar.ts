// Windows that may have an occurrence in a period, with what a calendar shows and without their monitor lists.
import type { Schedule } from '../../domain/maintenance/maintenance.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { type StoredRecurrence, toRecurrence } from './maintenance-windows.ts'

export const MAX_WINDOWS = 500

// A recurring window may occur at any time after its start; the caller expands its rule.
const FIND = sql`
  select now() as at, w.id as uuid, w.name, w.starts_at as "startsAt", w.ends_at as "endsAt", w.timezone, w.recurrence,
         w.all_monitors as "allMonitors",
         (select count(*)::integer from maintenance_window_monitors x
           where x.org_id = $1 and x.window_id = w.id) as monitors
    from (select) one
    left join maintenance_windows w on w.org_id = $1 and w.starts_at < $3
     and (w.ends_at > $2 or w.recurrence is not null)
     and ($4::uuid is null or w.all_monitors or exists (
       select from maintenance_window_monitors x
        where x.org_id = $1 and x.window_id = w.id and x.monitor_id = $4))
   order by w.starts_at desc, w.id limit ${{ text: String(MAX_WINDOWS) }}`

export type CalendarWindow = Schedule & {
  uuid: string
  name: string
  allMonitors: boolean
  /** How many monitors the window lists. */
  monitors: number
}
type Row = Omit<CalendarWindow, 'recurrence'> & { at: Date; recurrence: StoredRecurrence | null }

export async function findCalendarWindows(
  tenant: Tenant,
  { from, to }: { from: Date; to: Date },
  monitorUuid: string | undefined,
): Promise<{ at: Date; windows: CalendarWindow[] }> {
  type Found = Row | { at: Date; uuid: null }
  const rows = await tenant.query<Found>(FIND, [tenant.orgId, from, to, monitorUuid])
  const [first] = rows
  if (first === undefined) throw new Error('The database did not tell its time')
  const found = rows.filter((row): row is Row => row.uuid !== null)
  return { at: first.at, windows: found.map(toCalendarWindow) }
}

function toCalendarWindow({ at: _at, recurrence, ...row }: Row): CalendarWindow {
  return { ...row, recurrence: recurrence && toRecurrence(recurrence) }
}
