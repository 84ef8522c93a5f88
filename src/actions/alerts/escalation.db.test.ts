// Escalation in the database: which contacts an outage takes along when it begins, and when each step becomes a message.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { outageCondition } from '../../domain/alerts/condition.ts'
import type { EscalationTarget } from '../../domain/alerts/escalation.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { insertConditions } from '../../store/alerts/conditions.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { createMonitor } from '../monitors/create.ts'
import { setMonitorTags } from '../tags/set.ts'
import { createAlertContact } from './create-contact.ts'
import { deleteAlertContact } from './delete-contact.ts'
import { planAlerts } from './plan-alerts.ts'
import { putEscalation } from './put-escalation.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
const WAY = { baseUrl: 'https://up.example', canMail: false }

async function openOrganization() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  const timing = { holdMs: 0, togetherMs: 0 }
  const deps = { database: engine, secrets, baseUrl: 'https://up.example', timing }
  return {
    admin,
    contact: (name: string, monitors: readonly string[] = []) =>
      tenants.transaction(orgId, async (tx) => {
        const settings = { url: 'https://hooks.example/x' }
        const wish = { name, channel: 'SLACK' as const, settings, enabled: true, rules: RULES }
        return (await createAlertContact(tx, wish, monitors, WAY)).uuid
      }),
    removeContact: (uuid: string) =>
      tenants.transaction(orgId, (tx) => deleteAlertContact(tx, uuid)),
    monitor: (name: string, tags: readonly string[] = []) =>
      tenants.transaction(orgId, async (tx) => {
        const monitor = await createMonitor(tx, sampleSettings({ name }))
        const change = await setMonitorTags(tx, monitor.uuid, tags)
        return { monitor, tagUuids: (change?.after ?? []).map(({ uuid }) => uuid) }
      }),
    put: (target: EscalationTarget, ...steps: [afterMinutes: number, ...contacts: string[]][]) =>
      tenants.transaction(orgId, (tx) =>
        putEscalation(
          tx,
          target,
          steps.map(([afterMinutes, ...contactUuids]) => ({ afterMinutes, contactUuids })),
        ),
      ),
    async fail(monitor: Monitor): Promise<string> {
      const { rows } = await admin.query<{ id: string }>(
        `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
         values (new_uuid(), $1, $2, now(), 'x', 'TIMEOUT') returning id`,
        [orgId, monitor.uuid],
      )
      const uuid = rows[0]?.id ?? ''
      await tenants.transaction(orgId, async (tx) => {
        const condition = outageCondition(monitor, { uuid, startedAt: tx.now, cause: 'x' })
        const own = { id: tx.newUuid(), orgId, traceparent: undefined }
        await insertConditions(tx, [{ ...condition, ...own }])
      })
      await admin.query(`update monitor_states set state = 'DOWN' where monitor_no = $1`, [
        monitor.no,
      ])
      return uuid
    },
    /** As if the outage had begun that much earlier; then plans once. */
    async pass(minutes: number): Promise<number | undefined> {
      await admin.query(
        `update alert_troubles set noticed_at = noticed_at - make_interval(mins => $2) where org_id = $1`,
        [orgId, minutes],
      )
      return planAlerts(deps, orgId)
    },
    /** The names of those alerted, in order. */
    async alerted(): Promise<string[]> {
      const { rows } = await admin.query<{ name: string }>(
        `select c.name from alert_messages m join alert_contacts c on c.id = m.contact_id
          where m.org_id = $1 order by m.delivery_id`,
        [orgId],
      )
      return rows.map(({ name }) => name)
    },
    /** Minutes until the planner looks again; null if nothing is due. */
    async nextMinutes(): Promise<number | null> {
      const { rows } = await admin.query<{ minutes: number | null }>(
        `select case when look_at < 'infinity' then round(extract(epoch from look_at - now()) / 60)::integer end
                as minutes from alert_troubles where org_id = $1 and done_at is null`,
        [orgId],
      )
      return rows[0]?.minutes ?? null
    },
  }
}

const monitorTarget = ({ uuid }: Monitor): EscalationTarget => ({ kind: 'MONITOR', uuid })

test('a monitor without attached contacts: its steps alone, each when it is due, scheduled in its row', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  const [ben, cleo] = [await org.contact('Ben'), await org.contact('Cleo')]
  await org.put(monitorTarget(monitor), [5, ben], [20, cleo])
  await org.fail(monitor)
  assert.equal(await org.pass(0), 0)
  assert.equal(await org.nextMinutes(), 5)
  assert.equal(await org.pass(5), 1)
  assert.equal(await org.nextMinutes(), 15)
  assert.equal(await org.pass(0), 0, 'once')
  assert.equal(await org.pass(15), 1)
  assert.deepEqual(await org.alerted(), ['Ben', 'Cleo'])
  assert.equal(await org.nextMinutes(), null)
})

test('an acknowledged incident alerts nobody else', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  await org.put(monitorTarget(monitor), [5, await org.contact('Ben')])
  const incident = await org.fail(monitor)
  await org.admin.query(
    `update incidents set acknowledged_at = now(), acknowledged_by_type = 'API_KEY',
            acknowledged_by_id = new_uuid(), acknowledged_by_name = 'Key' where id = $1`,
    [incident],
  )
  assert.equal(await org.pass(60), 0)
})

test("a tag's policy counts for every monitor that has it, unless the monitor has its own", async () => {
  const org = await openOrganization()
  // A new monitor is attached to every contact, so these come first.
  const tagged = await org.monitor('Tagged', ['Production', 'EU'])
  const own = await org.monitor('Own', ['Production'])
  const free = await org.monitor('Free')
  const names = ['Ben', 'Cleo', 'Dora']
  const [ben = '', cleo = '', dora = ''] = await Promise.all(names.map((one) => org.contact(one)))
  const [eu = '', production = ''] = tagged.tagUuids
  await org.put({ kind: 'TAG', uuid: production }, [10, ben], [20, cleo])
  await org.put({ kind: 'TAG', uuid: eu }, [5, cleo])
  await org.put(monitorTarget(own.monitor), [5, dora])
  for (const { monitor } of [tagged, own, free]) await org.fail(monitor)
  assert.equal(await org.pass(5), 2, 'Cleo by the earlier of two steps, Dora')
  assert.equal(await org.pass(5), 1)
  assert.equal(await org.pass(60), 0)
  assert.deepEqual((await org.alerted()).toSorted(), ['Ben', 'Cleo', 'Dora'])
})

test('a policy that changes in an outage: new times count, new contacts wait for the next outage', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  const [ben, cleo] = [await org.contact('Ben'), await org.contact('Cleo')]
  await org.put(monitorTarget(monitor), [30, ben])
  await org.fail(monitor)
  assert.equal(await org.pass(0), 0)
  await org.put(monitorTarget(monitor), [5, ben], [6, cleo])
  assert.equal(await org.nextMinutes(), 0, 'it is planned again')
  assert.equal(await org.pass(7), 1)
  assert.deepEqual(await org.alerted(), ['Ben'])
})

test('a deleted contact and a removed step are not alerted', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  const names = ['Ana', 'Ben', 'Cleo']
  const [ana = '', ben = '', cleo = ''] = await Promise.all(names.map((name) => org.contact(name)))
  await org.put(monitorTarget(monitor), [5, ana], [6, ben], [7, cleo])
  await org.fail(monitor)
  await org.removeContact(ana)
  await org.put(monitorTarget(monitor), [7, cleo])
  assert.equal(await org.pass(60), 1)
  assert.deepEqual(await org.alerted(), ['Cleo'])
})

test('an attached contact that is also in a step gets one message', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  const ana = await org.contact('Ana', [monitor.uuid])
  await org.put(monitorTarget(monitor), [5, ana])
  await org.fail(monitor)
  assert.equal(await org.pass(0), 1)
  assert.equal(await org.pass(60), 0)
})

test('planners at the same time send each step once', async () => {
  const org = await openOrganization()
  const { monitor } = await org.monitor('Shop')
  await org.put(monitorTarget(monitor), [5, await org.contact('Ben')])
  await org.fail(monitor)
  await org.pass(4)
  await Promise.all(Array.from({ length: 6 }, () => org.pass(1)))
  assert.deepEqual(await org.alerted(), ['Ben'])
})
