// A success that got 200 while its recovery has to wait is kept, also if the process that received it is killed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client } from '../kit/client.ts'
import { type Database, openDatabase } from '../kit/database.ts'
import { toUuid } from '../kit/ids.ts'

const HOLD_SECONDS = 300
const LEFT_SECONDS = 5
const WITHIN_MS = 60_000
const KILLS = 3

let stack: Stack
let db: Database
let service: Service

before(async () => {
  stack = await startStack({ nats: false, env: { LOG_LEVEL: 'warn' } })
  db = openDatabase(stack.databaseUrl)
  service = await stack.start('start')
})
after(async () => {
  await db?.close()
  await stack?.stop()
})

test('a success that waits when the process is killed counts when its time comes', async () => {
  const api = new Client({ baseUrl: service.baseUrl, key: stack.keys.full, rateLimit: 120 })
  const { id, heartbeatUrl } = await api.createMonitor()
  const path = new URL(String(heartbeatUrl)).pathname
  await ping(path)
  await db.run(
    `insert into day_usage (org_id, day, kind, bytes)
     select id, day, 'EVENTS', 1e15 from organizations,
            generate_series((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 1, '1 day') day
     on conflict (org_id, day, kind) do update set bytes = excluded.bytes`,
  )
  for (let kills = 0; kills < KILLS; kills++) {
    await ping(`${path}/fail`)
    assert.equal((await stateOf(id)).state, 'DOWN')
    // As if it had been DOWN for almost as long as a recovery waits.
    await db.run(
      `update monitor_states set last_status_changed_at = now() - make_interval(secs => $2)
        where monitor_no = (select no from monitors where id = $1)`,
      [toUuid(id), HOLD_SECONDS - LEFT_SECONDS],
    )
    const sentMs = Date.now()
    await ping(path)
    const answeredMs = Date.now()
    await service.kill()
    assert.equal((await stateOf(id)).state, 'DOWN')
    service = await stack.start('start')
    await untilUp(id)
    const { resolvedAt } = await db.one<{ resolvedAt: Date }>(
      `select max(resolved_at) as "resolvedAt" from incidents`,
      [],
    )
    const resolvedMs = resolvedAt.getTime()
    assert.ok(
      resolvedMs >= sentMs - 50 && resolvedMs <= answeredMs + 50,
      `${resolvedMs - sentMs} ms`,
    )
  }
  api.close()
})

async function ping(path: string): Promise<void> {
  const response = await fetch(service.baseUrl + path)
  assert.equal(response.status, 200, await response.text())
}

const stateOf = (id: string) =>
  db.one<{ state: string }>(
    'select state from monitor_states where monitor_no = (select no from monitors where id = $1)',
    [toUuid(id)],
  )

async function untilUp(id: string): Promise<void> {
  const lastMs = Date.now() + WITHIN_MS
  while ((await stateOf(id)).state !== 'UP') {
    assert.ok(Date.now() < lastMs, 'the success was lost')
    await sleep(100)
  }
}
