// Notices for the subscribers of status pages, and their progress.
import type { ShownWindow } from '../../domain/maintenance/window.ts'
import type {
  StatusIncidentNotice,
  SubscriberNotice,
  WindowNotice,
} from '../../domain/status-pages/notice.ts'
import type { StatusIncident } from '../../domain/status-pages/status-incident.ts'
import type { CustomDomainStatus } from '../../domain/status-pages/status-page.ts'
import type { SubscriberKind } from '../../domain/status-pages/subscriber.ts'
import { noticeBytes } from '../../domain/values/day-quota.ts'
import { newUuidsByClock } from '../core/clock-uuids.ts'
import { bringing, type Db, type Statement, sql } from '../core/db.ts'

/**
 * True if a notice about these components concerns subscriber `s`. A subscriber whose chosen components are all gone
 * from the page gets every notice, rather than none.
 */
const concerns = (orgId: Statement, pageId: Statement, componentIds: Statement) => sql`
  (s.component_ids is null or cardinality(${componentIds}) = 0 or s.component_ids && ${componentIds}
    or not exists (select from status_page_components c
                    where c.org_id = ${orgId} and c.page_id = ${pageId} and c.id = any (s.component_ids)))`

// Only pages that are public, accept subscribers and have one who is concerned: otherwise the notice has no reader.
const isNotifying = sql`
  p.published and p.subscribers_enabled and exists (
    select from page_subscribers s
     where s.org_id = p.org_id and s.page_id = p.id and s.confirmed_at is not null
       and ${concerns(sql`p.org_id`, sql`p.id`, sql`touched.ids`)})`

/** A page that sends the notice, and the components affected there. */
type NotifyingPage<C> = { pageUuid: string; componentUuids: string[]; components: C[] }

const PAGES_OF_INCIDENT = sql`
  select p.id as "pageUuid", touched.ids as "componentUuids", touched.named as components
    from status_pages p
   cross join lateral (
     select coalesce(array_agg(c.id order by a.no), '{}') as ids,
            coalesce(jsonb_agg(jsonb_build_object('name', coalesce(c.name, m.name), 'state', a.state)
                               order by a.no), '[]') as named
       from unnest($3::uuid[], $4::text[]) with ordinality as a (component_id, state, no)
       join status_page_components c on c.org_id = p.org_id and c.id = a.component_id
       left join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
      where c.page_id = p.id) touched
   where p.org_id = $1 and p.id = any ($2::uuid[]) and ${isNotifying}`

type IncidentPage = NotifyingPage<StatusIncidentNotice['components'][number]>

export async function findPagesOfIncident(
  tx: Db,
  orgId: string,
  { pageUuids, components }: Pick<StatusIncident, 'pageUuids' | 'components'>,
): Promise<IncidentPage[]> {
  return tx.query<IncidentPage>(PAGES_OF_INCIDENT, [
    orgId,
    pageUuids,
    components.map(({ componentUuid }) => componentUuid),
    components.map(({ state }) => state),
  ])
}

// The listed pages, or every page that shows a covered monitor.
const PAGES_OF_WINDOW = sql`
  select p.id as "pageUuid", touched.ids as "componentUuids", touched.named as components
    from status_pages p
   cross join lateral (
     select coalesce(array_agg(c.id order by c.position), '{}') as ids,
            coalesce(jsonb_agg(jsonb_build_object('name', coalesce(c.name, m.name))
                               order by c.position), '[]') as named
       from status_page_components c
       join monitors m on m.org_id = c.org_id and m.id = c.monitor_id
      where c.org_id = p.org_id and c.page_id = p.id
        and ($2 or c.monitor_id = any ($3::uuid[]))) touched
   where p.org_id = $1
     and case when $4 then p.id = any ($5::uuid[]) else cardinality(touched.ids) > 0 end
     and ${isNotifying}`

type WindowPage = NotifyingPage<WindowNotice['components'][number]>

export async function findPagesOfWindow(
  tx: Db,
  orgId: string,
  window: Omit<ShownWindow, 'showOnStatusPages'>,
): Promise<WindowPage[]> {
  const { allMonitors, monitorUuids, onNamedPages, pageUuids } = window
  const values = [orgId, allMonitors, monitorUuids, onNamedPages, pageUuids]
  return tx.query<WindowPage>(PAGES_OF_WINDOW, values)
}

const INSERT = bringing(
  'NOTICES',
  sql`
  insert into subscriber_notices (id, org_id, page_id, notice, component_ids)
  select u.id, $1, u.page_id, u.notice, array(select jsonb_array_elements_text(u.component_ids)::uuid)
    from unnest($2::uuid[], $3::uuid[], $4::jsonb[], $5::jsonb[])
      as u (id, page_id, notice, component_ids)`,
)

type NewNotice = { pageUuid: string; componentUuids: readonly string[]; notice: SubscriberNotice }

/** Ids contain the clock, so that the notices of a page sort in order of creation. Returns how many bytes are stored. */
export async function insertNotices(
  tx: Db,
  orgId: string,
  notices: readonly NewNotice[],
): Promise<number> {
  if (notices.length === 0) return 0
  const bodies = notices.map(({ notice }) => JSON.stringify(notice))
  await tx.query(INSERT, [
    orgId,
    await newUuidsByClock(tx, notices.length),
    notices.map(({ pageUuid }) => pageUuid),
    bodies,
    notices.map(({ componentUuids }) => JSON.stringify(componentUuids)),
  ])
  return noticeBytes(bodies)
}

/** A notice that has not reached all subscribers yet. */
export type OpenNotice = {
  uuid: string
  orgId: string
  pageUuid: string
  componentUuids: readonly string[]
  toldUntil: string | null
  createdAt: Date
  /** The page still notifies its subscribers. */
  isTelling: boolean
}

// Notices with the fewest recipients so far come first, so that a page with many subscribers delays no other. Notices
// of one page are sent in order: no subscriber gets the end before the start.
const CLAIM = sql`
  select n.id as uuid, n.org_id as "orgId", n.page_id as "pageUuid", n.component_ids as "componentUuids",
         n.told_until as "toldUntil", n.created_at as "createdAt",
         p.published and p.subscribers_enabled and o.deleted_at is null as "isTelling"
    from subscriber_notices n join status_pages p on p.org_id = n.org_id and p.id = n.page_id
    join organizations o on o.id = n.org_id
   where n.completed_at is null and not exists (
     select from subscriber_notices older
      where older.page_id = n.page_id and older.completed_at is null and older.id < n.id)
   order by n.told, n.id limit 1 for update of n skip locked`

const HAS_OPEN = sql`
  select true as open from subscriber_notices where completed_at is null order by told, id limit 1`

export async function hasOpenNotices(db: Db): Promise<boolean> {
  return (await db.query(HAS_OPEN)).length > 0
}

/** Holds the lock until the transaction ends. Undefined if there is none, or all are locked. */
export async function claimNotice(tx: Db): Promise<OpenNotice | undefined> {
  const [row] = await tx.query<OpenNotice>(CLAIM)
  return row
}

const NEXT = sql`
  select s.id as uuid, s.kind, ${concerns(sql`$1`, sql`$2`, sql`$4::uuid[]`)} as "isTold"
    from page_subscribers s
   where s.org_id = $1 and s.page_id = $2 and s.confirmed_at <= $5 and s.id > $3
   order by s.id limit $6`

const FIRST = '00000000-0000-0000-0000-000000000000'

export type NextSubscriber = { uuid: string; kind: SubscriberKind; isTold: boolean }

/** The next subscribers after the last one processed, and whether the notice concerns them. */
export async function findNextSubscribers(
  tx: Db,
  { orgId, pageUuid, toldUntil, componentUuids, createdAt }: OpenNotice,
  most: number,
): Promise<NextSubscriber[]> {
  const values = [orgId, pageUuid, toldUntil ?? FIRST, componentUuids, createdAt, most]
  return tx.query<NextSubscriber>(NEXT, values)
}

const ADVANCE = sql`
  update subscriber_notices
     set told_until = coalesce($2, told_until), told = told + $3,
         completed_at = case when $4 then now() end
   where id = $1`

type NoticeProgress = { toldUntil: string | undefined; told: number; isCompleted: boolean }

export async function saveNoticeProgress(tx: Db, uuid: string, to: NoticeProgress): Promise<void> {
  await tx.query(ADVANCE, [uuid, to.toldUntil ?? null, to.told, to.isCompleted])
}

const FIND = sql`
  select id as uuid, notice, created_at as "createdAt" from subscriber_notices where id = any ($1::uuid[])`

export type StoredNotice = { uuid: string; notice: SubscriberNotice; createdAt: Date }

/** For the dispatcher: notices of any organization, by id. */
export async function findNotices(
  db: Db,
  uuids: readonly string[],
): Promise<Map<string, StoredNotice>> {
  const rows = await db.query<StoredNotice>(FIND, [uuids])
  return new Map(rows.map((row) => [row.uuid, row]))
}

const FIND_PAGES = sql`
  select id as uuid, name, slug, locale, timezone,
         custom_domain as "customDomain", custom_domain_status as "customDomainStatus"
    from status_pages where id = any ($1::uuid[])`

/** What an email shows about its page. */
export type EmailPage = {
  uuid: string
  name: string
  slug: string
  locale: string
  timezone: string
  customDomain: string | null
  customDomainStatus: CustomDomainStatus
}

export async function findEmailPages(
  db: Db,
  uuids: readonly string[],
): Promise<Map<string, EmailPage>> {
  const rows = await db.query<EmailPage>(FIND_PAGES, [uuids])
  return new Map(rows.map((row) => [row.uuid, row]))
}

const DELETE_OLD = sql`
  with old as (
    select id from subscriber_notices where created_at < now() - make_interval(days => $1)
     order by created_at limit $2 for update skip locked
  ), gone as (
    delete from subscriber_notices where id in (select id from old) returning 1)
  select count(*) as count from gone`

/** Deletes up to `most` notices that are older than any delivery that may need them. */
export async function deleteOldNotices(db: Db, afterDays: number, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_OLD, [afterDays, most])
  return row?.count ?? 0
}
