// An organization that moves is frozen: it counts as deleted everywhere, but nothing of it is ended or erased.
import { type Db, sql } from '../core/db.ts'

type MovingOrganization = {
  orgId: string
  name: string
  isDeleted: boolean
  movedAt: Date | null
}

const LOCK = sql`
  select id as "orgId", name, deleted_at is not null as "isDeleted", moved_at as "movedAt"
    from organizations where id = $1 for no key update`
const FREEZE = sql`update organizations set deleted_at = now(), moved_at = now() where id = $1`
const THAW = sql`
  update organizations set deleted_at = null, erase_at = null, moved_at = null where id = $1`

export async function lockMoving(tx: Db, orgId: string): Promise<MovingOrganization | undefined> {
  const [row] = await tx.query<MovingOrganization>(LOCK, [orgId])
  return row
}

export async function freeze(tx: Db, orgId: string): Promise<void> {
  await tx.query(FREEZE, [orgId])
}

export async function thaw(tx: Db, orgId: string): Promise<void> {
  await tx.query(THAW, [orgId])
  await tx.query(RESTART_CLOCKS, [orgId])
}

// Pings were refused meanwhile, which is not the silence of a job: like resuming, each period starts now.
const RESTART_CLOCKS = sql`
  update monitor_states s
     set due_unread = true,
         heartbeat = jsonb_build_object(
           'startedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'lastPing', null, 'runs', '[]'::jsonb, 'missedAt', null)
    from monitors m
   where m.org_id = $1 and m.type = 'CRON' and s.monitor_no = m.no
     and s.state <> 'PAUSED' and s.heartbeat is not null and s.heartbeat ->> 'missedAt' is null`

const IN_FLIGHT = sql`
  select count(*)::integer as count from attempts
   where org_id = $1 and outcome is null and started_at > now() - interval '10 minutes'
     and delivery_id >= uuid_floor(now() - interval '8 days')`

/** Deliveries that are being sent at this moment. */
export async function countInFlight(db: Db, orgId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(IN_FLIGHT, [orgId])
  return row?.count ?? 0
}
