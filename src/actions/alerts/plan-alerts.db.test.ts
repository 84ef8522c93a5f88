// What the planner reads and writes: events become alert conditions, and the database determines how they continue.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { noticeCondition } from '../../domain/alerts/condition.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { toEventMonitor } from '../../domain/events/event.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { ContactInput } from '../../store/alerts/contacts.ts'
import { findOutdated } from '../../store/alerts/messages.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { publishAll } from '../events/publish.ts'
import { createMonitor } from '../monitors/create.ts'
import { deleteMonitor } from '../monitors/delete.ts'
import { pauseMonitor } from '../monitors/pause.ts'
import { createAlertContact } from './create-contact.ts'
import { planAlerts } from './plan-alerts.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
const WISH: ContactInput = {
  name: 'Ops',
  channel: 'SLACK',
  settings: { url: 'https://hooks.example/x' },
  enabled: true,
  rules: RULES,
}
const PAGER = {
  name: 'Pager',
  channel: 'PAGERDUTY',
  settings: { routingKey: 'R'.repeat(32) },
} as const

const WAY = { baseUrl: 'https://up.example', canMail: false }

async function openFixture() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  // No delays: only the state in the database decides which alerts are sent.
  const deps = { database: engine, secrets, baseUrl: 'https://up.example' }
  const contact = (fields: Partial<ContactInput>) =>
    tenants.transaction(orgId, (tx) => createAlertContact(tx, { ...WISH, ...fields }, 'ALL', WAY))
  await contact({})
  return {
    admin,
    engine,
    contact,
    pause: (monitor: Monitor) => tenants.transaction(orgId, (tx) => pauseMonitor(tx, monitor.uuid)),
    remove: (monitor: Monitor) =>
      tenants.transaction(orgId, (tx) => deleteMonitor(tx, monitor.uuid)),
    plan: (togetherMs = 0) => planAlerts({ ...deps, timing: { holdMs: 0, togetherMs } }, orgId),
    monitor: (name: string) =>
      tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings({ name }))),
    stand: (monitor: Monitor, state: string, checked = 'now()') =>
      admin.query(
        `update monitor_states set state = $2, last_checked_at = ${checked} where monitor_no = $1`,
        [monitor.no, state],
      ),
    degraded: (monitor: Monitor) =>
      tenants.transaction(orgId, (tx) =>
        publishAll(tx, [
          {
            orgId,
            draft: {
              type: 'monitor.degraded',
              at: tx.now,
              data: { monitor: toEventMonitor(monitor) },
            },
            ...degradation(monitor, tx.now),
          },
        ]),
      ),
    async down(monitor: Monitor) {
      const incidentUuid = await openIncident(admin, monitor.uuid)
      await admin.query(
        `insert into alert_troubles (id, org_id, kind, monitor_id, incident_id, host, since, about, contact_ids)
         select new_uuid(), $1, 'DOWN', $2, $3, 'shop.example', now(), $4,
                array(select contact_id from monitor_alert_contacts where monitor_id = $2)`,
        [
          orgId,
          monitor.uuid,
          incidentUuid,
          { monitorId: 'm', name: monitor.name, address: null, cause: 'x' },
        ],
      )
    },
    async told(): Promise<string[]> {
      const { rows } = await admin.query<{ kind: string; title: string }>(
        'select kind, title from alert_messages where org_id = $1 order by created_at, kind',
        [orgId],
      )
      return rows.map(({ kind, title }) => `${kind} ${title}`)
    },
    /** Which of the queued messages would no longer be sent. */
    async overtaken(): Promise<string[]> {
      const { rows } = await admin.query<{ uuid: string; kind: string }>(
        'select delivery_id as uuid, kind from alert_messages where org_id = $1 order by delivery_id',
        [orgId],
      )
      const uuids = await findOutdated(
        engine,
        rows.map(({ uuid }) => uuid),
      )
      return rows.flatMap(({ uuid, kind }) => (uuids.has(uuid) ? kind : []))
    },
  }
}

function degradation(monitor: Monitor, at: Date) {
  const now = { ...monitor, state: 'DEGRADED' as const }
  const condition = noticeCondition({ kind: 'STATE', previousState: 'UP' }, now, at)
  return condition && { condition }
}

async function openIncident(
  admin: Awaited<ReturnType<DbFixture['openDatabase']>>['admin'],
  monitorUuid: string,
) {
  const { rows } = await admin.query<{ id: string }>(
    `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
     select new_uuid(), org_id, id, now(), 'x', 'TIMEOUT' from monitors where id = $1 returning id`,
    [monitorUuid],
  )
  return rows[0]?.id
}

test('an email address hears nothing before it is confirmed, and everything after', async () => {
  const fixture = await openFixture()
  const settings = { address: 'stranger@example.org' }
  const { uuid, isConfirmed } = await fixture.contact({ channel: 'EMAIL', settings })
  assert.equal(isConfirmed, false)
  const toldStranger = async () => {
    const { rows } = await fixture.admin.query<{ kind: string }>(
      'select kind from alert_messages where contact_id = $1',
      [uuid],
    )
    return rows.map(({ kind }) => kind)
  }
  const [shop, blog] = [await fixture.monitor('Shop'), await fixture.monitor('Blog')]
  await fixture.admin.query(
    `insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
     select org_id, m, id from alert_contacts, unnest($1::uuid[]) m on conflict do nothing`,
    [[shop.uuid, blog.uuid]],
  )
  await fixture.stand(shop, 'DOWN')
  await fixture.down(shop)
  assert.equal(await fixture.plan(), 1, 'the pager alone')
  assert.deepEqual(await toldStranger(), [])
  await fixture.admin.query('update alert_contacts set confirmed_at = now() where id = $1', [uuid])
  await fixture.stand(blog, 'DOWN')
  await fixture.down(blog)
  await fixture.plan()
  assert.ok((await toldStranger()).length > 0)
})

test('a degradation is told, and its end when the state says so', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('Shop')
  await fixture.stand(monitor, 'DEGRADED')
  await fixture.degraded(monitor)
  assert.equal(await fixture.plan(), 1)
  assert.equal(await fixture.plan(), 0, 'once')
  await fixture.stand(monitor, 'DOWN')
  assert.equal(await fixture.plan(), 0, 'it goes on while the monitor is down')
  await fixture.stand(monitor, 'UP')
  assert.equal(await fixture.plan(), 1)
  assert.deepEqual(await fixture.told(), [
    'DEGRADED Shop is degraded',
    'RECOVERED Shop is no longer degraded',
  ])
})

const ENDINGS = [
  ['paused', 'pause'],
  ['deleted', 'remove'],
] as const
for (const [how, end] of ENDINGS)
  test(`a monitor that is ${how} while it is down: people hear nothing, and a pager's alarm is closed`, async () => {
    const fixture = await openFixture()
    await fixture.contact(PAGER)
    const monitor = await fixture.monitor('Shop')
    await fixture.stand(monitor, 'DOWN')
    await fixture.down(monitor)
    assert.equal(await fixture.plan(), 2)
    assert.deepEqual(await fixture.overtaken(), [])
    await fixture[end](monitor)
    assert.deepEqual(await fixture.overtaken(), ['DOWN', 'DOWN'], 'what waits is not sent any more')
    assert.equal(await fixture.plan(), 1)
    assert.equal(await fixture.plan(), 0)
    const down = 'DOWN Shop is down'
    assert.deepEqual(await fixture.told(), [down, down, `CLOSED Shop was ${how}`])
  })

test('a monitor that is paused while it is slow is not told as faster', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('Shop')
  await fixture.stand(monitor, 'DEGRADED')
  await fixture.degraded(monitor)
  assert.equal(await fixture.plan(), 1)
  await fixture.pause(monitor)
  assert.equal(await fixture.plan(), 0)
  await fixture.stand(monitor, 'UP')
  assert.equal(await fixture.plan(), 0, 'nor later')
})

test('a recovery that waits for the end of quiet hours is told, though its monitor is gone by then', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('Shop')
  await fixture.stand(monitor, 'DOWN')
  await fixture.down(monitor)
  assert.equal(await fixture.plan(), 1)
  const quiet = (from: string, to: string) =>
    fixture.admin.query(
      `update alert_contacts set quiet_from = ${from}, quiet_to = ${to}, quiet_zone = 'UTC'`,
    )
  const clock = (hours: number) =>
    `to_char((now() + interval '${hours} h') at time zone 'UTC', 'HH24:MI')`
  await quiet(clock(-1), clock(1))
  await fixture.admin.query(`update incidents set resolved_at = now(), resolution = 'RECOVERED'`)
  await fixture.stand(monitor, 'UP')
  assert.equal(await fixture.plan(), 0)
  await fixture.remove(monitor)
  assert.equal(await fixture.plan(), 0)
  await quiet(clock(2), clock(3))
  assert.equal(await fixture.plan(), 1)
  assert.deepEqual(await fixture.told(), ['DOWN Shop is down', 'RECOVERED Shop is up again'])
})

test('a window that begins in an outage silences its reminders, and not its end', async () => {
  const fixture = await openFixture()
  await fixture.contact({ name: 'Nagged', rules: { ...RULES, reminderMinutes: 5 } })
  const monitor = await fixture.monitor('Shop')
  await fixture.stand(monitor, 'DOWN')
  await fixture.down(monitor)
  assert.equal(await fixture.plan(), 2)
  await fixture.admin.query(`update alert_tellings set told_at = told_at - interval '5 minutes'`)
  await fixture.admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     values ($1, now() - interval '1 minute', now() + interval '1 hour', gen_random_uuid())`,
    [monitor.no],
  )
  assert.equal(await fixture.plan(), 0, 'no reminder')
  await fixture.admin.query(`update incidents set resolved_at = now(), resolution = 'RECOVERED'`)
  assert.equal(await fixture.plan(), 2)
  const [down, end] = ['DOWN Shop is down', 'RECOVERED Shop is up again']
  assert.deepEqual(await fixture.told(), [down, down, end, end])
})

test('in a maintenance window nothing begins', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('Shop')
  await fixture.stand(monitor, 'DOWN')
  await fixture.down(monitor)
  await fixture.admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     values ($1, now() - interval '1 minute', now() + interval '1 hour', gen_random_uuid())`,
    [monitor.no],
  )
  assert.equal(await fixture.plan(), 0)
  await fixture.admin.query('update maintenance_spans set ended_at = now()')
  assert.equal(await fixture.plan(), 1)
})

test('a host whose other monitors were not looked at since is waited for', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('A')
  const other = await fixture.monitor('B')
  await fixture.stand(monitor, 'DOWN')
  await fixture.stand(other, 'UP', `now() - interval '1 minute'`)
  await fixture.down(monitor)
  assert.equal(await fixture.plan(60_000), 0)
  await fixture.stand(other, 'UP', `now() + interval '1 second'`)
  assert.equal(await fixture.plan(60_000), 1)
})

test('planners at the same time tell once', async () => {
  const fixture = await openFixture()
  const monitor = await fixture.monitor('A')
  await fixture.stand(monitor, 'DOWN')
  await fixture.down(monitor)
  await Promise.all(Array.from({ length: 6 }, () => fixture.plan()))
  assert.deepEqual(await fixture.told(), ['DOWN A is down'])
})
