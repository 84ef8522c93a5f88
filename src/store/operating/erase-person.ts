// Erases a person everywhere: their own rows, their name where it says who did something, and their address where
// emails go. Tables are walked by id, one range at a time.
import { createHmac } from 'node:crypto'
import { comparable } from '../../domain/values/email-address.ts'
import { NIL_UUID } from '../../domain/values/id.ts'
import { type Db, sql, type Tx } from '../core/db.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'

export const DELETED_PERSON = 'Deleted person'
const BATCH_ROWS = 5000

export type RowBatch<Row> = { rows: Row[]; next: string | undefined }
export type PersonTrace = { orgId: string; name: string }

// Uses the upvane_people role: of an organization's data, it reaches only members and invitations.
const LOCK_MEMBERS = sql`
  select 1 as one from members where org_id in (select org_id from members where user_id = $1)
   order by org_id, user_id for update`
const LAST_OWNER_OF = sql`
  select o.id as "orgId", o.name
    from members m join organizations o on o.id = m.org_id and o.deleted_at is null
   where m.user_id = $1 and m.role = 'OWNER' and not exists (
     select from members x join users u on u.id = x.user_id and u.disabled_at is null
      where x.org_id = m.org_id and x.role = 'OWNER' and x.user_id <> $1)
   order by o.name limit 20`
const MEMBERSHIPS = sql`select org_id as "orgId" from members where user_id = $1`
const DELETE_USER = sql`delete from users where id = $1 returning id`
const DELETE_INVITATIONS = sql`delete from invitations where email = $1 returning id`

/** Organizations that would be left without an owner. Locks their members. */
export async function lockLastOwnerships(tx: Tx, uuid: string): Promise<PersonTrace[]> {
  await tx.query(LOCK_MEMBERS, [uuid])
  return tx.query<PersonTrace>(LAST_OWNER_OF, [uuid])
}

export async function listOrganizationsOf(people: Db, uuid: string): Promise<string[]> {
  return (await people.query<{ orgId: string }>(MEMBERSHIPS, [uuid])).map(({ orgId }) => orgId)
}

/** Deletes the account with its sessions, links, codes, passkeys, identities, memberships and operator's mark, and invitations to its address. */
export async function deletePersonRows(tx: Tx, uuid: string, email: string): Promise<number> {
  const invitations = await tx.query(DELETE_INVITATIONS, [email])
  const users = await tx.query(DELETE_USER, [uuid])
  return invitations.length + users.length
}

// Uses the upvane_engine role from here on.
const TRACES = sql`
  with stretch as (select id, org_id, actor_id, actor_name from audit_log where id > $1 order by id limit $2)
  select (select id from stretch order by id offset $2 - 1) as next, s.org_id as "orgId", s.actor_name as name
    from (select) one left join stretch s on s.actor_id = $3`
const ERASE_IN_LOG = sql`select last as next, changed from erase_person_in_log($3, $4, $1, $2)`

/** Organizations where they did something, and under which name. */
export async function readTraces(
  db: Db,
  uuid: string,
  after: string,
): Promise<RowBatch<PersonTrace>> {
  type Row = { next: string | null; orgId: string | null; name: string }
  const found = await db.query<Row>(TRACES, [after, BATCH_ROWS, uuid])
  const rows = found.flatMap(({ orgId, name }) => (orgId === null ? [] : [{ orgId, name }]))
  return { rows, next: found[0]?.next ?? undefined }
}

type Changed = { next: string | undefined; changed: number }

/** Call it only after the account is deleted. */
export async function eraseInLog(
  db: Db,
  person: { uuid: string; publicId: string },
  after: string,
): Promise<Changed> {
  const values = [after, BATCH_ROWS, person.uuid, person.publicId]
  return changedBy(await db.query(ERASE_IN_LOG, values))
}

const ERASE_WORDS_IN_LOG = sql`
  select last as next, changed from erase_words_in_log($3, $4, $5::text[], $6::uuid[], $1, $2)`

type PersonWords = {
  uuid: string
  /** Undefined if an interrupted deletion already removed the account. */
  email: string | undefined
  names: readonly string[]
  orgIds: readonly string[]
}

/** Where their address or name is what something else is called, such as an invitation or a contact. */
export async function eraseWordsInLog(
  db: Db,
  { uuid, email, names, orgIds }: PersonWords,
  after: string,
): Promise<Changed> {
  const values = [after, BATCH_ROWS, uuid, email ?? null, names, orgIds]
  return changedBy(await db.query(ERASE_WORDS_IN_LOG, values))
}

const ERASE_IN_INCIDENTS = sql`
  with stretch as (select id from incidents where id > $1 order by id limit $2), taken as (
    update incidents i set acknowledged_by_id = $4, acknowledged_by_name = $5
      from stretch s
     where i.id = s.id and i.acknowledged_by_type = 'USER' and i.acknowledged_by_id = $3
    returning i.id, nullif(i.acknowledge_note, '') as note
  ), lines as (
    update incident_timeline l set message = 'Acknowledged by ' || $5 || coalesce(': ' || t.note, '.')
      from taken t where l.incident_id = t.id and l.type = 'ACKNOWLEDGED')
  select (select id from stretch order by id offset $2 - 1) as next, (select count(*) from taken)::integer as changed`
const ERASE_IN_NOTES = sql`
  with stretch as (select id from incident_notes where id > $1 order by id limit $2), written as (
    update incident_notes n set user_id = $4, user_name = $5
      from stretch s where n.id = s.id and n.user_id = $3
    returning 1)
  select (select id from stretch order by id offset $2 - 1) as next, (select count(*) from written)::integer as changed`

export async function eraseInIncidents(db: Db, uuid: string, after: string): Promise<Changed> {
  return changedBy(
    await db.query(ERASE_IN_INCIDENTS, [after, BATCH_ROWS, uuid, NIL_UUID, DELETED_PERSON]),
  )
}

export async function eraseInNotes(db: Db, uuid: string, after: string): Promise<Changed> {
  return changedBy(
    await db.query(ERASE_IN_NOTES, [after, BATCH_ROWS, uuid, NIL_UUID, DELETED_PERSON]),
  )
}

function changedBy(rows: unknown[]): Changed {
  const [row] = rows as { next: string | null; changed: number }[]
  return { next: row?.next ?? undefined, changed: row?.changed ?? 0 }
}

const ERASE_NAMES = sql`
  with keys as (
    update api_keys set created_by = $3 where org_id = any ($1::uuid[]) and created_by = any ($2::text[]) returning 1
  ), invited as (
    update invitations set invited_by = $3 where org_id = any ($1::uuid[]) and invited_by = any ($2::text[]) returning 1)
  select ((select count(*) from keys) + (select count(*) from invited))::integer as changed`

/** Erases them where only a name identifies them. */
export async function eraseNames(
  db: Db,
  orgIds: readonly string[],
  names: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ changed: number }>(ERASE_NAMES, [orgIds, names, DELETED_PERSON])
  return row?.changed ?? 0
}

const EMAIL_CONTACTS = sql`
  select id, org_id as "orgId", settings as sealed from alert_contacts
   where id > $1 and channel = 'EMAIL' order by id limit $2`
const EMAILS = sql`
  select id, org_id as "orgId", message as sealed from deliveries
   where id > $1 and channel = 'EMAIL' order by id limit $2`
const ERASE_CONTACT_NAME = sql`
  update incident_timeline l set message = replace(l.message, c.name, $3)
    from alert_contacts c
   where c.org_id = $1 and c.id = $2 and l.org_id = $1 and l.type in ('ALERT_SENT', 'ALERT_FAILED')
     and l.incident_id in (
       select unnest(m.incident_ids) from alert_messages m where m.org_id = $1 and m.contact_id = $2)`
const DELETE_EMAILS = sql`
  with tried as (delete from attempts where delivery_id = any ($1::uuid[]))
  delete from deliveries where id = any ($1::uuid[])`

const OWN_CONTACTS = sql`select id, org_id as "orgId" from alert_contacts where owner_id = $1`

/** The contacts that reach the person's own devices. */
export function findOwnContacts(db: Db, uuid: string): Promise<Pick<Sealed, 'id' | 'orgId'>[]> {
  return db.query<Pick<Sealed, 'id' | 'orgId'>>(OWN_CONTACTS, [uuid])
}

export type Sealed = { id: string; orgId: string; sealed: Buffer }
export type SealedTable = 'alert_contacts' | 'deliveries'

/**
 * Contacts or emails to an address among the next rows after `after`. The address is encrypted, so each row is
 * decrypted.
 */
export async function findAddressed(
  db: Db,
  secrets: OrganizationSecrets,
  { where, email }: { where: SealedTable; email: string },
  after: string,
): Promise<RowBatch<Sealed>> {
  const isContact = where === 'alert_contacts'
  const found = await db.query<Sealed>(isContact ? EMAIL_CONTACTS : EMAILS, [after, BATCH_ROWS])
  const rows: Sealed[] = []
  for (const row of found) {
    const cipher = await secrets.cipherOf(db, row.orgId)
    const column = isContact ? 'settings' : 'message'
    const place = { table: where, row: row.id, column }
    // Safe because the product wrote this JSON.
    const open = JSON.parse(cipher.unseal(place, row.sealed)) as { to?: string; address?: string }
    if (comparable(open.to ?? open.address ?? '') === email) rows.push(row)
  }
  return { rows, next: found.length < BATCH_ROWS ? undefined : found.at(-1)?.id }
}

/** Timelines name the contacts that were alerted. */
export async function eraseContactName(db: Db, orgId: string, contact: string): Promise<void> {
  await db.query(ERASE_CONTACT_NAME, [orgId, contact, DELETED_PERSON])
}

export async function deleteEmails(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(DELETE_EMAILS, [ids])
}

const PAGE_SECRETS = sql`
  select page_id as id, org_id as "orgId", secret as sealed from page_mail_secrets
   where page_id > $1 order by page_id limit $2`
const UNSUBSCRIBE = sql`
  delete from page_subscribers s using unnest($1::uuid[], $2::bytea[]) as u (page_id, hash)
   where s.page_id = u.page_id and s.email_hash = u.hash returning s.id`

/** Unsubscribes the address from the next status pages after `after`. */
export async function unsubscribeEverywhere(
  db: Db,
  secrets: OrganizationSecrets,
  email: string,
  after: string,
): Promise<Changed> {
  const pages = await db.query<Sealed>(PAGE_SECRETS, [after, BATCH_ROWS])
  const hashes: Buffer[] = []
  for (const { id, orgId, sealed } of pages) {
    const cipher = await secrets.cipherOf(db, orgId)
    const place = { table: 'page_mail_secrets', row: id, column: 'secret' }
    hashes.push(createHmac('sha256', cipher.unseal(place, sealed)).update(email).digest())
  }
  const gone = await db.query(UNSUBSCRIBE, [pages.map(({ id }) => id), hashes])
  return { changed: gone.length, next: pages.length < BATCH_ROWS ? undefined : pages.at(-1)?.id }
}
