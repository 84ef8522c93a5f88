// The data stored about one person, for them to read, without secrets and hashes.
import { currentAction } from '../../domain/people/audit-actions.ts'
import { type Db, sql } from '../core/db.ts'

const ACCOUNT = sql`
  select email, name, password_hash is not null as "hasPassword", totp_confirmed_at as "secondFactorSince",
         disabled_at as "disabledAt", created_at as "createdAt", updated_at as "updatedAt"
    from users where id = $1`
const MEMBERSHIPS = sql`
  select o.id as "orgId", o.name as organization, m.role, m.created_at as since
    from members m join organizations o on o.id = m.org_id where m.user_id = $1 order by m.created_at`
const SESSIONS = sql`
  select address, agent, created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt"
    from sessions where user_id = $1 order by created_at`
const IDENTITIES = sql`
  select issuer, subject, created_at as "createdAt" from identities where user_id = $1 order by created_at`
const PASSKEYS = sql`
  select name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = $1 order by created_at`
const OPERATOR = sql`select added_at as since from operators where user_id = $1`
const LINKS = sql`
  select purpose, created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt"
    from user_tokens where user_id = $1 order by created_at`
const INVITATIONS = sql`
  select o.name as organization, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt",
         i.accepted_at as "acceptedAt"
    from invitations i join organizations o on o.id = i.org_id
   where i.email = (select email from users where id = $1) order by i.created_at`

/** Uses the upvane_people role. */
export async function readAccount(people: Db, uuid: string): Promise<Record<string, unknown>> {
  const [account] = await people.query(ACCOUNT, [uuid])
  return {
    account,
    memberships: await people.query(MEMBERSHIPS, [uuid]),
    sessions: await people.query(SESSIONS, [uuid]),
    identities: await people.query(IDENTITIES, [uuid]),
    passkeys: await people.query(PASSKEYS, [uuid]),
    operator: await people.query(OPERATOR, [uuid]),
    links: await people.query(LINKS, [uuid]),
    invitations: await people.query(INVITATIONS, [uuid]),
  }
}

const ACTIONS = sql`
  with stretch as (select * from audit_log where id > $1 order by id limit $2)
  select (select id from stretch order by id offset $2 - 1) as next, s.at, s.org_id as "orgId", s.action,
         s.resource_id as "resourceId"
    from (select) one left join stretch s on s.actor_id = $3 order by s.id`
const INCIDENTS = sql`
  select id, org_id as "orgId", acknowledged_at as "acknowledgedAt", acknowledge_note as note
    from incidents where acknowledged_by_type = 'USER' and acknowledged_by_id = $1 order by acknowledged_at limit 10000`
const NOTES = sql`
  select incident_id as "incidentId", org_id as "orgId", at, text from incident_notes
   where user_id = $1 order by at limit 10000`
const BATCH_ROWS = 20_000

type Action = { next: string | null; at: Date | null; action: string }

/** Uses the upvane_engine role. Reads their actions from the audit log, one range at a time. */
export async function readActions(
  db: Db,
  uuid: string,
  after: string,
): Promise<{ actions: Omit<Action, 'next'>[]; next: string | undefined }> {
  const rows = await db.query<Action>(ACTIONS, [after, BATCH_ROWS, uuid])
  const actions = rows.flatMap(({ next: _next, action, ...rest }) =>
    rest.at === null ? [] : [{ ...rest, action: currentAction(action) }],
  )
  return { actions, next: rows[0]?.next ?? undefined }
}

export async function readWritten(db: Db, uuid: string): Promise<Record<string, unknown>> {
  return {
    acknowledgedIncidents: await db.query(INCIDENTS, [uuid]),
    notes: await db.query(NOTES, [uuid]),
  }
}
