// Three schedulers and three dispatchers: every change of state is published once. When all of them are killed while
// incidents are open, nothing is published again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Crew } from '../../fault/engine/crew.ts'
import { Client } from '../../kit/client.ts'
import { startProduct } from '../../kit/fixture.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { until } from './fixture.ts'
import { startReceiver } from './ledger.ts'

const MONITORS = 10
// Odd: all of them end down.
const FLIPS = 2 * Math.floor(Number(process.env['WEBHOOK_CHANGES'] ?? 30) / MONITORS / 2) + 1
const ENGINES = 3
const SETTLED_MS = 120_000
const ROLES = ['api', 'scheduler', 'dispatcher'] as const

const web = await startWeb()
const receiver = await startReceiver(() => ({ status: 200, delayMs: 0 }))
const fixture = await startProduct({ env: { SHARD_LEASE_SECONDS: '2' } })
const { api, db } = fixture
const crew = new Crew(fixture.stack)
const names: string[] = []
await crew.hire('probe', { command: 'probe' })
const baseUrl = await crew.hire('api', { command: 'api' })
names.push('api')
for (const command of ROLES.slice(1))
  for (let i = 0; i < ENGINES; i++) {
    names.push(`${command} ${i}`)
    await crew.hire(`${command} ${i}`, { command })
  }
const mortal = new Client({ baseUrl, key: fixture.keys.full, rateLimit: api.rateLimit })
after(async () => {
  await crew.stopAll()
  mortal.close()
  await fixture.stop()
  for (const { close } of [web, receiver]) await close()
})

type Watched = { id: string; page: Page }

test(`${MONITORS * FLIPS} changes of state: each published once, also when everything is killed and comes back`, async (t) => {
  const watched: Watched[] = []
  for (let i = 0; i < MONITORS; i++) {
    const page = web.page({})
    const fields = { type: 'HTTP', url: page.url, intervalSeconds: 30, timeoutSeconds: 5 }
    watched.push({ id: (await mortal.createMonitor(fields)).id, page })
  }
  for (const { id } of watched) await stateIs(id, 'UP')
  // Created now, so that earlier events have no receiver.
  const { secret } = await api.createEndpoint({ url: receiver.url })
  receiver.trust(secret)
  await Promise.all(watched.map((one) => flip(one, FLIPS)))
  await until('all deliveries', async () => (await pending()) === 0, SETTLED_MS)
  const storedEvents = await eventsOf()
  const states = storedEvents.filter(({ type }) => type === 'monitor.down' || type === 'monitor.up')
  const opened = storedEvents.filter(({ type }) => type === 'incident.opened').length
  const incidents = await db.count('incidents', 'true', [])
  assert.equal(states.length, MONITORS * FLIPS)
  assert.equal(opened, incidents)
  assert.equal(await db.count('incidents', 'resolved_at is null', []), MONITORS, 'all are down now')
  assert.equal(receiver.events.size, storedEvents.length, 'every event once under its id')

  // The processes that take over must not publish anything again.
  for (const name of names) await crew.kill(name)
  for (const name of names) crew.revive(name)
  await crew.allRunning()
  for (const { id } of watched) assert.equal((await check(id)).state, 'DOWN')
  await until('all deliveries', async () => (await pending()) === 0, SETTLED_MS)
  assert.equal((await eventsOf()).length, storedEvents.length, 'no new event')
  assert.equal(receiver.events.size, storedEvents.length, 'no new id')
  assert.deepEqual(receiver.faults, [])
  const requests = [...receiver.events.values()].reduce((sum, one) => sum + one.requests, 0)
  t.diagnostic(
    `${states.length} changes, ${incidents} incidents, ${storedEvents.length} events of which ${requests - storedEvents.length} came twice; ` +
      `${MONITORS} open incidents through a kill of ${names.length} processes`,
  )
})

/** Down and up alternately, each detected by a check. It ends down. */
async function flip({ id, page }: Watched, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const isDown = i % 2 === 0
    page.become({ status: isDown ? 503 : 200 })
    await until(`${id} to change`, async () => {
      const { state } = await check(id)
      return state === (isDown ? 'DOWN' : 'UP')
    })
  }
}

async function check(id: string) {
  return until(`a check of ${id}`, async () => {
    const answer = await mortal.post(`/monitors/${id}/check`, {}).catch(() => undefined)
    return answer?.status === 200 && answer.monitor
  })
}

const stateIs = (id: string, state: string) =>
  until(`${id} ${state}`, async () => (await api.getMonitor(id)).state === state)

const pending = () => db.count('deliveries', `status = 'PENDING'`, [])

const eventsOf = () =>
  db.run<{ type: string }>(
    `select e.type from events e
      where exists (select from deliveries d where d.event_id = e.id and d.channel = 'WEBHOOK')`,
  )
