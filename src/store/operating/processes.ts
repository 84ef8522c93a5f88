// The processes of this installation. Each maintains its own row and reads all of them.

import type { Condition, ConditionCode } from '../../domain/operating/condition.ts'
import type { ProcessEnd } from '../../domain/operating/process-ends.ts'
import { type Database, type Db, sql } from '../core/db.ts'

export type ProcessRow = {
  id: string
  name: string
  roles: readonly string[]
  version: string
  region: string
  settings: Readonly<Record<string, string>>
  conditions: readonly Condition[]
  reach: number
}

const ANNOUNCE = sql`
  insert into processes (id, name, roles, version, region, settings, troubles, reach, seen_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now() + make_interval(secs => $9))
  on conflict (id) do update
    set troubles = excluded.troubles, seen_at = excluded.seen_at, expires_at = excluded.expires_at`

/** The process counts as running for `seconds`. */
export async function announceProcess(db: Db, row: ProcessRow, seconds: number): Promise<void> {
  const { id, name, roles, version, region, settings, conditions, reach } = row
  await db.query(ANNOUNCE, [
    id,
    name,
    roles,
    version,
    region,
    JSON.stringify(settings),
    JSON.stringify(conditions),
    reach,
    seconds,
  ])
}

const MAX_PROCESSES = 1000
const FIND = sql`
  select id, name, roles, version, region, settings, troubles as conditions, reach from processes
   where expires_at > now() order by id limit $1`

type Stored = { code: ConditionCode; subject: string; message: string; since: string }
type FoundRow = Omit<ProcessRow, 'conditions'> & { conditions: Stored[] }

export async function findProcesses(db: Db): Promise<ProcessRow[]> {
  const rows = await db.query<FoundRow>(FIND, [MAX_PROCESSES])
  return rows.map((row) => ({ ...row, conditions: row.conditions.map(toCondition) }))
}

const toCondition = (stored: Stored): Condition => ({ ...stored, since: new Date(stored.since) })

// A process that stops deletes its row. A row that expired was left behind.
const FIND_ENDS = sql`
  select name, extract(epoch from now() - expires_at)::float8 as "secondsAgo" from processes
   where expires_at <= now() and expires_at > now() - make_interval(secs => $1)
   order by expires_at desc limit $2`

/** The processes that ended within `seconds` without being stopped. */
export function findProcessEnds(db: Db, seconds: number): Promise<ProcessEnd[]> {
  return db.query<ProcessEnd>(FIND_ENDS, [seconds, MAX_PROCESSES])
}

const DELETE = sql`delete from processes where id = $1`

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.query(DELETE, [id])
}

const FORGET = sql`delete from processes where expires_at < now() - interval '1 hour'`

/** Deletes the rows of processes that died an hour ago. */
export async function forgetProcesses(db: Db): Promise<void> {
  await db.query(FORGET)
}

const FIND_REPORTED = sql`
  select code, subject, message, since from reported_troubles order by since, code, subject`

export async function findReported(db: Db): Promise<Condition[]> {
  return db.query<Condition>(FIND_REPORTED)
}

const GIVEN = sql`
  select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as g (code, subject, message, since)`
const ADD_REPORTED = sql`
  insert into reported_troubles (code, subject, message, since) ${GIVEN}
  on conflict (code, subject) do nothing`
const END_REPORTED = sql`
  delete from reported_troubles r
   where not exists (select from (${GIVEN}) g where g.code = r.code and g.subject = r.subject)`

export async function addReported(db: Db, conditions: readonly Condition[]): Promise<void> {
  await db.query(ADD_REPORTED, columnsOf(conditions))
}

/** Replaces all reported conditions. */
export async function saveReported(
  database: Database,
  conditions: readonly Condition[],
): Promise<void> {
  await database.transaction(undefined, async (tx) => {
    await tx.query(END_REPORTED, columnsOf(conditions))
    await addReported(tx, conditions)
  })
}

const columnsOf = (conditions: readonly Condition[]) => [
  conditions.map(({ code }) => code),
  conditions.map(({ subject }) => subject),
  conditions.map(({ message }) => message),
  conditions.map(({ since }) => since),
]
