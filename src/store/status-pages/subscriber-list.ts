// The subscribers of one page, as its managers see them: with decrypted addresses.
import type { SubscriberKind } from '../../domain/status-pages/subscriber.ts'
import { sql } from '../core/db.ts'
import { readPage } from '../core/page.ts'
import type { Tenant } from '../core/tenants.ts'
import { findAddressHash, subscriberLocation } from './subscribers.ts'

const matching = (state: 'CONFIRMED' | 'WAITING') => sql`
  org_id = $1 and page_id = $2 and confirmed_at is ${{ text: state === 'CONFIRMED' ? 'not null' : 'null' }}
    and ($3::bytea is null or email_hash = $3)`

// Two statements, because each state has its own index.
const pageOf = (state: 'CONFIRMED' | 'WAITING') => sql`
  with page as (
    select id as uuid, kind, email, cardinality(component_ids) as components, asked_at as "askedAt",
           confirmed_at as "confirmedAt"
      from page_subscribers where ${matching(state)}
     order by id desc limit $4 offset $5
  ), total as (
    select count(*) as total from page_subscribers where ${matching(state)}
  )
  select total.total, page.* from total left join page on true order by uuid desc`
const PAGES = { CONFIRMED: pageOf('CONFIRMED'), WAITING: pageOf('WAITING') }

export type SubscriberRow = {
  uuid: string
  kind: SubscriberKind
  address: string
  components: number | null
  askedAt: Date
  confirmedAt: Date | null
}
type SubscriberFilter = {
  limit: number
  offset: number
  state: keyof typeof PAGES
  address?: string | undefined
}

/** Latest requests first. */
export async function listSubscribers(
  tenant: Tenant,
  pageUuid: string,
  { limit, offset, state, address }: SubscriberFilter,
): Promise<{ total: number; subscribers: SubscriberRow[] }> {
  type Row = Omit<SubscriberRow, 'address'> & { email: Buffer }
  // A page without a secret never had a subscriber.
  const hash = address === undefined ? null : await findAddressHash(tenant, pageUuid, address)
  if (hash === undefined) return { total: 0, subscribers: [] }
  const values = [tenant.orgId, pageUuid, hash, limit, offset]
  const { total, rows } = await readPage<Row>(tenant, PAGES[state], values)
  const cipher = await tenant.cipher()
  const subscribers = rows.map(({ uuid, kind, email, components, askedAt, confirmedAt }) => {
    const opened = cipher.unseal(subscriberLocation(uuid, 'email'), email)
    return { uuid, kind, address: opened, components, askedAt, confirmedAt }
  })
  return { total, subscribers }
}

const REMOVE = sql`
  delete from page_subscribers where org_id = $1 and page_id = $2 and id = $3 returning id`

/** False if the page has no such subscriber. */
export async function removeSubscriber(
  tenant: Tenant,
  pageUuid: string,
  uuid: string,
): Promise<boolean> {
  return (await tenant.query(REMOVE, [tenant.orgId, pageUuid, uuid])).length > 0
}
