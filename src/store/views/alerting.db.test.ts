// What is said about alerting, compared with what the planner does.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createAlertContact } from '../../actions/alerts/create-contact.ts'
import { deleteAlertContact } from '../../actions/alerts/delete-contact.ts'
import { planAlerts } from '../../actions/alerts/plan-alerts.ts'
import { putEscalation } from '../../actions/alerts/put-escalation.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import type { IncidentAlerting } from '../../domain/alerts/alerting-state.ts'
import { outageCondition } from '../../domain/alerts/condition.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { insertConditions } from '../alerts/conditions.ts'
import { settleSent } from '../alerts/messages.ts'
import { OrganizationSecrets } from '../core/organization-secrets.ts'
import { countSilentMonitors, findIncidentAlerting, findOpenIncidentAlerting } from './alerting.ts'
import { findMonitorListItems } from './monitor-list.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

async function withMonitor() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const monitor = await tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))
  const run = (sql: string, values: unknown[] = []) => admin.query(sql, [orgId, ...values])
  const timing = { holdMs: 0, togetherMs: 0 }
  const secrets = new OrganizationSecrets(database.masterKeys)
  let incidentUuid = ''
  return {
    run,
    engine,
    monitor,
    contact: (isAttached = true) =>
      tenants.transaction(orgId, async (tx) => {
        const settings = { url: 'https://hooks.example/x' }
        const rules = {
          states: ALERT_STATES,
          delayMinutes: 0,
          reminderMinutes: null,
          quiet: null,
        }
        const input = { name: 'Ops', channel: 'SLACK' as const, settings, enabled: true, rules }
        const attached = isAttached ? [monitor.uuid] : []
        const way = { baseUrl: 'https://up.example', canMail: false }
        return (await createAlertContact(tx, input, attached, way)).uuid
      }),
    remove: (uuid: string) => tenants.transaction(orgId, (tx) => deleteAlertContact(tx, uuid)),
    escalate: (contactUuid: string) =>
      tenants.transaction(orgId, (tx) =>
        putEscalation(tx, { kind: 'MONITOR', uuid: monitor.uuid }, [
          { afterMinutes: 5, contactUuids: [contactUuid] },
        ]),
      ),
    async fail() {
      const { rows } = await admin.query<{ id: string }>(
        `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
         values (new_uuid(), $1, $2, now() - interval '1 second', 'x', 'TIMEOUT') returning id`,
        [orgId, monitor.uuid],
      )
      incidentUuid = rows[0]?.id ?? ''
      await tenants.transaction(orgId, async (tx) => {
        const opened = { uuid: incidentUuid, startedAt: tx.now, cause: 'x' }
        const own = { id: tx.newUuid(), orgId, traceparent: undefined }
        await insertConditions(tx, [{ ...outageCondition(monitor, opened), ...own }])
      })
      await run(`update monitor_states set state = 'DOWN' where org_id = $1`)
    },
    plan: () =>
      planAlerts({ database: engine, secrets, baseUrl: 'https://up.example', timing }, orgId),
    async said(): Promise<(IncidentAlerting | number | undefined)[]> {
      const tenant = tenants.of(orgId)
      const [item] = await findMonitorListItems(tenant, [monitor.no])
      const ofOpen = await findOpenIncidentAlerting(tenant, monitor.uuid)
      assert.equal(ofOpen, await findIncidentAlerting(tenant, incidentUuid))
      return [ofOpen, item?.alerting, await countSilentMonitors(tenant)]
    },
  }
}

test('a contact that is attached after the outage began: the planner leaves it out, and so does what is said', async () => {
  const own = await withMonitor()
  await own.fail()
  assert.deepEqual(await own.said(), ['NO_CONTACTS', 'NO_CONTACTS', 1])
  await own.contact()
  assert.equal(await own.plan(), 0)
  assert.deepEqual(await own.said(), ['ADDED_LATER', 'ON', 0])
})

const SILENCED: [IncidentAlerting, string][] = [
  ['CONTACTS_OFF', `enabled = false`],
  ['UNCONFIRMED', `channel = 'EMAIL', confirmed_at = null`],
  ['NOT_FOR_OUTAGES', `states = '{DEGRADED}'`],
]
for (const [reason, change] of SILENCED)
  test(`${reason}: a contact that the planner would not alert does not count, until it can be alerted`, async () => {
    const own = await withMonitor()
    await own.contact()
    await own.run(`update alert_contacts set ${change} where org_id = $1`)
    await own.fail()
    assert.equal(await own.plan(), 0)
    assert.deepEqual(await own.said(), [reason, reason, 1])
    await own.run(
      `update alert_contacts set enabled = true, confirmed_at = now(), states = '{DOWN}', channel = 'SLACK'
        where org_id = $1`,
    )
    assert.deepEqual(await own.said(), ['ON', 'ON', 0])
    assert.equal(await own.plan(), 1)
    assert.deepEqual(await own.said(), ['ALERTED', 'ON', 0])
  })

test('NO_DEVICE: a personal contact counts once its owner has a device', async () => {
  const own = await withMonitor()
  await own.contact()
  const { rows } = await own.run(
    `with u as (insert into users (id, email, name)
       select new_uuid(), 'ana@example.com', 'Ana' where $1::uuid is not null returning id)
     select id from u`,
  )
  const { id: owner } = rows[0] as { id: string }
  await own.run(`insert into members (org_id, user_id, role) values ($1, $2, 'MEMBER')`, [owner])
  await own.run(`update alert_contacts set owner_id = $2, channel = 'WEB_PUSH' where org_id = $1`, [
    owner,
  ])
  await own.fail()
  assert.equal(await own.plan(), 0)
  assert.deepEqual(await own.said(), ['NO_DEVICE', 'NO_DEVICE', 1])
  await own.run(
    `insert into push_devices (id, org_id, contact_id, name, endpoint_hash, subscription)
     select new_uuid(), org_id, id, 'Firefox on Linux', sha256('x'), 'x' from alert_contacts where org_id = $1`,
  )
  assert.deepEqual(await own.said(), ['ON', 'ON', 0])
})

test('contacts with different reasons: none of them is said of all', async () => {
  const own = await withMonitor()
  await own.contact()
  await own.run(`update alert_contacts set enabled = false where org_id = $1`)
  await own.fail()
  await own.contact()
  assert.equal(await own.plan(), 0)
  assert.deepEqual(await own.said(), ['MIXED', 'ON', 0])
})

test('escalation alone: it is coming until somebody acknowledges', async () => {
  const own = await withMonitor()
  await own.escalate(await own.contact(false))
  await own.fail()
  assert.deepEqual(await own.said(), ['ON', 'ON', 0])
  await own.run(
    `update incidents set acknowledged_at = now(), acknowledged_by_type = 'USER', acknowledged_by_id = new_uuid(),
            acknowledged_by_name = 'Ana' where org_id = $1`,
  )
  await own.run(
    `update alert_troubles set noticed_at = now() - interval '1 hour' where org_id = $1`,
  )
  assert.equal(await own.plan(), 0)
  assert.deepEqual(await own.said(), ['ACKNOWLEDGED', 'ON', 0])
})

test('an alert that was sent counts, also when its contact is detached or deleted afterward', async () => {
  const own = await withMonitor()
  const contactUuid = await own.contact()
  await own.fail()
  assert.equal(await own.plan(), 1)
  await own.run(`delete from monitor_alert_contacts where org_id = $1`)
  assert.deepEqual(await own.said(), ['ALERTED', 'NO_CONTACTS', 1])
  await own.run(
    `update deliveries set status = 'SUCCEEDED', next_attempt_at = null, completed_at = now(), last_attempt_at = now(),
            attempt_count = 1, last_response_status = 200 where org_id = $1`,
  )
  assert.equal(await settleSent(own.engine, 10), 1)
  await own.remove(contactUuid)
  assert.deepEqual(await own.said(), ['ALERTED', 'NO_CONTACTS', 1])
})
