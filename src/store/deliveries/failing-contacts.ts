// Alert contacts whose alerts were lost, and whether the organization's owners were notified.
import type { FailingContact, FailureKind } from '../../domain/alerts/owners/contact-failure.ts'
import { type Db, sql } from '../core/db.ts'

const FIND_ORGANIZATIONS = sql`
  select distinct a.org_id as "orgId"
    from alert_messages a join deliveries d on d.id = a.delivery_id
   where a.settled_at is null and d.status = 'FAILED' limit $1`

/** Organizations with undelivered alerts that are not settled yet. */
export async function findOrganizationsWithLostAlerts(db: Db, most: number): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(FIND_ORGANIZATIONS, [most])
  return rows.map(({ orgId }) => orgId)
}

// Locks contacts before their messages, in the same order as a deletion does.
const LOCK = sql`
  select c.id as uuid, c.name, c.channel, coalesce(r.disabled_reason is not null, false) as "isGivenUp",
         r.failing_since as "failingSince", r.last_success_at as "lastSuccessAt",
         c.owners_told_at as "toldAt", c.owners_told_of as "toldOf"
    from alert_contacts c left join receivers r on r.org_id = c.org_id and r.id = c.id
   where c.org_id = $1 and c.id in (
     select a.contact_id from alert_messages a join deliveries d on d.id = a.delivery_id
      where a.org_id = $1 and a.settled_at is null and d.status = 'FAILED')
   order by c.id for no key update of c`

type Row = Omit<FailingContact, 'told'> & {
  uuid: string
  toldAt: Date | null
  toldOf: FailureKind | null
}

/** Locks the organization's contacts whose alerts were lost, until the commit. */
export async function lockFailingContacts(
  tx: Db,
  orgId: string,
): Promise<Map<string, FailingContact>> {
  const rows = await tx.query<Row>(LOCK, [orgId])
  return new Map(
    rows.map(({ uuid, toldAt, toldOf, ...contact }) => [
      uuid,
      { ...contact, told: toldAt && toldOf && { at: toldAt, of: toldOf } },
    ]),
  )
}

const RECORD_NOTIFIED = sql`
  update alert_contacts c set owners_told_at = now(), owners_told_of = u.kind
    from unnest($2::uuid[], $3::text[]) u (id, kind)
   where c.org_id = $1 and c.id = u.id`

export async function recordOwnersNotified(
  tx: Db,
  orgId: string,
  notified: readonly { contactUuid: string; kind: FailureKind }[],
): Promise<void> {
  const uuids = notified.map(({ contactUuid }) => contactUuid)
  await tx.query(RECORD_NOTIFIED, [orgId, uuids, notified.map(({ kind }) => kind)])
}

const OWNERS = sql`select email from owners_of($1)`

/** The email addresses of the organization's owners. */
export async function findOwners(tx: Db, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(OWNERS, [orgId])
  return rows.map(({ email }) => email)
}
