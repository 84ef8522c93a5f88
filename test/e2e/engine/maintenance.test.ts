// Inside a maintenance window monitors are checked but send nothing: every sequence of states through one, and the
// events published.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const addresses = new Map<string, string>()
const dns = await startDnsServer(({ name, type }) => {
  const data = type === 'A' ? addresses.get(name) : undefined
  return data === undefined ? undefined : { answers: [{ name, type: 'A', data, ttl: 0 }] }
})
const web = await startWeb()
const engine = await startEngine({ nats: false, env: { PROBE_DNS_SERVERS: dns.address } })
after(async () => {
  await engine.stop()
  await web.close()
  dns.close()
})

/** The scheduler inserts such rows when a window starts. */
async function openWindow(id: string, secondsAgo = 0): Promise<void> {
  await engine.db.run(
    `insert into maintenance_spans (monitor_no, started_at, window_id)
     select no, now() - make_interval(secs => $2), new_uuid() from monitors where id = $1`,
    [toUuid(id), secondsAgo],
  )
  await delay(50)
}

async function closeWindow(id: string): Promise<string> {
  const { at } = await engine.db.one<{ at: Date }>(
    `update maintenance_spans set ended_at = now()
      where monitor_no = (select no from monitors where id = $1) returning ended_at as at`,
    [toUuid(id)],
  )
  await delay(50)
  return at.toISOString()
}

const DOWN = ['monitor.down', 'incident.opened']

/** The events published by the check before the window, the one inside it and the one after it. */
type Row = [before: boolean, during: boolean, after: boolean, eventTypes: string[][]]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // up?  up?    up?     before          during                 after
  [true,  true,  true,  [['monitor.up'], [],                    []]],
  [true,  true,  false, [['monitor.up'], [],                    DOWN]],
  [true,  false, true,  [['monitor.up'], [],                    ['monitor.up']]],
  [true,  false, false, [['monitor.up'], [],                    ['incident.opened']]], // already DOWN
  [false, true,  true,  [DOWN,           ['incident.resolved'], []]],
  [false, true,  false, [DOWN,           ['incident.resolved'], DOWN]],
  [false, false, true,  [DOWN,           [],                    ['monitor.up', 'incident.resolved']]],
  [false, false, false, [DOWN,           [],                    []]],
]
const word = (isUp: boolean) => (isUp ? 'UP' : 'DOWN')

describe('before, in and after a window', { concurrency: 8 }, () => {
  for (const [before, during, behind, eventTypes] of rows)
    test(`${word(before)}, ${word(during)}, ${word(behind)}: ${eventTypes.flat().join(', ')}`, async () => {
      const page = web.page({ status: before ? 200 : 404 })
      const { id, state } = await engine.createChecked({ type: 'HTTP', url: page.url })
      const phases = [await engine.eventTypesOf(id)]
      const states = [state]
      await openWindow(id)
      for (const isUp of [during, behind]) {
        const closedAt = phases.length === 1 ? undefined : await closeWindow(id)
        page.become({ status: isUp ? 200 : 404 })
        states.push((await engine.check(id)).state)
        phases.push((await engine.eventTypesOf(id)).slice(phases.flat().length))
        if (closedAt !== undefined) await assertOwnTime(id, closedAt, phases.at(-1) ?? [])
      }
      assert.deepEqual(phases, eventTypes)
      assert.deepEqual(states, [before, during, behind].map(word), 'the state follows all the same')
    })
})

/** An incident that opens after a window did not start inside it. */
async function assertOwnTime(
  id: string,
  closedAt: string,
  eventTypes: readonly string[],
): Promise<void> {
  if (!eventTypes.includes('incident.opened')) return
  const [newest] = await engine.incidentsOf(id)
  assert.ok((newest?.startedAt ?? '') >= closedAt)
}

describe('inside a window', { concurrency: 4 }, () => {
  test('a monitor that fails from its first check on opens nothing', async () => {
    const page = web.page({ status: 404, delayMs: 800 })
    const { id } = await engine.create({ type: 'HTTP', url: page.url })
    await openWindow(id, 5)
    await engine.until(id, ({ state }) => state === 'DOWN')
    assert.deepEqual(await engine.eventTypesOf(id), [])
    assert.deepEqual(await engine.incidentsOf(id), [])
  })

  test('a check belongs to the window its first attempt lies in, not its end', async () => {
    const page = web.page({})
    const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
    page.become({ status: 404, delayMs: 1000 })
    const checking = engine.check(id)
    await delay(500)
    await openWindow(id)
    assert.equal((await checking).state, 'DOWN')
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up', ...DOWN])
  })

  test('another monitor is not silenced', async () => {
    const [silent, loud] = [web.page({}), web.page({})]
    const { id } = await engine.createChecked({ type: 'HTTP', url: silent.url })
    const other = await engine.createChecked({ type: 'HTTP', url: loud.url })
    await openWindow(id)
    loud.become({ status: 404 })
    await engine.check(other.id)
    assert.deepEqual(await engine.eventTypesOf(other.id), ['monitor.up', ...DOWN])
  })

  test('CRON: a deadline inside it is missed in silence; the ping after it is published', async () => {
    const cron = { type: 'CRON', expectedPeriodSec: 60, graceSeconds: 0 }
    const monitor = await engine.create(cron)
    await openWindow(monitor.id, 600)
    await ageClock(monitor.id, 120)
    await engine.until(monitor.id, ({ state }) => state === 'DOWN')
    assert.deepEqual(await engine.eventTypesOf(monitor.id), [])
    assert.deepEqual(await engine.incidentsOf(monitor.id), [])
    await closeWindow(monitor.id)
    await fetch(monitor.heartbeatUrl ?? '')
    assert.deepEqual(await engine.eventTypesOf(monitor.id), ['monitor.up'])
  })

  test('a changed DNS answer is reported after it', async () => {
    const name = 'moved.example.test'
    addresses.set(name, '192.0.2.1')
    const { id } = await engine.createChecked({ type: 'DNS', url: name })
    await openWindow(id)
    addresses.set(name, '192.0.2.2')
    await engine.check(id)
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up'])
    await closeWindow(id)
    await engine.check(id)
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up', 'monitor.dns_changed'])
  })
})

async function ageClock(id: string, seconds: number): Promise<void> {
  await engine.db.run(
    `update monitor_states
        set heartbeat = jsonb_set(heartbeat, '{startedAt}', to_jsonb(
              ((heartbeat ->> 'startedAt')::timestamptz - make_interval(secs => $2)))),
            next_due_at = next_due_at - make_interval(secs => $2), due_unread = true
      where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(id), seconds],
  )
}
