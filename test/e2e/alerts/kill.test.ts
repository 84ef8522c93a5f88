// kill -9 of the dispatcher between planning and sending: no contact is missed, none is notified twice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const ROUNDS = Number(process.env['ALERT_KILL_ROUNDS'] ?? 1)
// Slow enough that no response arrives between the plan and the kill.
const RESPONSE_MS = 1_500

const web = await startWeb()
const fixture = await startAlertFixture()
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, standIn, db, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

let { dispatcher } = fixture

/** Kills at a random moment after the next message was planned; an even one only once it is in flight. */
async function killAfterPlan(planned: number): Promise<void> {
  await until(`message ${planned}`, async () => {
    return (await db.count('alert_messages', 'true', [])) === planned
  })
  if (planned % 2 === 0)
    await until('its attempt', async () => {
      return (await db.count('attempts', 'outcome is null', [])) > 0
    })
  await delay((Math.random() * RESPONSE_MS) / 2)
  await dispatcher.kill()
  const env = { BASE_URL: fixture.service.baseUrl }
  dispatcher = await fixture.stack.start('dispatcher', { env })
}

const isSettled = async () => (await db.count('deliveries', `status = 'PENDING'`, [])) === 0

test(`${2 * ROUNDS} kills, two to an outage: each beginning and each end is alerted once`, async (t) => {
  const url = `${standIn.origin}/own`
  await fixture.createContact({ channel: 'WEBHOOK', settings: { url } })
  standIn.delayMs = RESPONSE_MS
  const heard = (name: string, kind: string) =>
    standIn
      .at('/own')
      .filter(({ body }) => body['kind'] === kind && String(body['title']).startsWith(`${name} `))
  for (let round = 0; round < ROUNDS; round++) {
    const name = `Shop${round}`
    const page = web.page({ status: 500 })
    const fields = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5 }
    const wish = { ...fields, expectedPeriodSec: null, name, url: page.url }
    const { id } = await api.createMonitor(wish)
    await until('the outage', async () => (await api.getMonitor(id)).state === 'DOWN')
    await killAfterPlan(2 * round + 1)
    await until(`the alert of ${name}`, isSettled)
    page.become({})
    assert.equal((await api.post(`/monitors/${id}/check`, {})).status, 200)
    await killAfterPlan(2 * round + 2)
    await until(`the end of ${name}`, isSettled)
    for (const kind of ['DOWN', 'RECOVERED']) {
      const bodies = new Set(heard(name, kind).map(({ body }) => JSON.stringify(body)))
      assert.equal(bodies.size, 1, 'what comes twice is the same')
      const ids = new Set(heard(name, kind).map(({ headers }) => headers['webhook-id']))
      assert.equal(ids.size, 1, 'and says so by its id')
    }
  }
  const sent = await db.run<{ kind: string; n: number }>(
    'select kind, count(*)::integer as n from alert_messages group by kind order by kind',
  )
  assert.deepEqual(sent, [
    { kind: 'DOWN', n: ROUNDS },
    { kind: 'RECOVERED', n: ROUNDS },
  ])
  assert.equal(await db.count('deliveries', `status <> 'SUCCEEDED'`, []), 0, 'nobody is forgotten')
  const lost = await db.count('attempts', `error_code = 'WORKER_LOST'`, [])
  t.diagnostic(`${standIn.at('/own').length} requests, ${lost} attempts lost`)
  assert.ok(lost > 0, 'no kill hit an attempt: nothing was tried')
})
