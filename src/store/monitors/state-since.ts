import { type Statement, sql } from '../core/db.ts'

/**
 * Since when a monitor `m` is in its state, for lists and streams of the dashboard. An outage begins with its incident: the
 * state changed only at the end of the check that found it. Null if the state never changed.
 */
export const stateSince = (state: { text: string }): Statement => sql`
  coalesce(case when ${state}.state = 'DOWN' then
             (select i.started_at from incidents i
               where i.org_id = m.org_id and i.monitor_id = m.id and i.resolved_at is null) end,
           ${state}.last_status_changed_at)`
