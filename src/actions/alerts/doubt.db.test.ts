// Silence that begins while a region's doubt is over becomes one message, decided by what is in the database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { outageCondition } from '../../domain/alerts/condition.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { toEventMonitor } from '../../domain/events/event.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { regionNo } from '../../store/history/results.ts'
import { recordReceiving } from '../../store/monitors/ping-receipt.ts'
import { endDoubt, findOpenDoubts, raiseDoubt } from '../../store/monitors/region-doubts.ts'
import { publishAll } from '../events/publish.ts'
import { createMonitor } from '../monitors/create.ts'
import { createAlertContact } from './create-contact.ts'
import { planAlerts } from './plan-alerts.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const WAY = { baseUrl: 'https://up.example', canMail: false }
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

async function openFixture() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const deps = {
    database: engine,
    secrets: new OrganizationSecrets(database.masterKeys),
    baseUrl: 'https://up.example',
    timing: { holdMs: 0, togetherMs: 0 },
  }
  const contact = {
    name: 'Ops',
    channel: 'SLACK' as const,
    settings: { url: 'https://hooks.example/x' },
    enabled: true,
    rules: { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null },
  }
  await tenants.transaction(orgId, (tx) => createAlertContact(tx, contact, 'ALL', WAY))
  const region = await regionNo(engine, 'eu')
  return {
    admin,
    engine,
    region,
    plan: () => planAlerts(deps, orgId),
    monitor: (name: string) =>
      tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings({ name }))),
    raise: (since: number, ends: number) =>
      raiseDoubt(engine, 'eu', { since: ago(since), raisedAt: ago(since - 1), endsAt: ago(ends) }),
    /** An incident as the recording of a check opens it. */
    async down(monitor: Monitor, cause: CauseCode, where: number | null = region) {
      const { rows } = await admin.query<{ id: string; at: Date }>(
        `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
         values (new_uuid(), $1, $2, now() - interval '4 minutes', 'Timed out after 10 s', $3)
         returning id, started_at as at`,
        [orgId, monitor.uuid, cause],
      )
      const [incident] = rows
      const startedAt = incident?.at ?? new Date()
      const failure = { cause, bytesSent: false, controlReached: null }
      const outcome = { result: 'FAILED' as const, failure, failedSince: startedAt }
      await admin.query(`update monitor_states set state = 'DOWN' where monitor_no = $1`, [
        monitor.no,
      ])
      await engine.transaction(undefined, (tx) =>
        publishAll(tx, [
          {
            orgId,
            draft: {
              type: 'monitor.down',
              at: tx.now,
              data: { monitor: toEventMonitor(monitor) },
            },
            condition: outageCondition(
              monitor,
              { uuid: incident?.id ?? '', startedAt, cause: 'Timed out after 10 s' },
              { outcome, regionNo: where },
            ),
          },
        ]),
      )
    },
    async recover(monitor: Monitor) {
      await admin.query(
        `update incidents set resolved_at = now(), resolution = 'RECOVERED' where monitor_id = $1`,
        [monitor.uuid],
      )
      await admin.query(
        `update monitor_states set state = 'UP', last_checked_at = now() where monitor_no = $1`,
        [monitor.no],
      )
    },
    async told(): Promise<string[]> {
      const { rows } = await admin.query<{ kind: string; title: string }>(
        'select kind, title from alert_messages where org_id = $1 order by delivery_id',
        [orgId],
      )
      return rows.map(({ kind, title }) => `${kind} ${title}`)
    },
  }
}

test('one message for what fell silent while the doubt was over, and one when it is over', async () => {
  const { monitor, raise, down, plan, recover, told, engine } = await openFixture()
  const [a, b, c] = [await monitor('A'), await monitor('B'), await monitor('C')]
  await raise(200, 20)
  await down(a, 'TIMEOUT')
  await down(b, 'CONNECTION_FAILED')
  assert.equal(await plan(), 1)
  await down(c, 'PING_NO_REPLY')
  assert.equal(await plan(), 0, 'it joins')

  await endDoubt(engine, 'eu', new Date())
  await recover(a)
  assert.equal(await plan(), 0, 'the others are not checked yet')
  await recover(b)
  await recover(c)
  assert.equal(await plan(), 1)
  assert.deepEqual(await told(), [
    'DOWN No answer from 2 of your 3 monitors',
    'RECOVERED 3 monitors on shop.example are up again',
  ])
})

// biome-ignore format: a table is read by its columns
const OUTSIDE: [why: string, cause: CauseCode, where: 'eu' | 'us' | 'pings', ends: number, isJoined: boolean][] = [
  ['silence in its region',                      'TIMEOUT',            'eu',    20,  true],
  ['a refused connection',                       'CONNECTION_REFUSED', 'eu',    20,  false],
  ['an error of the target',                     'UNEXPECTED_STATUS',  'eu',    20,  false],
  ['silence in another region',                  'TIMEOUT',            'us',    20,  false],
  ['silence that was decided before its end',    'TIMEOUT',            'eu',    -60, false],
  ['a missed heartbeat, where pings arrive',     'HEARTBEAT_MISSED',   'pings', 20,  true],
]
for (const [why, cause, where, ends, isJoined] of OUTSIDE)
  test(`${why} ${isJoined ? 'joins the doubt' : 'is told by itself'}`, async () => {
    const { monitor, raise, down, plan, told, engine, admin, region } = await openFixture()
    const other = await regionNo(engine, 'us')
    await recordReceiving(engine, 'eu')
    const [a, b] = [await monitor('A'), await monitor('B')]
    await raise(200, 20)
    await down(a, 'TIMEOUT')
    await plan()
    if (ends !== 20)
      await admin.query(`update region_doubts set ends_at = now() + interval '1 minute'`)
    await down(b, cause, where === 'pings' ? null : where === 'eu' ? region : other)
    await plan()
    assert.deepEqual(await told(), ['DOWN A is down', ...(isJoined ? [] : ['DOWN B is down'])])
  })

test('a region has one doubt at a time, and a pass that began before it does not end it', async () => {
  const { raise, engine } = await openFixture()
  await raise(200, 20)
  await raise(100, -80)
  const open = await findOpenDoubts(engine)
  assert.equal(
    open.get('eu')?.endsAt.getTime() ?? 0,
    Math.min(open.get('eu')?.endsAt.getTime() ?? 0, Date.now()),
  )
  await endDoubt(engine, 'eu', ago(250))
  assert.equal((await findOpenDoubts(engine)).size, 1)
  await endDoubt(engine, 'eu', ago(10))
  assert.equal((await findOpenDoubts(engine)).size, 0)
  await raise(50, -130)
  assert.equal((await findOpenDoubts(engine)).size, 0, 'addresses that were asked before the pass')
})

test('while the region that receives pings is in doubt, the record of receiving them stands still', async () => {
  const { raise, engine, admin } = await openFixture()
  const until = async () => {
    const { rows } = await admin.query<{ until: Date }>('select until from ping_receipt')
    return rows[0]?.until.getTime() ?? 0
  }
  await regionNo(engine, 'us')
  await recordReceiving(engine, 'eu')
  await recordReceiving(engine, 'us')
  const before = await until()
  await raise(10, -170)
  await recordReceiving(engine, 'eu')
  assert.equal(await until(), before)
  await recordReceiving(engine, 'us')
  assert.ok((await until()) > before, 'others still receive them')

  const standing = await until()
  await admin.query(`update ping_receipt set until = until - interval '9 seconds'`)
  await admin.query(`update region_doubts set ends_at = now() - interval '1 second'`)
  await recordReceiving(engine, 'eu')
  assert.ok((await until()) > standing, 'when the doubt is over, silence counts again')
  const { rows } = await admin.query('select 1 from ping_outages')
  assert.equal(rows.length, 1, 'and the time of the doubt is our own downtime')
})
