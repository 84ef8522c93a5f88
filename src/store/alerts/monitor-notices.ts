// Notes about monitors that their owners are emailed about, and what was emailed last. Rows are rare: the scheduler writes
// one when it is about to be due, and the email about the end deletes it.
import type {
  MonitorNoticeKind,
  NoticeCounts,
  NoticedMonitor,
  OwnerNotice,
} from '../../domain/alerts/owners/monitor-notice.ts'
import { type Db, sql } from '../core/db.ts'
import { subscriptionActive } from '../core/plan-rules.ts'
import type { Tenant } from '../core/tenants.ts'
import { bigints, instants, texts } from '../wire/batch-values.ts'
import { isNotLeftOut } from './left-out-notes.ts'

export type UncheckedNote = {
  monitorNo: number
  since: Date
  reason: string
  region: string | null
  notifyAt: Date
}

// A newer result or resume starts over. The monitor may have been deleted meanwhile.
const NOTE_UNCHECKED = sql`
  insert into monitor_notices as n (org_id, monitor_no, kind, since, reason, region, notify_at)
  select m.org_id, m.no, 'NOT_CHECKED', u.since, left(u.reason, 64), left(u.region, 64), u.notify_at
    from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[])
           as u (monitor_no, since, reason, region, notify_at)
    join monitors m on m.no = u.monitor_no
   order by m.no
  on conflict (monitor_no, kind) do update
     set reason = excluded.reason, region = excluded.region, since = excluded.since,
         notify_at = case when excluded.since > n.since then excluded.notify_at else n.notify_at end,
         notified_at = case when excluded.since > n.since then null else n.notified_at end,
         ended_at = null
   where (n.reason, n.region, n.since) is distinct from (excluded.reason, excluded.region, excluded.since)
      or n.ended_at is not null`

/** Each monitor at most once. */
export async function noteUnchecked(db: Db, notes: readonly UncheckedNote[]): Promise<void> {
  if (notes.length === 0) return
  await db.query(NOTE_UNCHECKED, [
    bigints(notes.map(({ monitorNo }) => monitorNo)),
    instants(notes.map(({ since }) => since)),
    texts(notes.map(({ reason }) => reason)),
    texts(notes.map(({ region }) => region)),
    instants(notes.map(({ notifyAt }) => notifyAt)),
  ])
}

const NOTE_CHECKED = sql`
  update monitor_notices set ended_at = now()
   where monitor_no = any ($1::bigint[]) and kind = 'NOT_CHECKED' and ended_at is null`

/** A check of these monitors has had a result. */
export async function noteChecked(db: Db, monitorNos: readonly number[]): Promise<void> {
  if (monitorNos.length > 0) await db.query(NOTE_CHECKED, [bigints(monitorNos)])
}

export type HomeFailureNote = {
  monitorNo: number
  since: Date
  region: string
  otherRegion: string
}

// Another time than the noted one starts over, with the check in which home failed.
const COUNT_HOME_FAILURES = sql`
  insert into monitor_notices as n (org_id, monitor_no, kind, since, region, other_region, checks)
  select m.org_id, m.no, 'FAILS_FROM_HOME', u.since, left(u.region, 64), left(u.other_region, 64), 2
    from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[])
           as u (monitor_no, since, region, other_region)
    join monitors m on m.no = u.monitor_no
   order by m.no
  on conflict (monitor_no, kind) do update
     set since = excluded.since, region = excluded.region, other_region = excluded.other_region,
         checks = case when n.since = excluded.since then least(n.checks + 1, 1000) else 2 end,
         notify_at = null, notified_at = null
   where n.notify_at is null or n.since <> excluded.since
  returning monitor_no as "monitorNo", checks`

/** Counts one more check that passed elsewhere. Leaves out monitors whose owners are to be notified already. */
export async function countHomeFailures(
  tx: Db,
  notes: readonly HomeFailureNote[],
): Promise<Map<number, number>> {
  const rows = await tx.query<{ monitorNo: number; checks: number }>(COUNT_HOME_FAILURES, [
    bigints(notes.map(({ monitorNo }) => monitorNo)),
    instants(notes.map(({ since }) => since)),
    texts(notes.map(({ region }) => region)),
    texts(notes.map(({ otherRegion }) => otherRegion)),
  ])
  return new Map(rows.map(({ monitorNo, checks }) => [monitorNo, checks]))
}

const NOTIFY_OF_HOME = sql`
  update monitor_notices set notify_at = now()
   where monitor_no = any ($1::bigint[]) and kind = 'FAILS_FROM_HOME' and notify_at is null`

export async function notifyOfHomeFailures(tx: Db, monitorNos: readonly number[]): Promise<void> {
  if (monitorNos.length > 0) await tx.query(NOTIFY_OF_HOME, [bigints(monitorNos)])
}

// What ends without a check: a pause, a subscription that lapsed, home that passed in a try or is another region now. A
// result is also found here if the process that should have noted it was restarted.
const SWEEP = sql`
  with page as (
    select n.* from monitor_notices n
     where (n.monitor_no, n.kind) > ($1::bigint, $2::text)
     order by n.monitor_no, n.kind limit $3
  ), judged as (
    select n.monitor_no, n.kind,
           case
             when s.state = 'PAUSED' or o.deleted_at is not null or (${subscriptionActive}) is not true then 'GONE'
             when n.kind = 'FAILS_FROM_HOME' then
               case when o.home_region <> n.region or not exists (
                      select from region_proofs p join regions g on g.no = p.region
                       where p.monitor_no = n.monitor_no and g.name = n.region and p.lost_at is not null)
                    then 'GONE' end
             when n.kind = 'REGION_LEFT_OUT' then case when ${isNotLeftOut} then 'GONE' end
             when date_trunc('milliseconds', s.last_checked_at) > n.since then 'CHECKED'
             when date_trunc('milliseconds', s.last_status_changed_at) > n.since then 'GONE'
           end as fate
      from page n
      join monitor_states s on s.monitor_no = n.monitor_no
      join organizations o on o.id = n.org_id
      left join subscriptions b on b.org_id = n.org_id
  ), gone as (
    delete from monitor_notices n using judged j
     where j.fate = 'GONE' and n.monitor_no = j.monitor_no and n.kind = j.kind
  ), checked as (
    update monitor_notices n set ended_at = now() from judged j
     where j.fate = 'CHECKED' and n.monitor_no = j.monitor_no and n.kind = j.kind and n.ended_at is null
  )
  select monitor_no as "monitorNo", kind from page order by monitor_no desc, kind desc limit 1`

type SweepPosition = { monitorNo: number; kind: string }
export const SWEEP_START: SweepPosition = { monitorNo: 0, kind: '' }

/** Corrects some of the notes, those after `after`. Returns where to continue; undefined at the end. */
export async function sweepNotices(
  db: Db,
  { monitorNo, kind }: SweepPosition,
  most: number,
): Promise<SweepPosition | undefined> {
  const [last] = await db.query<SweepPosition>(SWEEP, [monitorNo, kind, most])
  return last
}

const FIND_DUE = sql`
  select org_id as "orgId", kind from (
    select n.org_id, n.kind
      from monitor_notices n left join owner_notices w on w.org_id = n.org_id and w.kind = n.kind
     where n.notified_at is null and n.ended_at is null and n.notify_at <= now()
       and (w.sent_at is null
            or w.sent_at <= now() - make_interval(secs => case when w.is_open then $1::float8 else $2::float8 end))
    union
    select org_id, kind from monitor_notices where ended_at is not null
    union
    select w.org_id, w.kind from owner_notices w
     where w.is_open
       and not exists (select from monitor_notices n where n.org_id = w.org_id and n.kind = w.kind)) due
   limit $3`

export type DueNotice = { orgId: string; kind: MonitorNoticeKind }

/** Organizations whose owners may have to be emailed. */
export async function findDueNotices(
  db: Db,
  pauses: { joiningMs: number; renewedMs: number },
  most: number,
): Promise<DueNotice[]> {
  return db.query<DueNotice>(FIND_DUE, [pauses.joiningMs / 1000, pauses.renewedMs / 1000, most])
}

const DELETE_ENDED = sql`
  with gone as (
    delete from monitor_notices where org_id = $1 and kind = $2 and ended_at is not null returning notified_at)
  select coalesce(bool_or(notified_at is not null), false) as "hasRecovered" from gone`

/** Whether one of them had been reported. */
export async function deleteEnded(tx: Db, { orgId, kind }: DueNotice): Promise<boolean> {
  const [row] = await tx.query<{ hasRecovered: boolean }>(DELETE_ENDED, [orgId, kind])
  return row?.hasRecovered === true
}

const isDue = sql`n.notified_at is null and n.notify_at <= now()`
const COUNT = sql`
  select count(*) filter (where ${isDue})::integer as due,
         count(*) filter (where (${isDue}) is not true)::integer as others,
         count(distinct (n.reason, n.region, n.other_region)) filter (where ${isDue})::integer as reasons
    from monitor_notices n where n.org_id = $1 and n.kind = $2`

/** `reasons`: how many different ones the due ones have. */
export async function countNotices(
  tx: Db,
  { orgId, kind }: DueNotice,
): Promise<NoticeCounts & { reasons: number }> {
  const [row] = await tx.query<NoticeCounts & { reasons: number }>(COUNT, [orgId, kind])
  return row ?? { due: 0, others: 0, reasons: 0 }
}

const LIST_DUE = sql`
  select m.id as uuid, m.name, n.since, n.reason, n.region, n.other_region as "otherRegion"
    from monitor_notices n join monitors m on m.no = n.monitor_no
   where n.org_id = $1 and n.kind = $2 and ${isDue}
   order by n.since, n.monitor_no limit $3`

export async function listDueMonitors(
  tx: Db,
  { orgId, kind }: DueNotice,
  most: number,
): Promise<NoticedMonitor[]> {
  return tx.query<NoticedMonitor>(LIST_DUE, [orgId, kind, most])
}

const SET_NOTIFIED = sql`
  update monitor_notices n set notified_at = now() where n.org_id = $1 and n.kind = $2 and ${isDue}`

export async function setNotified(tx: Db, { orgId, kind }: DueNotice): Promise<void> {
  await tx.query(SET_NOTIFIED, [orgId, kind])
}

const FIND_OWNER_NOTICE = sql`
  select thread, sent_at as "sentAt", is_open as "isOpen", has_recovered as "hasRecovered"
    from owner_notices where org_id = $1 and kind = $2`

export type StoredOwnerNotice = OwnerNotice & { thread: string }

export async function findOwnerNotice(
  tx: Db,
  { orgId, kind }: DueNotice,
): Promise<StoredOwnerNotice | undefined> {
  const [row] = await tx.query<StoredOwnerNotice>(FIND_OWNER_NOTICE, [orgId, kind])
  return row
}

const SAVE_OWNER_NOTICE = sql`
  insert into owner_notices (org_id, kind, thread, sent_at, is_open, has_recovered)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (org_id, kind) do update
     set thread = excluded.thread, sent_at = excluded.sent_at, is_open = excluded.is_open,
         has_recovered = excluded.has_recovered`

export async function saveOwnerNotice(
  tx: Db,
  { orgId, kind }: DueNotice,
  { thread, sentAt, isOpen, hasRecovered }: StoredOwnerNotice,
): Promise<void> {
  await tx.query(SAVE_OWNER_NOTICE, [orgId, kind, thread, sentAt, isOpen, hasRecovered])
}

const LIST_OF_MONITOR = sql`
  select n.kind, n.reason, n.region, n.other_region as "otherRegion", n.since from monitor_notices n
   where n.org_id = $1 and n.monitor_no = $2 and n.ended_at is null and n.notify_at <= now()
   order by n.kind desc`

type NoticeOfMonitor = Omit<NoticedMonitor, 'uuid' | 'name'> & { kind: MonitorNoticeKind }

/** What its owners know, or are about to. */
export async function listMonitorNotices(
  tenant: Tenant,
  monitorNo: number,
): Promise<NoticeOfMonitor[]> {
  return tenant.query<NoticeOfMonitor>(LIST_OF_MONITOR, [tenant.orgId, monitorNo])
}

const MAX_COUNTED = 100_000
const COUNT_UNCHECKED = sql`
  select coalesce(region, '') as region, count(*)::integer as count
    from (select region from monitor_notices
           where kind = 'NOT_CHECKED' and ended_at is null and notify_at <= now() limit $1) n
   group by 1 order by 2 desc, 1 limit $2`

/** Of all organizations, by the region that should check them; empty if there is none. */
export async function countUnchecked(
  db: Db,
  mostRegions: number,
): Promise<{ region: string; count: number }[]> {
  return db.query(COUNT_UNCHECKED, [MAX_COUNTED, mostRegions])
}
