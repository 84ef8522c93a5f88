// What the planner reads and writes: facts become troubles, and the database says how they go on.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbBench, startDbBench } from '../../test/db-kit/db-bench.ts'
import { settings } from '../../test/db-kit/settings.ts'
import { ALERT_STATES } from '../domain/alerting.ts'
import { toEventMonitor } from '../domain/event.ts'
import type { Monitor } from '../domain/monitor.ts'
import { tell } from '../store/events.ts'
import { OrganizationSecrets } from '../store/organization-secrets.ts'
import { createAlertContact } from './create-alert-contact.ts'
import { createMonitor } from './create-monitor.ts'
import { planAlerts } from './plan-alerts.ts'

let bench: DbBench
before(async () => {
  bench = await startDbBench()
})
after(() => bench.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }

async function openDesk() {
  const database = await bench.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  // Nothing is held back: what is told and what is not is the database's doing.
  const deps = { database: engine, secrets, baseUrl: 'https://up.example' }
  const url = { url: 'https://hooks.example/x' }
  const wish = { name: 'Ops', settings: url, enabled: true, rules: RULES }
  await tenants.transaction(orgId, (tx) =>
    createAlertContact(tx, { ...wish, channel: 'SLACK' }, 'ALL'),
  )
  return {
    admin,
    plan: (togetherMs = 0) => planAlerts({ ...deps, timing: { holdMs: 0, togetherMs } }, orgId),
    monitor: (name: string) =>
      tenants.transaction(orgId, (tx) => createMonitor(tx, settings({ name }))),
    stand: (monitor: Monitor, state: string, checked = 'now()') =>
      admin.query(
        `update monitor_states set state = $2, last_checked_at = ${checked} where monitor_no = $1`,
        [monitor.no, state],
      ),
    degraded: (monitor: Monitor) =>
      tenants.transaction(orgId, (tx) =>
        tell(tx, [
          { type: 'monitor.degraded', at: tx.now, data: { monitor: toEventMonitor(monitor) } },
        ]),
      ),
    async down(monitor: Monitor) {
      const incidentUuid = await openIncident(admin, monitor.uuid)
      await admin.query(
        `insert into alert_troubles (id, org_id, kind, monitor_id, incident_id, host, since, about, contact_ids)
         select new_uuid(), $1, 'DOWN', $2, $3, 'example.com', now(), $4,
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
  }
}

async function openIncident(
  admin: Awaited<ReturnType<DbBench['openDatabase']>>['admin'],
  monitorUuid: string,
) {
  const { rows } = await admin.query<{ id: string }>(
    `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
     select new_uuid(), org_id, id, now(), 'x', 'TIMEOUT' from monitors where id = $1 returning id`,
    [monitorUuid],
  )
  return rows[0]?.id
}

test('a degradation is told, and its end when the state says so', async () => {
  const desk = await openDesk()
  const monitor = await desk.monitor('Shop')
  await desk.stand(monitor, 'DEGRADED')
  await desk.degraded(monitor)
  assert.equal(await desk.plan(), 1)
  assert.equal(await desk.plan(), 0, 'once')
  await desk.stand(monitor, 'DOWN')
  assert.equal(await desk.plan(), 0, 'it goes on while the monitor is down')
  await desk.stand(monitor, 'UP')
  assert.equal(await desk.plan(), 1)
  assert.deepEqual(await desk.told(), [
    'DEGRADED Shop is degraded',
    'RECOVERED Shop is no longer degraded',
  ])
})

test('a monitor that is deleted while it is down ends its outage for those who heard of it', async () => {
  const desk = await openDesk()
  const monitor = await desk.monitor('Shop')
  await desk.stand(monitor, 'DOWN')
  await desk.down(monitor)
  assert.equal(await desk.plan(), 1)
  await desk.admin.query('delete from monitors where id = $1', [monitor.uuid])
  assert.equal(await desk.plan(), 1)
  assert.deepEqual(await desk.told(), ['DOWN Shop is down', 'RECOVERED Shop was deleted'])
})

test('in a maintenance window nothing begins', async () => {
  const desk = await openDesk()
  const monitor = await desk.monitor('Shop')
  await desk.stand(monitor, 'DOWN')
  await desk.down(monitor)
  await desk.admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     values ($1, now() - interval '1 minute', now() + interval '1 hour', gen_random_uuid())`,
    [monitor.no],
  )
  assert.equal(await desk.plan(), 0)
  await desk.admin.query('update maintenance_spans set ended_at = now()')
  assert.equal(await desk.plan(), 1)
})

test('a host whose other monitors were not looked at since is waited for', async () => {
  const desk = await openDesk()
  const monitor = await desk.monitor('A')
  const other = await desk.monitor('B')
  await desk.stand(monitor, 'DOWN')
  await desk.stand(other, 'UP', `now() - interval '1 minute'`)
  await desk.down(monitor)
  assert.equal(await desk.plan(60_000), 0)
  await desk.stand(other, 'UP', `now() + interval '1 second'`)
  assert.equal(await desk.plan(60_000), 1)
})

test('planners at the same time tell once', async () => {
  const desk = await openDesk()
  const monitor = await desk.monitor('A')
  await desk.stand(monitor, 'DOWN')
  await desk.down(monitor)
  await Promise.all(Array.from({ length: 6 }, () => desk.plan()))
  assert.deepEqual(await desk.told(), ['DOWN A is down'])
})
