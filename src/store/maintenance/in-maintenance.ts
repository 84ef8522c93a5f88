import { sql } from '../core/db.ts'

/**
 * True if monitor `m` is in a maintenance window now. A window lasts at most 30 days, so a span that started earlier
 * covers nothing now. The limit avoids reading old spans.
 */
export const isInMaintenance = sql`
  exists (select from maintenance_spans w
           where w.monitor_no = m.no and w.started_at <= now() and w.started_at > now() - interval '31 days'
             and (w.ended_at is null or w.ended_at > now()))`
