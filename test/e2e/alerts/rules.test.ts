// What each contact asked for: which states, how late, how often again, and when not. Minutes pass in the database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertBench } from './bench.ts'

const ZONE = 'Asia/Kolkata'

const web = await startWeb()
const bench = await startAlertBench({
  ALERT_HOLD_SECONDS: '1',
  ALERT_TOGETHER_SECONDS: '2',
})
await Promise.all([bench.stack.start('scheduler'), bench.stack.start('probe')])
const { api, admin, contacts, standIn, sink, db, until } = bench
after(async () => {
  await bench.stop()
  await web.close()
})

const FIELDS = { intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }
const create = async (name: string, fields: Record<string, unknown>) =>
  (await api.createMonitor({ ...FIELDS, name, ...fields })).id
const check = async (id: string) => (await api.post(`/monitors/${id}/check`, {})).monitor

const contact = (name: string, rules: Record<string, unknown> = {}) =>
  bench.createContact({
    name,
    channel: 'WEBHOOK',
    settings: { url: `${standIn.origin}/own/${name}` },
    ...rules,
  })
/** `DOWN Shop is down`, in the order they came. */
const told = (name: string, about: string) =>
  standIn
    .at(`/own/${name}`)
    .map(({ body }) => `${body['kind']} ${body['title']}`)
    .filter((line) => line.includes(about))
const hears = (name: string, about: string, count: number) =>
  until(`${name} to hear ${count} about ${about}`, async () => {
    const lines = told(name, about)
    return lines.length >= count && lines
  })

/** Everything that was noticed and told is so many minutes older; ends when somebody has looked at it. */
async function pass(minutes: number): Promise<void> {
  await db.run(
    `with tellings as (
       update alert_tellings set told_at = told_at - make_interval(mins => $1),
                                 reminded_at = reminded_at - make_interval(mins => $1)
     )
     update alert_troubles set noticed_at = noticed_at - make_interval(mins => $1), look_at = now()
      where done_at is null`,
    [minutes],
  )
  await until('a look', async () => {
    return (await db.count('alert_troubles', 'done_at is null and look_at <= now()', [])) === 0
  })
}

const wallClock = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: ZONE }).format(
    Date.now() + hours * 3_600_000,
  )
const quiet = (from: number, to: number) => ({
  quietHours: { from: wallClock(from), to: wallClock(to), timezone: ZONE },
})

test('delay, reminders until it is taken, quiet hours; the end to exactly those who were told', async () => {
  const names = ['plain', 'remind', 'late', 'quiet', 'asleep']
  await contact('plain')
  await contact('remind', { reminderMinutes: 5 })
  await contact('late', { delayMinutes: 10 })
  const quietId = await contact('quiet', quiet(-2, 2))
  const asleepId = await contact('asleep', quiet(-2, 2))
  await bench.createContact({ channel: 'EMAIL', settings: { address: 'ops@example.com' } })
  const page = web.page({ status: 503, body: '<h1>upstream connect error</h1>' })
  const id = await create('Shop', { type: 'HTTP', url: page.url })

  await Promise.all([hears('plain', 'Shop', 1), hears('remind', 'Shop', 1)])
  await pass(5)
  await hears('remind', 'Shop', 2)
  await pass(5)
  await Promise.all([hears('remind', 'Shop', 3), hears('late', 'Shop', 1)])
  assert.deepEqual(told('quiet', 'Shop'), [])

  const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
  const taken = await api.post(`/incidents/${data[0]?.id}/acknowledge`, { note: 'Rollback' })
  assert.equal(taken.status, 200, taken.text)
  await pass(30)
  await admin.patch(`${contacts}/${quietId}`, quiet(3, 4))
  await hears('quiet', 'Shop', 1)

  page.become({})
  assert.equal((await check(id)).state, 'UP')
  await Promise.all(['plain', 'late', 'quiet'].map((name) => hears(name, 'Shop', 2)))
  await hears('remind', 'Shop', 4)
  await admin.patch(`${contacts}/${asleepId}`, { quietHours: null })
  await until('all to be done', async () => {
    return (await db.count('alert_troubles', 'done_at is null', [])) === 0
  })
  const [down, still, end] = [
    'DOWN Shop is down',
    'REMINDER Shop is still down',
    'RECOVERED Shop is up again',
  ]
  assert.deepEqual(
    names.map((name) => told(name, 'Shop')),
    [[down, end], [down, still, still, end], [down, end], [down, end], []],
  )

  const [mail] = await until('the mail', async () => {
    const all = sink.to('ops@example.com')
    return all.length > 0 && all
  })
  assert.match(mail?.text ?? '', /^Seen from: default, in \d attempts within \d+ s$/m)
  assert.doesNotMatch(mail?.text ?? '', /upstream/, 'what a private address answers stays there')
})
