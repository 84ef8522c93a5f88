// What falls due, and what is needed to check it.
import type { Monitor } from '../domain/monitor.ts'
import { type Db, sql } from './db.ts'
import { type MonitorRow, monitorColumns, toMonitor } from './monitor-row.ts'
import type { OrganizationSecrets } from './organization-secrets.ts'

export type Due = { monitorNo: number; shard: number; dueAt: Date; epoch: number }

const FIND = sql`
  select monitor_no as "monitorNo", shard, next_due_at as "dueAt", epoch
    from monitor_states
   where shard = any ($1::smallint[]) and next_due_at <= $2
   order by next_due_at limit $3`

export async function findDue(
  db: Db,
  shards: readonly number[],
  until: Date,
  limit: number,
): Promise<Due[]> {
  return db.query<Due>(FIND, [shards, until, limit])
}

/** A monitor with what its organization and plan say about checking it. */
export type Subject = Monitor & {
  orgId: string
  shard: number
  privateTargets: boolean
  homeRegion: string | null
  subscriptionActive: boolean
}

const columns = sql`
  ${monitorColumns}, m.org_id as "orgId", s.shard, o.private_targets as "privateTargets",
  o.home_region as "homeRegion",
  o.deleted_at is null and coalesce(b.status in ('TRIALING', 'ACTIVE')
    or (b.status = 'PAST_DUE' and b.past_due_since > now() - interval '14 days'), false)
    as "subscriptionActive",
  greatest(m.interval_seconds, coalesce((o.limit_overrides ->> 'fastestIntervalSeconds')::integer,
    p.fastest_interval_seconds)) as "effectiveIntervalSeconds"`

const joined = sql`
  monitors m
    join monitor_states s on s.monitor_no = m.no
    join organizations o on o.id = m.org_id
    join plans p on p.name = o.plan
    left join subscriptions b on b.org_id = m.org_id`

const LOAD = sql`select ${columns} from ${joined} where m.no = any ($1::bigint[])`
const LOAD_ONE = sql`select ${columns} from ${joined} where m.org_id = $1 and m.id = $2`

type SubjectRow = MonitorRow & Omit<Subject, keyof Monitor> & { effectiveIntervalSeconds: number }

export async function loadSubjects(
  db: Db,
  secrets: OrganizationSecrets,
  monitorNos: readonly number[],
): Promise<Subject[]> {
  if (monitorNos.length === 0) return []
  const rows = await db.query<SubjectRow>(LOAD, [monitorNos])
  return Promise.all(rows.map((row) => toSubject(db, secrets, row)))
}

export async function loadSubject(
  db: Db,
  secrets: OrganizationSecrets,
  orgId: string,
  uuid: string,
): Promise<Subject | undefined> {
  const [row] = await db.query<SubjectRow>(LOAD_ONE, [orgId, uuid])
  return row && toSubject(db, secrets, row)
}

async function toSubject(db: Db, secrets: OrganizationSecrets, row: SubjectRow): Promise<Subject> {
  const {
    effectiveIntervalSeconds,
    orgId,
    shard,
    privateTargets,
    homeRegion,
    subscriptionActive,
    ...rest
  } = row
  const cipher = () => secrets.cipherOf(db, orgId)
  const monitor = await toMonitor({ orgId, query: db.query, cipher }, rest)
  return {
    ...monitor,
    intervalSeconds: effectiveIntervalSeconds,
    orgId,
    shard,
    privateTargets,
    homeRegion,
    subscriptionActive,
  }
}

const SKIP = sql`
  with moved as (
    update monitor_states s set next_due_at = u.next_due_at
      from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as u (monitor_no, slot, next_due_at)
     where s.monitor_no = u.monitor_no and s.next_due_at = u.slot
    returning s.monitor_no, u.slot
  )
  insert into missed (monitor_no, from_slot, to_slot, count, reason)
  select monitor_no, slot, slot, 1, $4 from moved
  on conflict (monitor_no, from_slot) do nothing`

export type Skip = { monitorNo: number; slot: Date; nextDueAt: Date }

/** Slots that will not be run, written off one by one while the schedule goes on. */
export async function skipSlots(db: Db, skips: readonly Skip[], reason: string): Promise<void> {
  if (skips.length === 0) return
  await db.query(SKIP, [
    skips.map((skip) => skip.monitorNo),
    skips.map((skip) => skip.slot),
    skips.map((skip) => skip.nextDueAt),
    reason,
  ])
}
