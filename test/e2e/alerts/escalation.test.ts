// Escalation end to end: each step in its minute, acknowledgement and recovery stop it, quiet hours hold it back, and no
// step is lost when the dispatcher is killed. Minutes pass in the database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const KILLS = Number(process.env['ESCALATION_KILLS'] ?? 3)
const ZONE = 'Asia/Kolkata'

const web = await startWeb()
const fixture = await startAlertFixture({ ALERT_HOLD_SECONDS: '1', ALERT_TOGETHER_SECONDS: '2' })
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, admin, standIn, db, until } = fixture
const policies = `/organizations/${fixture.orgId}/escalation-policies`
after(async () => {
  await fixture.stop()
  await web.close()
})

let { dispatcher } = fixture

const contact = (name: string, rules: Record<string, unknown> = {}) =>
  fixture.createContact({
    name,
    channel: 'WEBHOOK',
    settings: { url: `${standIn.origin}/own/${name}` },
    allMonitors: false,
    ...rules,
  })

async function put(targetId: string, ...steps: [afterMinutes: number, ...contactIds: string[]][]) {
  const body = {
    steps: steps.map(([afterMinutes, ...contactIds]) => ({ afterMinutes, contactIds })),
  }
  const answer = await admin.request('PUT', `${policies}/${targetId}`, { body })
  assert.equal(answer.status, 200, answer.text)
}

/** A monitor whose page fails once it is told to. New monitors have all contacts, so they are detached. */
async function createMonitor(name: string) {
  const page = web.page({})
  const fields = {
    type: 'HTTP',
    intervalSeconds: 86_400,
    timeoutSeconds: 5,
    expectedPeriodSec: null,
  }
  const { id } = await api.createMonitor({ ...fields, name, url: page.url })
  await db.run('delete from monitor_alert_contacts')
  await until(`${name} to be up`, async () => (await api.getMonitor(id)).state === 'UP')
  const check = async () => (await api.post(`/monitors/${id}/check`, {})).monitor
  return {
    id,
    async fail() {
      page.become({ status: 503 })
      assert.equal((await check()).state, 'DOWN')
    },
    async recover() {
      page.become({})
      assert.equal((await check()).state, 'UP')
    },
    async acknowledge() {
      const { data } = (await api.get(`/incidents?monitorId=${id}&status=ONGOING`)).incidents
      const answer = await api.post(`/incidents/${data[0]?.id}/acknowledge`, {})
      assert.equal(answer.status, 200, answer.text)
    },
  }
}

const alertsTo = (name: string, about: string) =>
  standIn
    .at(`/own/${name}`)
    .map(({ body }) => `${body['kind']} ${body['title']}`)
    .filter((line) => line.includes(about))
const receives = (name: string, about: string, count: number) =>
  until(`${name} to get ${count} about ${about}`, async () => {
    return alertsTo(name, about).length >= count
  })

const isPlanned = async () =>
  (await db.count('alert_troubles', 'done_at is null and look_at <= now()', [])) === 0

/** The outages began that much earlier; the planner looks when it had scheduled to, moved by the same time. */
async function pass(minutes: number): Promise<void> {
  await db.run(
    `update alert_troubles set noticed_at = noticed_at - make_interval(mins => $1),
            look_at = case when look_at < 'infinity' then look_at - make_interval(mins => $1) else look_at end
      where done_at is null`,
    [minutes],
  )
  await until('the planner', isPlanned)
}

async function restart(): Promise<void> {
  const env = { BASE_URL: fixture.service.baseUrl }
  dispatcher = await fixture.stack.start('dispatcher', { env })
}

const wallClock = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: ZONE }).format(
    Date.now() + hours * 3_600_000,
  )

test('each step in its minute, by the schedule in the database; the end to exactly those who were alerted', async () => {
  const [ben, cleo, dora] = [await contact('ben'), await contact('cleo'), await contact('dora')]
  const shop = await createMonitor('Shop')
  await put(shop.id, [5, ben], [15, cleo], [60, dora])
  await shop.fail()
  await pass(4)
  assert.deepEqual(alertsTo('ben', 'Shop'), [])
  await pass(1)
  await receives('ben', 'Shop', 1)
  assert.deepEqual(alertsTo('cleo', 'Shop'), [])
  await pass(10)
  await receives('cleo', 'Shop', 1)
  const facts = standIn.at('/own/cleo')[0]?.body['facts'] as unknown[]
  assert.deepEqual(facts[0], {
    label: 'Escalation',
    value: 'Step 2, no acknowledgement in 15 min',
  })
  await shop.recover()
  await Promise.all([receives('ben', 'Shop', 2), receives('cleo', 'Shop', 2)])
  await pass(60)
  const told = ['DOWN Shop is down', 'RECOVERED Shop is up again']
  assert.deepEqual(
    ['ben', 'cleo', 'dora'].map((name) => alertsTo(name, 'Shop')),
    [told, told, []],
  )
})

test('an acknowledgement stops it, and the recovery still arrives', async () => {
  const [eve, finn] = [await contact('eve'), await contact('finn')]
  const blog = await createMonitor('Blog')
  await put(blog.id, [5, eve], [10, finn])
  await blog.fail()
  await pass(5)
  await receives('eve', 'Blog', 1)
  await blog.acknowledge()
  await pass(60)
  await blog.recover()
  await receives('eve', 'Blog', 2)
  assert.deepEqual(alertsTo('finn', 'Blog'), [])
})

test('quiet hours hold a step back; acknowledged meanwhile, it is not sent', async () => {
  const quietHours = { from: wallClock(-2), to: wallClock(2), timezone: ZONE }
  const gina = await contact('gina', { quietHours })
  const [wiki, forum] = [await createMonitor('Wiki'), await createMonitor('Forum')]
  await put(wiki.id, [5, gina])
  await put(forum.id, [5, gina])
  await wiki.fail()
  await forum.fail()
  await pass(30)
  await forum.acknowledge()
  assert.deepEqual(alertsTo('gina', ''), [])
  await admin.patch(`${fixture.contacts}/${gina}`, { quietHours: null })
  await receives('gina', 'Wiki', 1)
  assert.deepEqual(alertsTo('gina', 'Forum'), [])
  await Promise.all([wiki.recover(), forum.recover()])
  await receives('gina', 'Wiki', 2)
})

test("a tag's policy escalates every monitor that has it, in one message", async () => {
  const hugo = await contact('hugo')
  const [first, second] = [await createMonitor('Api'), await createMonitor('Api-2')]
  const made = await admin.post(`/organizations/${fixture.orgId}/tags`, { name: 'Edge' })
  const { id: tagId } = made.json as { id: string }
  for (const { id } of [first, second])
    await admin.post(`/organizations/${fixture.orgId}/monitors/${id}/tags`, { names: ['Edge'] })
  await put(tagId, [5, hugo])
  await Promise.all([first.fail(), second.fail()])
  await pass(6)
  await until('hugo', async () => standIn.at('/own/hugo').length > 0)
  await Promise.all([first.recover(), second.recover()])
  await until('the end', async () => {
    return standIn.at('/own/hugo').some(({ body }) => body['kind'] === 'RECOVERED')
  })
  const beginnings = standIn.at('/own/hugo').filter(({ body }) => body['kind'] === 'DOWN')
  const ids = new Set(beginnings.map(({ headers }) => headers['webhook-id']))
  assert.ok(ids.size <= 2, 'one for both, or one each if a check took long')
})

test(`${KILLS} kills of the dispatcher, while steps become due and while they are sent: none is lost, none comes twice`, async (t) => {
  const names = Array.from({ length: KILLS }, (_, at) => `kill-${at}`)
  const ids: string[] = []
  for (const name of names) ids.push(await contact(name))
  const mail = await createMonitor('Mail')
  await put(mail.id, ...ids.map((id, at): [number, string] => [5 * (at + 1), id]))
  await mail.fail()
  await until('the plan', isPlanned)
  for (const [at, name] of names.entries()) {
    // Odd ones fall due while nobody plans; even ones are killed at some moment around their message.
    if (at % 2 === 1) await dispatcher.kill()
    await db.run(
      `update alert_troubles set noticed_at = noticed_at - interval '5 minutes', look_at = look_at - interval '5 minutes'
        where done_at is null and look_at < 'infinity'`,
    )
    if (at % 2 === 0) {
      await delay(Math.random() * 800)
      await dispatcher.kill()
    }
    await restart()
    await receives(name, 'Mail', 1)
    const later = names.slice(at + 1).flatMap((other) => alertsTo(other, 'Mail'))
    assert.deepEqual(later, [], 'no step comes before its minute')
  }
  await mail.recover()
  for (const name of names) await receives(name, 'Mail', 2)
  for (const name of names) {
    const beginnings = standIn.at(`/own/${name}`).filter(({ body }) => body['kind'] === 'DOWN')
    assert.equal(new Set(beginnings.map(({ headers }) => headers['webhook-id'])).size, 1, name)
  }
  t.diagnostic(
    `${KILLS} steps, ${await db.count('attempts', `error_code = 'WORKER_LOST'`, [])} lost attempts`,
  )
})
