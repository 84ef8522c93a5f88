// Which notices subscribers get, on a real PostgreSQL: those that concern them, once each, whatever crashes in between.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { addSubscriber, makePage } from '../../../test/db-kit/status-page.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { fanOutNotices, type SubscriberEmail } from '../../actions/status-pages/fan-out-notices.ts'
import {
  notifyStatusIncident,
  notifyWindows,
} from '../../actions/status-pages/notify-subscribers.ts'
import type { MaintenanceWindow, WindowTransition } from '../../domain/maintenance/window.ts'
import type { StatusIncident } from '../../domain/status-pages/status-incident.ts'
import { OrganizationSecrets } from '../core/organization-secrets.ts'
import { decryptMessage } from '../deliveries/receivers.ts'
import { deleteOldNotices } from './subscriber-notices.ts'

const AT = new Date('2026-11-14T12:00:00.000Z')
const LATER = new Date('2026-11-14T13:00:00.000Z')

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('a status incident is told on each of its pages with what it touches there', async () => {
  const context = await openFixture()
  const one = await context.page(['API', 'Website'])
  const two = await context.page(['Shop'])
  const apart = await context.page(['Apart'])
  for (const page of [one, two, apart]) await context.subscriber(page.uuid)
  const [api = '', web = ''] = one.components
  await context.tell({
    pageUuids: [one.uuid, two.uuid],
    components: [
      { componentUuid: web, state: 'DEGRADED' },
      { componentUuid: api, state: 'MAJOR_OUTAGE' },
    ],
  })
  const notices = await context.notices()
  assert.deepEqual(
    notices.map(({ page_id, component_ids }) => [page_id, component_ids]).toSorted(),
    [
      [one.uuid, [web, api]],
      [two.uuid, []],
    ].toSorted(),
  )
  const first = notices.find(({ page_id }) => page_id === one.uuid)
  assert.deepEqual(first?.notice, {
    kind: 'STATUS_INCIDENT',
    id: first?.notice['id'],
    what: 'PUBLISHED',
    title: 'Login errors',
    status: 'INVESTIGATING',
    impact: 'MAJOR',
    message: 'We are looking.',
    at: AT.toISOString(),
    startedAt: AT.toISOString(),
    resolvedAt: null,
    components: [
      { name: 'Website', state: 'DEGRADED' },
      { name: 'API', state: 'MAJOR_OUTAGE' },
    ],
  })
})

test('pages that are not public, take no subscribers or have none tell nobody', async () => {
  const context = await openFixture()
  const uuids: string[] = []
  for (let i = 0; i < 4; i++) uuids.push((await context.page([])).uuid)
  const [hidden, closed, lonely, open] = uuids
  for (const page of [hidden, closed, open]) await context.subscriber(page ?? '')
  await context.run('update status_pages set published = false where id = $1', [hidden])
  await context.run('update status_pages set subscribers_enabled = false where id = $1', [closed])
  await context.tell({ pageUuids: [hidden, closed, lonely, open].map(String) })
  assert.deepEqual(
    (await context.notices()).map(({ page_id }) => page_id),
    [open],
  )
})

test('told is whom it concerns: everybody without a choice, and whoever chose one of its components', async () => {
  const context = await openFixture()
  const page = await context.page(['API', 'Website', 'Docs'])
  const [api = '', web = '', docs = ''] = page.components
  const everybody = await context.subscriber(page.uuid)
  const ofApi = await context.subscriber(page.uuid, [api])
  const ofBoth = await context.subscriber(page.uuid, [web, api])
  const ofDocs = await context.subscriber(page.uuid, [docs])
  const ofNothingLeft = await context.subscriber(page.uuid, [randomUUID()])

  await context.tell({
    pageUuids: [page.uuid],
    components: [{ componentUuid: api, state: 'DEGRADED' }],
  })
  await context.fanOutAll()
  assert.deepEqual(await context.told(), sorted([everybody, ofApi, ofBoth, ofNothingLeft]))

  await context.run('delete from deliveries')
  await context.tell({ pageUuids: [page.uuid] })
  await context.fanOutAll()
  assert.deepEqual(await context.told(), sorted([everybody, ofApi, ofBoth, ofDocs, ofNothingLeft]))
})

test('batches go on behind each other; what was rolled back is done again; nobody twice, nobody left out', async () => {
  const context = await openFixture()
  const page = await context.page(['API', 'Docs'])
  const [api = '', docs = ''] = page.components
  const told: string[] = []
  for (let i = 0; i < 25; i++) {
    // Includes batches without a recipient.
    const choice = i >= 10 && i < 16 ? [docs] : undefined
    const uuid = await context.subscriber(page.uuid, choice)
    if (choice === undefined) told.push(uuid)
  }
  await context.tell({
    pageUuids: [page.uuid],
    components: [{ componentUuid: api, state: 'DEGRADED' }],
  })
  for (let i = 0; i < 4; i++) {
    assert.equal(await context.fanOut(3), i === 3 ? 1 : 3)
    await assert.rejects(context.fanOutAndDie(3), /killed/)
  }
  await context.fanOutAll(3)
  assert.deepEqual(await context.told(), sorted(told))
  const [notice] = await context.notices()
  assert.equal(notice?.told, told.length)
  assert.ok(notice?.completed_at)
})

test('many at once share the work', async () => {
  const context = await openFixture()
  const pages = [await context.page([]), await context.page([]), await context.page([])]
  const all: string[] = []
  for (const { uuid } of pages) for (let i = 0; i < 8; i++) all.push(await context.subscriber(uuid))
  await context.tell({ pageUuids: pages.map(({ uuid }) => uuid) })
  await Promise.all(Array.from({ length: 4 }, () => context.fanOutAll(2)))
  await context.fanOutAll(2)
  assert.deepEqual(await context.told(), sorted(all))
})

test('whoever confirms after it was said is not told', async () => {
  const context = await openFixture()
  const page = await context.page([])
  const early = await context.subscriber(page.uuid)
  const late = await context.subscriber(page.uuid)
  await context.tell({ pageUuids: [page.uuid] })
  await context.run(
    `update page_subscribers set confirmed_at = now() + interval '1 second' where id = $1`,
    [late],
  )
  await context.fanOutAll()
  assert.deepEqual(await context.told(), [early])
})

test('the second notice of a page waits for the first; other pages do not', async () => {
  const context = await openFixture()
  const big = await context.page([])
  const small = await context.page([])
  for (let i = 0; i < 5; i++) await context.subscriber(big.uuid)
  await context.subscriber(small.uuid)
  await context.tell({ pageUuids: [big.uuid] })
  await context.tell({ pageUuids: [big.uuid] }, 'UPDATED')
  await context.fanOut(2)
  await context.tell({ pageUuids: [small.uuid] })
  await context.fanOut(2)
  const byPage = async () => (await context.notices()).map(({ page_id, told }) => [page_id, told])
  assert.deepEqual(await byPage(), [
    [big.uuid, 2],
    [big.uuid, 0],
    [small.uuid, 1],
  ])
  await context.fanOutAll(2)
  assert.deepEqual(await byPage(), [
    [big.uuid, 5],
    [big.uuid, 5],
    [small.uuid, 1],
  ])
})

test('news of a day ago is told to nobody, nor what a page has stopped telling', async () => {
  const context = await openFixture()
  const page = await context.page([])
  await context.subscriber(page.uuid)
  await context.tell({ pageUuids: [page.uuid] })
  await context.run(`update subscriber_notices set created_at = now() - interval '25 hours'`)
  await context.fanOutAll()
  await context.tell({ pageUuids: [page.uuid] })
  await context.run('update status_pages set published = false')
  await context.fanOutAll()
  assert.deepEqual(await context.told(), [])
  assert.ok((await context.notices()).every(({ completed_at }) => completed_at !== null))
  await context.run(
    `update subscriber_notices set created_at = now() - interval '32 days' where told_until is null and id = (select min(id::text)::uuid from subscriber_notices)`,
  )
  assert.equal(await deleteOldNotices(context.database.engine, 31, 100), 1)
  assert.equal((await context.notices()).length, 1)
})

test('a window is told on its pages: the named ones, or all that show a monitor of it', async () => {
  const context = await openFixture()
  const monitor = await context.monitor()
  const other = await context.monitor()
  const shows = await context.page([{ monitorUuid: monitor }, 'Docs'])
  const shown = await context.page([{ monitorUuid: other }])
  const plain = await context.page(['Docs'])
  for (const page of [shows, shown, plain]) await context.subscriber(page.uuid)

  await context.tellWindow({ monitorUuids: [monitor] }, 'scheduled')
  await context.tellWindow({ allMonitors: true }, 'started')
  await context.tellWindow(
    { monitorUuids: [monitor], onNamedPages: true, pageUuids: [plain.uuid, shows.uuid] },
    'ended',
  )
  await context.tellWindow({ monitorUuids: [monitor], onNamedPages: true }, 'canceled')
  await context.tellWindow({ allMonitors: true, notifySubscribers: false }, 'started')
  await context.tellWindow({ allMonitors: true, showOnStatusPages: false }, 'started')
  const seen = (await context.notices()).map(({ page_id, component_ids, notice }) => [
    String(notice['what']),
    page_id,
    component_ids,
  ])
  const [api] = shows.components
  assert.deepEqual(
    seen.toSorted(),
    [
      ['ENDED', plain.uuid, []],
      ['ENDED', shows.uuid, [api]],
      ['SCHEDULED', shows.uuid, [api]],
      ['STARTED', shows.uuid, [api]],
      ['STARTED', shown.uuid, shown.components],
    ].toSorted(),
  )
  const scheduled = (await context.notices()).find(({ notice }) => notice['what'] === 'SCHEDULED')
  assert.equal(scheduled?.notice['startsAt'], AT.toISOString())
  assert.equal(scheduled?.notice['endsAt'], LATER.toISOString())
  assert.deepEqual(scheduled?.notice['components'], [{ name: 'Website' }])
})

test('a window that begins as it is made is told once', async () => {
  const context = await openFixture()
  const monitor = await context.monitor()
  const page = await context.page([{ monitorUuid: monitor }])
  await context.subscriber(page.uuid)
  await context.tellWindow({ monitorUuids: [monitor] }, 'scheduled', 'started')
  assert.deepEqual(
    (await context.notices()).map(({ notice }) => notice['what']),
    ['STARTED'],
  )
})

type NoticeRow = {
  page_id: string
  component_ids: string[]
  told: number
  completed_at: Date | null
  notice: Record<string, unknown>
}

const sorted = (uuids: readonly string[]) => uuids.toSorted()

async function openFixture() {
  const database = await fixture.openDatabase()
  const { admin, tenants, engine, masterKeys } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(masterKeys)
  const fanOut = (most: number) => fanOutNotices({ database: engine, secrets }, most)
  let addresses = 0
  return {
    database,
    fanOut,
    run: async (text: string, values: unknown[] = []) => void (await admin.query(text, values)),
    page: (components: Parameters<typeof makePage>[2]) => makePage(database, orgId, components),
    subscriber: (pageUuid: string, componentUuids?: readonly string[]) =>
      addSubscriber(database, orgId, {
        pageUuid,
        address: `reader-${addresses++}@example.com`,
        ...(componentUuids && { componentUuids }),
      }),
    async monitor(): Promise<string> {
      const made = await tenants.transaction(orgId, (tx) =>
        createMonitor(tx, sampleSettings({ name: 'Website' })),
      )
      return made.uuid
    },
    tell: (changes: Partial<StatusIncident>, what: 'PUBLISHED' | 'UPDATED' = 'PUBLISHED') =>
      tenants.transaction(orgId, (tx) =>
        notifyStatusIncident(tx, {
          before: what === 'PUBLISHED' ? undefined : INCIDENT,
          after: { ...INCIDENT, uuid: tx.newUuid(), ...changes },
          update: { message: 'We are looking.', createdAt: AT },
        }),
      ),
    tellWindow: (changes: Partial<MaintenanceWindow>, ...whats: WindowTransition['what'][]) =>
      engine.transaction(undefined, (tx) => {
        const window = { ...WINDOW, uuid: randomUUID(), ...changes }
        const occurrence = { startsAt: AT, endsAt: LATER }
        const told = whats.map((what) => ({ orgId, news: { what, window, occurrence, at: AT } }))
        return notifyWindows(tx, told)
      }),
    async fanOutAll(most = 500): Promise<void> {
      while ((await fanOut(most)) !== undefined);
    },
    /** Fails after everything is written but nothing is committed. */
    fanOutAndDie: (most: number) =>
      fanOutNotices(
        {
          secrets,
          database: Object.assign(Object.create(engine), {
            transaction: (...[org, work]: Parameters<typeof engine.transaction>) =>
              engine.transaction(org, async (tx) => {
                await work(tx)
                throw new Error('killed')
              }),
          }),
        },
        most,
      ),
    async notices(): Promise<NoticeRow[]> {
      return (await admin.query<NoticeRow>('select * from subscriber_notices order by id')).rows
    },
    /** Subscribers with an email, one entry per email. */
    async told(): Promise<string[]> {
      type Delivery = { deliveryId: string; orgId: string; message: Buffer }
      const { rows } = await admin.query<Delivery>(
        `select id as "deliveryId", org_id as "orgId", message from deliveries
          where channel = 'EMAIL' and endpoint_id <> $1`,
        [orgId],
      )
      const mails = await Promise.all(
        rows.map((row) => decryptMessage<SubscriberEmail>(engine, secrets, row)),
      )
      assert.ok(mails.every(({ kind }) => kind === 'NOTICE'))
      return sorted(mails.map(({ subscriberUuid }) => subscriberUuid))
    },
  }
}

const INCIDENT: StatusIncident = {
  uuid: '',
  title: 'Login errors',
  status: 'INVESTIGATING',
  impact: 'MAJOR',
  pageUuids: [],
  components: [],
  incidentUuid: null,
  startedAt: AT,
  resolvedAt: null,
  updates: [],
  createdAt: AT,
  updatedAt: AT,
}

const WINDOW: MaintenanceWindow = {
  uuid: '',
  name: 'Database upgrade',
  description: null,
  startsAt: AT,
  endsAt: LATER,
  timezone: 'UTC',
  recurrence: null,
  allMonitors: false,
  monitorUuids: [],
  pageUuids: [],
  onNamedPages: false,
  showOnStatusPages: true,
  notifySubscribers: true,
  occurrence: { startsAt: AT, endsAt: LATER },
  covered: true,
  started: true,
  countsFrom: AT,
  createdAt: AT,
  updatedAt: AT,
}
