// Our own downtime is not a missed ping: CRON deadlines move by the time in which no ping could be received.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../../tools/stack.ts'
import { toUuid } from '../../kit/ids.ts'
import type { Monitor } from '../../kit/shapes.ts'
import { Engine, startEngine } from '../engine/fixture.ts'
import { until } from '../webhooks/fixture.ts'

const PERIOD = { type: 'CRON', expectedPeriodSec: 60, graceSeconds: 0 }
const DOWN_MS = 63_000
const OBSERVED_MS = 4000
const FIVE_MINUTES = 300

let engine = await startEngine({ nats: false, env: { SHARD_LEASE_SECONDS: '2' } })
after(() => engine.stop())

async function ping({ heartbeatUrl }: Monitor): Promise<void> {
  // The service restarts at another address.
  const { pathname } = new URL(heartbeatUrl ?? '')
  assert.equal((await fetch(engine.service.baseUrl + pathname)).status, 200)
}

async function killFor(milliseconds: number, meanwhile = async () => {}): Promise<void> {
  const { stack, service } = engine
  await service.kill()
  await Promise.all([sleep(milliseconds), meanwhile()])
  engine.api.close()
  await engine.db.close()
  const started: Service = await stack.start('start')
  engine = new Engine(stack, started)
}

/** Moves everything stored about the monitor and about receiving pings that far into the past. */
async function age({ id }: Monitor, seconds: number, { withReceipt = false } = {}): Promise<void> {
  const monitor = 'monitor_no = (select no from monitors where id = $1)'
  await engine.db.run(
    `update monitor_states set due_unread = true,
            next_due_at = next_due_at - make_interval(secs => $2),
            last_slot = last_slot - make_interval(secs => $2),
            heartbeat = heartbeat
              || jsonb_build_object('startedAt', to_char(((heartbeat->>'startedAt')::timestamptz
                   - make_interval(secs => $2)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              || jsonb_build_object('lastPing', (heartbeat->'lastPing')
                   || jsonb_build_object('at', to_char(((heartbeat->'lastPing'->>'at')::timestamptz
                   - make_interval(secs => $2)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      where ${monitor}`,
    [toUuid(id), seconds],
  )
  await engine.db.run(
    `update ping_outages set started_at = started_at - make_interval(secs => $1),
            ended_at = ended_at - make_interval(secs => $1)`,
    [seconds],
  )
  if (!withReceipt) return
  await engine.db.run(`update ping_receipt set until = until - make_interval(secs => $1)`, [
    seconds,
  ])
}

async function assertStaysUp({ id }: Monitor): Promise<void> {
  const endMs = performance.now() + OBSERVED_MS
  while (performance.now() < endMs) {
    assert.equal((await engine.api.getMonitor(id)).state, 'UP')
    await sleep(100)
  }
  assert.deepEqual(await engine.incidentsOf(id), [])
}

async function outages(): Promise<{ seconds: number }[]> {
  return engine.db.run(
    `select extract(epoch from ended_at - started_at)::float8 as seconds from ping_outages order by id`,
  )
}

test('killed for longer than period and grace: the job stays UP, and DOWN follows a ping that is really missed', async () => {
  const monitor = await engine.create(PERIOD)
  await ping(monitor)
  const pingedAt = Date.parse((await engine.api.getMonitor(monitor.id)).lastCheckedAt ?? '')
  await killFor(DOWN_MS)
  await assertStaysUp(monitor)
  const [outage, ...more] = await outages()
  assert.ok(outage !== undefined && more.length === 0)
  assert.ok(outage.seconds >= DOWN_MS / 1000, `${outage.seconds} s`)

  await ping(monitor)
  await age(monitor, 61)
  await engine.until(monitor.id, ({ state }) => state === 'DOWN')
  const { startedAt, causeCode } = await engine.incidentOf(monitor.id)
  assert.equal(causeCode, 'HEARTBEAT_MISSED')
  assert.ok(Date.parse(startedAt) > pingedAt + DOWN_MS - 61_000)
})

test('a restored dump of five minutes ago: nobody is called down for the time since', async () => {
  const monitor = await engine.create(PERIOD)
  await ping(monitor)
  const { lastCheckedAt } = await engine.api.getMonitor(monitor.id)
  await killFor(0, () => age(monitor, FIVE_MINUTES, { withReceipt: true }))
  const due = await until('the deadline to be moved', () => findFutureDue(monitor))
  await assertStaysUp(monitor)
  const recorded = (await outages()).at(-1)
  assert.ok(recorded !== undefined && recorded.seconds > FIVE_MINUTES, `${recorded?.seconds} s`)
  const shiftedPingMs = Date.parse(lastCheckedAt ?? '') - FIVE_MINUTES * 1000
  const grantedSeconds = (due.getTime() - shiftedPingMs) / 1000 - recorded.seconds
  assert.ok(Math.abs(grantedSeconds - 60) < 1, `${grantedSeconds} s were granted`)
})

async function findFutureDue({ id }: Monitor): Promise<Date | undefined> {
  const [row] = await engine.db.run<{ due: Date }>(
    `select next_due_at as due from monitor_states
      where monitor_no = (select no from monitors where id = $1) and next_due_at > now()`,
    [toUuid(id)],
  )
  return row?.due
}
