import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import type { Tenant } from '../core/tenants.ts'
import * as pages from './snapshots.ts'

let fixture: DbFixture
let database: TestDatabase
let own: Tenancy
let other: Tenancy
let tenant: Tenant
let pageId: string

before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  own = await fillTenant(database)
  other = await fillTenant(database)
  tenant = database.tenants.of(own.orgId)
  pageId = await pageOf(own)
  // The component shows the monitor, so the window can appear on the page.
  await admin(
    `update status_page_components c set monitor_id = m.id, name = null
       from monitors m where m.org_id = c.org_id and c.org_id = $1`,
    [own.orgId],
  )
})
after(() => fixture?.stop())

const admin = (text: string, values: unknown[] = []) => database.admin.query(text, values)

async function pageOf({ orgId }: Tenancy): Promise<string> {
  const { rows } = await admin('select id from status_pages where org_id = $1', [orgId])
  return (rows[0] as { id: string }).id
}

const mark = async () => (await pages.findMark(tenant, pageId))?.mark

test('findPublicPage: by slug, by a domain that is proven, and only while it is published', async () => {
  const bySlug = { slug: own.orgId }
  const byDomain = { domain: 'status.example.com' }
  const ids = { orgId: own.orgId, pageId }
  assert.deepEqual(await pages.findPublicPage(database.app, bySlug), ids)
  assert.equal(await pages.findPublicPage(database.app, byDomain), undefined)
  const set = (status: string) =>
    admin(
      `update status_pages set custom_domain = 'status.example.com', custom_domain_status = $2 where id = $1`,
      [pageId, status],
    )
  for (const status of ['PENDING', 'FAILED']) {
    await set(status)
    assert.equal(await pages.findPublicPage(database.app, byDomain), undefined, status)
  }
  await set('ACTIVE')
  assert.deepEqual(await pages.findPublicPage(database.app, byDomain), ids)
  await admin('update status_pages set published = false where id = $1', [pageId])
  assert.equal(await pages.findPublicPage(database.app, bySlug), undefined)
  assert.equal(await pages.findPublicPage(database.app, byDomain), undefined)
  assert.equal(await pages.findMark(tenant, pageId), undefined)
  assert.equal(await pages.findPage(tenant, pageId), undefined)
  await admin('update status_pages set published = true where id = $1', [pageId])
})

test('another organization sees nothing of a page', async () => {
  const stranger = database.tenants.of(other.orgId)
  assert.equal(await pages.findMark(stranger, pageId), undefined)
  assert.equal(await pages.findPage(stranger, pageId), undefined)
  assert.deepEqual(await pages.listComponents(stranger, pageId), [])
  assert.deepEqual(await pages.listIncidents(stranger, pageId), { incidents: [], updates: [] })
  assert.deepEqual(await pages.listWindows(stranger, pageId), [])
  const within = { from: new Date(0), to: new Date() }
  assert.deepEqual(await pages.listWindowSpans(stranger, [own.monitorNo], within), [])
})

const MONITOR = 'where monitor_no = $1'
const changes: [what: string, statement: string][] = [
  ['a state', `update monitor_states set state = 'DOWN' ${MONITOR}`],
  ['the name of a monitor', `update monitors set name = name || '!' where no = $1`],
  ['the end of a window', `update maintenance_spans set ended_at = now() ${MONITOR}`],
  ['the page', `update status_pages set name = name || '!' where $1 > 0`],
  ['a section', `update status_page_sections set collapsed = not collapsed where $1 > 0`],
  ['a component', `update status_page_components set description = 'x' where $1 > 0`],
  ['an incident', `update status_incidents set updated_at = clock_timestamp() where $1 > 0`],
  ['a planned window', `update maintenance_windows set name = name || '!' where $1 > 0`],
]
for (const [what, statement] of changes) {
  test(`findMark: differs after a change of ${what}`, async () => {
    const before = await mark()
    assert.equal(await mark(), before, 'the same while nothing happens')
    await admin(statement, [own.monitorNo])
    assert.notEqual(await mark(), before)
  })
}

test('findMark: checks that change nothing, and other organizations, leave it as it is', async () => {
  const before = await mark()
  await admin(
    `update monitor_states set last_checked_at = now(), last_response_ms = 123, next_due_at = now() ${MONITOR}`,
    [own.monitorNo],
  )
  await admin(`update status_pages set name = 'Changed' where org_id = $1`, [other.orgId])
  await admin(`update maintenance_windows set name = 'Changed' where org_id = $1`, [other.orgId])
  assert.equal(await mark(), before)
})

test('listWindows: on named pages, or on every page with a covered monitor, if it is shown at all', async () => {
  const names = async () => (await pages.listWindows(tenant, pageId)).length
  const set = (column: string, value: boolean) =>
    admin(`update maintenance_windows set ${column} = $2 where org_id = $1`, [own.orgId, value])
  assert.equal(await names(), 1, 'named')
  await set('on_named_pages', false)
  assert.equal(await names(), 1, 'its monitor is on the page')
  await admin('delete from maintenance_window_monitors where org_id = $1', [own.orgId])
  assert.equal(await names(), 0, 'no monitor of the page')
  await set('all_monitors', true)
  assert.equal(await names(), 1, 'every monitor')
  await set('show_on_status_pages', false)
  assert.equal(await names(), 0, 'not shown')
})

test('listIncidents: messages are read up to a million characters, of open incidents first', async () => {
  await admin(
    `insert into status_incident_updates
       (id, org_id, status_incident_id, status, message, components, notified_subscribers, created_at)
     select new_uuid(), org_id, id, 'MONITORING', repeat('x', 10000), '[]', false, now() + n * interval '1 second'
       from status_incidents, generate_series(1, 120) n where org_id = $1`,
    [own.orgId],
  )
  const { incidents, updates } = await pages.listIncidents(tenant, pageId)
  assert.equal(incidents.length, 1)
  assert.equal(updates.length, 100)
  const times = updates.map(({ createdAt }) => createdAt.getTime())
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  )
})
