// What members add to a published incident beside its updates: when the next one is due, and a post-mortem.
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

type PostMortem = {
  message: string
  notifiedSubscribers: boolean
  createdAt: Date
  updatedAt: Date
}

export type IncidentNotes = { nextUpdateBy: Date | null; postMortem: PostMortem | null }

const FIND = sql`
  select i.next_update_by as "nextUpdateBy", m.message, m.notified_subscribers as "notifiedSubscribers",
         m.created_at as "createdAt", m.updated_at as "updatedAt"
    from status_incidents i
    left join status_incident_post_mortems m on m.org_id = i.org_id and m.status_incident_id = i.id
   where i.org_id = $1 and i.id = $2`

/** Undefined if the incident does not exist. */
export async function findNotes(tenant: Tenant, uuid: string): Promise<IncidentNotes | undefined> {
  type Row = { nextUpdateBy: Date | null } & (PostMortem | { message: null })
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  if (row === undefined) return undefined
  const { nextUpdateBy, ...postMortem } = row
  return { nextUpdateBy, postMortem: postMortem.message === null ? null : postMortem }
}

const SET_NEXT = sql`
  update status_incidents set next_update_by = $3
   where org_id = $1 and id = $2 and next_update_by is distinct from $3`

/** Does not count as an edit of the incident. */
export async function setNextUpdate(tx: TenantTx, uuid: string, at: Date | null): Promise<void> {
  await tx.query(SET_NEXT, [tx.orgId, uuid, at])
}

const SAVE = sql`
  insert into status_incident_post_mortems as m
    (org_id, status_incident_id, message, notified_subscribers, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $5)
  on conflict (org_id, status_incident_id) do update
    set message = excluded.message, updated_at = excluded.updated_at,
        notified_subscribers = m.notified_subscribers or excluded.notified_subscribers`

export async function savePostMortem(
  tx: TenantTx,
  uuid: string,
  { message, notifiedSubscribers }: Pick<PostMortem, 'message' | 'notifiedSubscribers'>,
): Promise<void> {
  await tx.query(SAVE, [tx.orgId, uuid, message, notifiedSubscribers, tx.now])
}

const DELETE = sql`
  delete from status_incident_post_mortems
   where org_id = $1 and status_incident_id = $2 returning message`

/** Returns what it said. Undefined if there is none. */
export async function deletePostMortem(tx: TenantTx, uuid: string): Promise<string | undefined> {
  const [row] = await tx.query<{ message: string }>(DELETE, [tx.orgId, uuid])
  return row?.message
}
