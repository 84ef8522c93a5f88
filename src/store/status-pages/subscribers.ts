// Subscribers of status pages. Addresses and tokens are encrypted; lookups use hashes.
import { createHmac } from 'node:crypto'
import type { PageTheme } from '../../domain/status-pages/status-page.ts'
import type { Subscriber, SubscriberKind } from '../../domain/status-pages/subscriber.ts'
import { comparable } from '../../domain/values/email-address.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const columns = sql`
  id as uuid, page_id as "pageUuid", kind, component_ids as "componentUuids", confirmed_at as "confirmedAt",
  mails_asked_for as "mailsAskedFor", asked_at as "askedAt"`

const FIND_SECRET = sql`
  select secret from page_mail_secrets where org_id = $1 and page_id = $2`
const INSERT_SECRET = sql`
  insert into page_mail_secrets (org_id, page_id, secret) values ($1, $2, $3) on conflict do nothing`

/** Stable for one address on one page, and useless without the organization's key. */
export async function hashAddress(
  tx: TenantTx,
  pageUuid: string,
  address: string,
): Promise<Buffer> {
  const secret = (await findSecret(tx, pageUuid)) ?? (await createSecret(tx, pageUuid))
  return createHmac('sha256', secret).update(comparable(address)).digest()
}

/** Undefined if the page never had a subscriber. */
export async function findAddressHash(
  tenant: Tenant,
  pageUuid: string,
  address: string,
): Promise<Buffer | undefined> {
  const secret = await findSecret(tenant, pageUuid)
  return secret === undefined
    ? undefined
    : createHmac('sha256', secret).update(comparable(address)).digest()
}

async function findSecret(tenant: Tenant, pageUuid: string): Promise<string | undefined> {
  const [row] = await tenant.query<{ secret: Buffer }>(FIND_SECRET, [tenant.orgId, pageUuid])
  return row && (await tenant.cipher()).unseal(secretLocation(pageUuid), row.secret)
}

async function createSecret(tx: TenantTx, pageUuid: string): Promise<string> {
  const cipher = await tx.cipher()
  const secret = newToken()
  await tx.query(INSERT_SECRET, [tx.orgId, pageUuid, cipher.seal(secretLocation(pageUuid), secret)])
  // A concurrent request may have stored one first.
  const kept = await findSecret(tx, pageUuid)
  if (kept === undefined) throw new Error('The secret of the page was not kept')
  return kept
}

const LOCK = sql`
  select ${columns} from page_subscribers
   where org_id = $1 and page_id = $2 and email_hash = $3 for update`

export async function lockByAddress(
  tx: TenantTx,
  pageUuid: string,
  addressHash: Buffer,
): Promise<Subscriber | undefined> {
  const [row] = await tx.query<Subscriber>(LOCK, [tx.orgId, pageUuid, addressHash])
  return row
}

const COUNT_WAITING = sql`
  select count(*) as waiting from (
    select from page_subscribers
     where org_id = $1 and page_id = $2 and confirmed_at is null limit $3) waiting`

/** Counts unconfirmed subscribers, up to `most`. */
export async function countWaiting(tx: TenantTx, pageUuid: string, most: number): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(COUNT_WAITING, [tx.orgId, pageUuid, most])
  return row?.waiting ?? 0
}

export type NewSubscriber = {
  pageUuid: string
  address: string
  addressHash: Buffer
  token: string
  componentUuids: readonly string[] | null
  kind?: SubscriberKind
  /** Of a webhook. */
  secret?: string
}

const INSERT = sql`
  insert into page_subscribers
    (id, org_id, page_id, email, email_hash, token, token_hash, component_ids, asked_at, created_at, kind, secret)
  values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)
  on conflict (page_id, email_hash) do nothing returning id`

/** Returns the id, or undefined if the same address was added at the same moment. */
export async function insertSubscriber(
  tx: TenantTx,
  fresh: NewSubscriber,
): Promise<string | undefined> {
  const { pageUuid, address, addressHash, token, componentUuids, kind = 'EMAIL', secret } = fresh
  const uuid = tx.newUuid()
  const cipher = await tx.cipher()
  const email = cipher.seal(subscriberLocation(uuid, 'email'), address)
  const sealedToken = cipher.seal(subscriberLocation(uuid, 'token'), token)
  const secrets = [email, addressHash, sealedToken, hashToken(token)]
  const sealedSecret = secret ? cipher.seal(subscriberLocation(uuid, 'secret'), secret) : null
  const values = [tx.orgId, uuid, pageUuid, ...secrets, componentUuids, tx.now, kind, sealedSecret]
  const [row] = await tx.query<{ id: string }>(INSERT, values)
  return row?.id
}

// The form changes the choice only for unconfirmed subscribers: anyone can type an address.
const RECORD_REQUEST = sql`
  update page_subscribers
     set mails_asked_for = mails_asked_for + 1, asked_at = $3,
         component_ids = case when confirmed_at is null then $4::uuid[] else component_ids end
   where org_id = $1 and id = $2`

export async function recordSubscriptionRequest(
  tx: TenantTx,
  uuid: string,
  componentUuids: readonly string[] | null,
): Promise<void> {
  await tx.query(RECORD_REQUEST, [tx.orgId, uuid, tx.now, componentUuids])
}

const FIND_BY_TOKEN = sql`
  select org_id as "orgId", page_id as "pageUuid", subscriber_id as uuid from find_page_subscriber($1)`

/** The owner of a link, looked up before the organization is known. */
export type TokenHolder = { orgId: string; pageUuid: string; uuid: string }

export async function findTokenHolder(db: Db, token: string): Promise<TokenHolder | undefined> {
  const [row] = await db.query<TokenHolder>(FIND_BY_TOKEN, [hashToken(token)])
  return row
}

const FIND = sql`select ${columns} from page_subscribers where org_id = $1 and id = $2`

export async function findSubscriber(
  tenant: Tenant,
  uuid: string,
): Promise<Subscriber | undefined> {
  const [row] = await tenant.query<Subscriber>(FIND, [tenant.orgId, uuid])
  return row
}

const CONFIRM = sql`
  update page_subscribers set confirmed_at = coalesce(confirmed_at, $3)
   where org_id = $1 and id = $2
     and (confirmed_at is not null or asked_at > $3::timestamptz - make_interval(days => $4))
  returning id`

/** Idempotent. False if the link has expired. */
export async function confirm(tx: TenantTx, uuid: string, withinDays: number): Promise<boolean> {
  const rows = await tx.query(CONFIRM, [tx.orgId, uuid, tx.now, withinDays])
  return rows.length > 0
}

const CHOOSE = sql`
  update page_subscribers set component_ids = $3::uuid[]
   where org_id = $1 and id = $2 and confirmed_at is not null returning id`

export async function chooseComponents(
  tenant: Tenant,
  uuid: string,
  componentUuids: readonly string[] | null,
): Promise<boolean> {
  const rows = await tenant.query(CHOOSE, [tenant.orgId, uuid, componentUuids])
  return rows.length > 0
}

const DELETE = sql`delete from page_subscribers where org_id = $1 and id = $2 returning id`

/** Keeps nothing of the subscriber. False if already deleted. */
export async function deleteSubscriber(tenant: Tenant, uuid: string): Promise<boolean> {
  const rows = await tenant.query(DELETE, [tenant.orgId, uuid])
  return rows.length > 0
}

const COMPONENTS = sql`
  select c.id as uuid, coalesce(c.name, m.name) as name, s.id as "sectionUuid", s.name as "sectionName"
    from status_page_components c
    join status_page_sections s on s.org_id = c.org_id and s.id = c.section_id
    left join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
   where c.org_id = $1 and c.page_id = $2
   order by s.position, c.position`

export type ChoosableComponent = {
  uuid: string
  name: string
  sectionUuid: string
  sectionName: string | null
}

/** The components a subscriber can choose, in page order. */
export async function listComponents(
  tenant: Tenant,
  pageUuid: string,
): Promise<ChoosableComponent[]> {
  return tenant.query<ChoosableComponent>(COMPONENTS, [tenant.orgId, pageUuid])
}

const FIND_PAGE = sql`
  select name, locale, theme, accent_color as "accentColor" from status_pages where org_id = $1 and id = $2`

export type SubscribedPage = {
  name: string
  locale: string
  theme: PageTheme
  accentColor: string | null
}

/** Also finds a page that is not public, so that subscribers can always unsubscribe. */
export async function findSubscribedPage(
  tenant: Tenant,
  pageUuid: string,
): Promise<SubscribedPage | undefined> {
  const [row] = await tenant.query<SubscribedPage>(FIND_PAGE, [tenant.orgId, pageUuid])
  return row
}

const DELETE_UNCONFIRMED = sql`
  with old as (
    select id from page_subscribers
     where confirmed_at is null and asked_at < now() - make_interval(days => $1)
     order by asked_at limit $2 for update skip locked
  ), gone as (
    delete from page_subscribers where id in (select id from old) returning 1)
  select count(*) as count from gone`

/** Deletes up to `most` subscribers who never confirmed. Returns how many. */
export async function deleteUnconfirmed(db: Db, afterDays: number, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_UNCONFIRMED, [afterDays, most])
  return row?.count ?? 0
}

export const subscriberLocation = (uuid: string, column: 'email' | 'token' | 'secret') => ({
  table: 'page_subscribers',
  row: uuid,
  column,
})
const secretLocation = (uuid: string) => ({
  table: 'page_mail_secrets',
  row: uuid,
  column: 'secret',
})
