// Records what operators did with commands, and deletes old entries of both logs.
import { openClient } from './connect.ts'
import { type Db, sql } from './db.ts'

/** Ids and counts only: an entry outlives its subject. */
export type OperatorLine = {
  operator: string
  action: string
  organizationId?: string | undefined
  personId?: string | undefined
  detail?: Readonly<Record<string, unknown>>
}

const APPEND = sql`
  insert into operator_log (operator, action, organization_id, person_id, detail)
  values ($1, $2, $3, $4, $5)`
// Shows the organization's admins what was done to it. The entry is deleted with the organization.
const APPEND_TO_ORGANIZATION = sql`
  insert into audit_log (id, org_id, at, actor_type, actor_name, action, resource_id)
  select new_uuid(), $1, now(), 'OPERATOR', 'The operator', $2, $3`

export async function appendOperatorLine(db: Db, line: OperatorLine): Promise<void> {
  const { operator, action, organizationId = null, personId = null, detail = {} } = line
  await db.query(APPEND, [operator, action, organizationId, personId, JSON.stringify(detail)])
}

/** For a database account that takes none of the service's roles. */
export async function appendLineAsOwner(url: string, line: OperatorLine): Promise<void> {
  const { operator, action, detail = {} } = line
  const client = await openClient({ connectionString: url })
  try {
    await client.query(APPEND.text, [operator, action, null, null, JSON.stringify(detail)])
  } finally {
    await client.end()
  }
}

export async function appendOperatorAudit(
  db: Db,
  orgId: string,
  line: { action: string; resourceId: string | null },
): Promise<void> {
  await db.query(APPEND_TO_ORGANIZATION, [orgId, line.action, line.resourceId])
}

const DELETE_OLD = sql`select forget_old_log_lines($1, $2) as count`

/** Deletes entries older than `keepDays`, up to `most` per log. Returns how many. */
export async function deleteOldLogLines(db: Db, keepDays: number, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_OLD, [keepDays, most])
  return row?.count ?? 0
}

const DELETE_LINES = sql`select forget_operator_lines($1, $2) as count`

/** Deletes the entries about an erased organization or person. */
export async function deleteOperatorLines(
  db: Db,
  about: { organizationId?: string; personId?: string },
): Promise<void> {
  await db.query(DELETE_LINES, [about.organizationId ?? null, about.personId ?? null])
}
