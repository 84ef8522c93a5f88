// Details of outages for alert messages.
import type { OutageDetails } from '../../domain/alerts/details.ts'
import { type Db, sql } from '../core/db.ts'
import { findUptimes } from '../history/uptime.ts'

const FIND = sql`
  select i.id as uuid, m.no as "monitorNo", i.resolved_at is not null as "isOver",
         (select e.evidence from incident_evidence e where e.incident_id = i.id and e.part = 'OPENED') as opened,
         (select e.evidence from incident_evidence e where e.incident_id = i.id and e.part = 'RESOLVED') as resolved,
         i.acknowledged_by_name as "takenBy", i.acknowledged_at as "takenAt", i.acknowledge_note as note
    from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   where i.org_id = $1 and i.id = any ($2::uuid[])`

type Row = Pick<OutageDetails, 'opened' | 'resolved'> & {
  uuid: string
  monitorNo: number
  isOver: boolean
  takenBy: string | null
  takenAt: Date | null
  note: string | null
}

const UPTIME_DAYS = 30
const DAY_MS = 86_400_000

/** By incident. Leaves out incidents of deleted monitors. */
export async function findOutageDetails(
  tx: Db & { now: Date },
  orgId: string,
  incidentUuids: readonly string[],
): Promise<Map<string, OutageDetails>> {
  if (incidentUuids.length === 0) return new Map()
  const rows = await tx.query<Row>(FIND, [orgId, incidentUuids])
  const over = rows.filter(({ isOver }) => isOver).map(({ monitorNo }) => monitorNo)
  const within = { from: new Date(tx.now.getTime() - UPTIME_DAYS * DAY_MS), to: tx.now }
  const uptimes = await findUptimes({ orgId, query: tx.query }, [...new Set(over)], within)
  return new Map(
    rows.map(({ uuid, monitorNo, opened, resolved, takenBy, takenAt, note }) => [
      uuid,
      {
        opened,
        resolved,
        taken: takenBy !== null && takenAt !== null ? { by: takenBy, at: takenAt, note } : null,
        uptime: uptimes.get(monitorNo)?.ratio ?? null,
      },
    ]),
  )
}
