// Windows that may have an occurrence in a stretch of time.
import type { MaintenanceWindow } from '../domain/window.ts'
import { sql } from './db.ts'
import { toWindow, type WindowRow, windowColumns } from './maintenance-windows.ts'
import type { Tenant } from './tenants.ts'

export const MOST_WINDOWS = 500

// A rule without an end may come again at any time; one that has none left ended with its last occurrence.
const FIND = sql`
  select now() as at, ${windowColumns} from (select) one
    left join maintenance_windows w on w.org_id = $1 and w.starts_at < $3
     and (w.ends_at > $2 or w.recurrence is not null)
     and ($4::uuid is null or w.all_monitors or exists (
       select from maintenance_window_monitors x
        where x.org_id = $1 and x.window_id = w.id and x.monitor_id = $4))
   order by w.starts_at desc, w.id limit ${{ text: String(MOST_WINDOWS) }}`

export async function findCalendarWindows(
  tenant: Tenant,
  { from, to }: { from: Date; to: Date },
  monitorUuid: string | undefined,
): Promise<{ at: Date; windows: MaintenanceWindow[] }> {
  type Row = { at: Date } & (WindowRow | { uuid: null })
  const rows = await tenant.query<Row>(FIND, [tenant.orgId, from, to, monitorUuid])
  const [first] = rows
  if (first === undefined) throw new Error('The database did not tell its time')
  const found = rows.filter((row): row is { at: Date } & WindowRow => row.uuid !== null)
  return { at: first.at, windows: found.map(({ at: _at, ...row }) => toWindow(row)) }
}
