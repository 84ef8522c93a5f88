// A status page with components and subscribers, as its owner and its visitors would have created it.
import { subscribeToPage } from '../../src/actions/status-pages/subscribe.ts'
import type { TestDatabase } from './db-fixture.ts'

type TestPage = { uuid: string; components: string[] }

/** Components by name, in one section; a monitor's id instead of a name shows that monitor. */
export async function makePage(
  { admin }: TestDatabase,
  orgId: string,
  components: readonly (string | { monitorUuid: string })[] = [],
): Promise<TestPage> {
  const one = async (text: string, values: unknown[]) =>
    String((await admin.query<{ id: string }>(text, values)).rows[0]?.id)
  const uuid = await one(
    `insert into status_pages (id, org_id, name, slug, published, theme, locale, timezone, history_days,
       show_uptime, show_response_time, allow_indexing, subscribers_enabled)
     values (new_uuid(), $1, 'Acme', gen_random_uuid(), true, 'SYSTEM', 'en', 'UTC', 90, true, true, true, true)
     returning id`,
    [orgId],
  )
  const section = await one(
    `insert into status_page_sections (id, org_id, page_id, position, collapsed)
     values (new_uuid(), $1, $2, 0, false) returning id`,
    [orgId, uuid],
  )
  const made: string[] = []
  for (const [position, component] of components.entries())
    made.push(
      await one(
        `insert into status_page_components (id, org_id, page_id, section_id, position, name, monitor_id)
         values (new_uuid(), $1, $2, $3, $4, $5, $6) returning id`,
        [
          orgId,
          uuid,
          section,
          position,
          typeof component === 'string' ? component : null,
          typeof component === 'string' ? null : component.monitorUuid,
        ],
      ),
    )
  return { uuid, components: made }
}

/** Confirmed an hour ago. Returns its id. */
export async function addSubscriber(
  { tenants, admin }: TestDatabase,
  orgId: string,
  wish: { pageUuid: string; address: string; componentUuids?: readonly string[] },
): Promise<string> {
  const { componentUuids = null } = wish
  await tenants.transaction(orgId, (tx) => subscribeToPage(tx, { ...wish, componentUuids }))
  const { rows } = await admin.query<{ id: string }>(
    `update page_subscribers set confirmed_at = now() - interval '1 hour'
      where id = (select id from page_subscribers where page_id = $1 order by id desc limit 1) returning id`,
    [wish.pageUuid],
  )
  return String(rows[0]?.id)
}
