// Finds due monitors and loads what is needed to check them.
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Grid } from '../../domain/monitors/schedule.ts'
import type { RegionProof } from '../../domain/regions/reach.ts'
import { type Db, sql } from '../core/db.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'
import { effectiveInterval, subscriptionActive } from '../core/plan-rules.ts'
import { bigints } from '../wire/batch-values.ts'
import { type MonitorRecord, monitorColumns, toMonitor } from './columns.ts'
import { proofsOfMonitor, type StoredProofs, toProofs } from './region-proofs.ts'
import {
  chosenRegionsOfMonitor,
  chosenRegionsOfOrganization,
  type RegionChoice,
  type StoredChoice,
  toChoice,
} from './region-settings.ts'
import { type EngineMonitor, engineColumns, NO_WINDOWS, stateTables, toSamples } from './states.ts'

/** A monitor's position in its schedule: all that the scheduler keeps until its slot is near. */
export type DueCheck = Grid & {
  monitorNo: number
  shard: number
  epoch: number
  dueAt: Date
  type: Monitor['type']
}

const dueColumns = sql`
  s.monitor_no as "monitorNo", s.shard, s.epoch, s.next_due_at as "dueAt", m.id as uuid, m.type,
  ${effectiveInterval} as "intervalSeconds"`

const dueTables = sql`
  monitors m join organizations o on o.id = m.org_id join plans p on p.name = o.plan`

const READ_SHARD = sql`
  select monitor_no as "monitorNo", epoch, next_due_at as "dueAt" from monitor_states
   where shard = $1 and monitor_no > $2 and next_due_at is not null
   order by monitor_no limit $3`

/** The slots of one shard, for monitors with a number above `afterNo`. */
export async function readShard(
  db: Db,
  shard: number,
  { afterNo, limit }: { afterNo: number; limit: number },
): Promise<Pick<DueCheck, 'monitorNo' | 'epoch' | 'dueAt'>[]> {
  return db.query(READ_SHARD, [shard, afterNo, limit])
}

const READ_SHARD_GROUP = sql`
  select monitor_no as "monitorNo", epoch, next_due_at as "dueAt" from monitor_states
   where shard = any ($1::smallint[]) and next_due_at is not null limit $2`

/** The slots of several small shards. */
export async function readShardGroup(
  db: Db,
  shards: readonly number[],
  limit: number,
): Promise<Pick<DueCheck, 'monitorNo' | 'epoch' | 'dueAt'>[]> {
  return db.query(READ_SHARD_GROUP, [shards, limit])
}

const READ_SHARD_CHECKS = sql`
  select ${dueColumns}
    from (select * from monitor_states
           where shard = $1 and monitor_no > $2 and next_due_at is not null
           order by monitor_no limit $3) s, ${dueTables}
   where m.no = s.monitor_no order by s.monitor_no`

/** The same with what a check needs, for a shard that is not known yet. */
export async function readShardChecks(
  db: Db,
  shard: number,
  { afterNo, limit }: { afterNo: number; limit: number },
): Promise<DueCheck[]> {
  return db.query(READ_SHARD_CHECKS, [shard, afterNo, limit])
}

const READ_DUE = sql`
  select ${dueColumns} from monitor_states s, ${dueTables}
   where m.no = s.monitor_no and s.monitor_no = any ($1::bigint[]) and s.next_due_at is not null`

export async function readDueChecks(db: Db, monitorNos: readonly number[]): Promise<DueCheck[]> {
  return monitorNos.length === 0 ? [] : db.query<DueCheck>(READ_DUE, [bigints(monitorNos)])
}

// Only the shard's owner clears the mark: a new owner reads the whole shard anyway. Locked rows are being changed and
// are read in the next round.
const CLAIM_MOVED = sql`
  update monitor_states s set due_unread = false
    from ${dueTables}
   where m.no = s.monitor_no and s.monitor_no in (
     select n.monitor_no from monitor_states n join shards h on h.no = n.shard
      where n.due_unread and h.scheduler_id = $1
      limit $2 for no key update of n skip locked)
  returning ${dueColumns}`

/** Slots in this scheduler's shards that another process moved. Each is returned once. */
export async function claimMoved(db: Db, schedulerId: string, limit: number): Promise<DueCheck[]> {
  const rows = await db.query<DueCheck & { dueAt: Date | null }>(CLAIM_MOVED, [schedulerId, limit])
  return rows.filter(({ dueAt }) => dueAt !== null)
}

/**
 * A monitor with the rules of its organization and plan, and its whole state row: most results are recorded without
 * reading it again. Its incident and windows are not read.
 */
export type DueMonitor = Monitor &
  EngineMonitor &
  RegionChoice & {
    shard: number
    privateTargets: boolean
    homeRegion: string | null
    /** When the organization chose its home; null if it did not since that is recorded. */
    homeChosenAt: Date | null
    proofs: RegionProof[]
    subscriptionActive: boolean
  }

const columns = sql`
  ${monitorColumns}, ${engineColumns}, s.shard, o.private_targets as "privateTargets",
  o.home_region as "homeRegion", o.home_chosen_at as "homeChosenAt", ${proofsOfMonitor} as proofs,
  ${chosenRegionsOfMonitor} as choice,
  o.deleted_at is null and ${subscriptionActive} as "subscriptionActive",
  ${effectiveInterval} as "effectiveIntervalSeconds"`

const joined = sql`${stateTables} left join subscriptions b on b.org_id = m.org_id`

const LOAD = sql`select ${columns} from ${joined} where m.no = any ($1::bigint[])`
const LOAD_ONE = sql`select ${columns} from ${joined} where m.org_id = $1 and m.id = $2`

type Row = MonitorRecord &
  Omit<
    DueMonitor,
    keyof Monitor | keyof RegionChoice | 'samplesMs' | 'incident' | 'maintenance' | 'proofs'
  > & {
    samples: string
    proofs: StoredProofs
    choice: StoredChoice
    effectiveIntervalSeconds: number
  }

export async function loadDueMonitors(
  db: Db,
  secrets: OrganizationSecrets,
  monitorNos: readonly number[],
): Promise<DueMonitor[]> {
  if (monitorNos.length === 0) return []
  const rows = await db.query<Row>(LOAD, [bigints(monitorNos)])
  return Promise.all(rows.map((row) => toDueMonitor(db, secrets, row)))
}

export async function loadDueMonitor(
  db: Db,
  secrets: OrganizationSecrets,
  orgId: string,
  uuid: string,
): Promise<DueMonitor | undefined> {
  const [row] = await db.query<Row>(LOAD_ONE, [orgId, uuid])
  return row && toDueMonitor(db, secrets, row)
}

async function toDueMonitor(db: Db, secrets: OrganizationSecrets, row: Row): Promise<DueMonitor> {
  const { orgId } = row
  const cipher = () => secrets.cipherOf(db, orgId)
  const monitor = await toMonitor({ orgId, query: db.query, cipher }, row)
  // Safe because toMonitor keeps properties that it does not know.
  const due = monitor as DueMonitor
  // Not Object.assign: it would make V8 turn so large an object into a dictionary, which is slow to copy.
  due.intervalSeconds = row.effectiveIntervalSeconds
  due.samplesMs = toSamples(row.samples)
  due.proofs = toProofs(row.proofs)
  const { chosenRegions, eachRegion } = toChoice(row.choice)
  due.chosenRegions = chosenRegions
  due.eachRegion = eachRegion
  due.incident = null
  due.maintenance = NO_WINDOWS
  return due
}

const CHECK_RULES = sql`
  select private_targets as "privateTargets", home_region as "homeRegion",
         home_chosen_at as "homeChosenAt", ${chosenRegionsOfOrganization} as choice
    from organizations o where id = $1 and deleted_at is null`

type CheckRules = Pick<
  DueMonitor,
  'privateTargets' | 'homeRegion' | 'homeChosenAt' | 'chosenRegions' | 'eachRegion'
>

/** The organization's rules for all its checks. */
export async function findCheckRules(db: Db, orgId: string): Promise<CheckRules | undefined> {
  type Found = Omit<CheckRules, keyof RegionChoice> & { choice: StoredChoice }
  const [row] = await db.query<Found>(CHECK_RULES, [orgId])
  if (row === undefined) return undefined
  const { choice, ...rules } = row
  return { ...rules, ...toChoice(choice) }
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

/** Writes off slots that will not run, one by one, and advances the schedule. */
export async function skipSlots(db: Db, skips: readonly Skip[], reason: string): Promise<void> {
  if (skips.length === 0) return
  await db.query(SKIP, [
    skips.map((skip) => skip.monitorNo),
    skips.map((skip) => skip.slot),
    skips.map((skip) => skip.nextDueAt),
    reason,
  ])
}
