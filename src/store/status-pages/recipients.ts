// Subscribers as the dispatcher sends to them: of any organization, decrypted.
import type { Subscriber } from '../../domain/status-pages/subscriber.ts'
import { type Db, sql } from '../core/db.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'
import { subscriberLocation } from './subscribers.ts'

const FIND_RECIPIENTS = sql`
  select id as uuid, org_id as "orgId", page_id as "pageUuid", kind, email, token, secret,
         confirmed_at as "confirmedAt", asked_at as "askedAt"
    from page_subscribers where id = any ($1::uuid[])`

export type Recipient = Pick<
  Subscriber,
  'uuid' | 'pageUuid' | 'kind' | 'confirmedAt' | 'askedAt'
> & {
  orgId: string
  address: string
  token: string
  /** Signs webhooks. */
  secret: string | null
}

/**
 * For the dispatcher: recipients of any organization, with what their messages need. Leaves out those who unsubscribed.
 */
export async function findRecipients(
  db: Db,
  secrets: OrganizationSecrets,
  uuids: readonly string[],
): Promise<Map<string, Recipient>> {
  type Row = Omit<Recipient, 'address' | 'token' | 'secret'> & {
    email: Buffer
    token: Buffer
    secret: Buffer | null
  }
  const rows = await db.query<Row>(FIND_RECIPIENTS, [uuids])
  const found = new Map<string, Recipient>()
  for (const { email, token, secret, ...row } of rows) {
    const cipher = await secrets.cipherOf(db, row.orgId)
    const address = cipher.unseal(subscriberLocation(row.uuid, 'email'), email)
    found.set(row.uuid, {
      ...row,
      address,
      token: cipher.unseal(subscriberLocation(row.uuid, 'token'), token),
      secret: secret && cipher.unseal(subscriberLocation(row.uuid, 'secret'), secret),
    })
  }
  return found
}

const CONFIRM = sql`
  update page_subscribers set confirmed_at = now() where id = $1 and confirmed_at is null`

/** Its receiver answered the challenge. */
export async function confirmRecipient(db: Db, uuid: string): Promise<void> {
  await db.query(CONFIRM, [uuid])
}

const DROP = sql`delete from page_subscribers where id = $1 and confirmed_at is null`

/** Its address could not be confirmed. Nothing of it is kept. */
export async function dropUnconfirmed(db: Db, uuid: string): Promise<void> {
  await db.query(DROP, [uuid])
}
