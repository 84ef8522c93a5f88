// Owners get one email that names all monitors without results, one when all have results again, and none in between,
// however many processes run.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import { JOINING_PAUSE_MS, RENEWED_PAUSE_MS } from '../../domain/alerts/owners/monitor-notice.ts'
import {
  countUnchecked,
  findDueNotices,
  noteChecked,
  noteUnchecked,
  SWEEP_START,
  sweepNotices,
} from '../../store/alerts/monitor-notices.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { createMonitor } from '../monitors/create.ts'
import { pauseMonitor } from '../monitors/pause.ts'
import { noteHomeFailures } from './note-home-failures.ts'
import { sendMonitorNotice } from './send-monitor-notice.ts'

const PAUSES = { joiningMs: JOINING_PAUSE_MS, renewedMs: RENEWED_PAUSE_MS }
const MANY = 100

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

async function open() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  const deps = { database: engine, secrets, baseUrl: 'https://up.example' }
  await admin.query(
    `with person as (
       insert into users (id, email, name) values (new_uuid(), 'ana@example.com', 'Ana') returning id
     ) insert into members (org_id, user_id, role) select $1, id, 'OWNER' from person`,
    [orgId],
  )
  await admin.query(`update organizations set timezone = 'Europe/Berlin' where id = $1`, [orgId])
  const run = (text: string, ...values: unknown[]) => admin.query(text, values)
  const due = () => findDueNotices(engine, PAUSES, MANY)
  const sweep = () => sweepNotices(engine, SWEEP_START, MANY)
  return {
    admin,
    engine,
    orgId,
    run,
    due,
    sweep,
    create: (name: string) =>
      tenants.transaction(orgId, async (tx) => {
        const { no, uuid } = await createMonitor(tx, sampleSettings({ name }))
        return { no, uuid }
      }),
    pause: (uuid: string) => tenants.transaction(orgId, (tx) => pauseMonitor(tx, uuid)),
    unchecked: (no: number, { reason = 'NO_PROBE', region = 'site-b', dueInMs = -1000 } = {}) =>
      noteUnchecked(engine, [
        {
          monitorNo: no,
          since: new Date('2026-11-14T13:05:00Z'),
          reason,
          region,
          notifyAt: new Date(Date.now() + dueInMs),
        },
      ]),
    async send() {
      await sweep()
      for (const one of await due()) await sendMonitorNotice(deps, one)
    },
    sendAll: (kind: 'NOT_CHECKED' | 'FAILS_FROM_HOME') => sendMonitorNotice(deps, { orgId, kind }),
    /** As if the last email were older. */
    age: (minutes: number) =>
      run(`update owner_notices set sent_at = sent_at - make_interval(mins => $1)`, minutes),
    async emails() {
      const { rows } = await admin.query<{ id: string; message: Buffer }>(
        `select id, message from deliveries where org_id = $1 and channel = 'EMAIL' order by id`,
        [orgId],
      )
      const read = ({ id, message }: (typeof rows)[number]) =>
        decryptMessage<AlertEmail>(engine, secrets, { orgId, deliveryId: id, message })
      return (await Promise.all(rows.map(read))).map(({ to, recipient, alert }) => ({
        to: `${recipient} ${to}`,
        ...alert,
      }))
    },
    async titles() {
      return (await this.emails()).map(({ title }) => title)
    },
  }
}

const AGAIN = 'All monitors are being checked again'

test('one email names all monitors, in the zone of the organization, however many processes send', async () => {
  const org = await open()
  const [shop, blog, later] = [
    await org.create('Shop'),
    await org.create('Blog'),
    await org.create('Later'),
  ]
  await org.unchecked(shop.no)
  await org.unchecked(blog.no)
  await org.unchecked(later.no, { dueInMs: 60_000 })
  await Promise.all(Array.from({ length: 6 }, () => org.sendAll('NOT_CHECKED')))
  await org.send()
  await org.unchecked(shop.no)
  await org.send()
  const [email, ...others] = await org.emails()
  assert.deepEqual(others, [])
  assert.equal(email?.to, 'OWNER ana@example.com')
  assert.equal(email?.title, '2 monitors are not being checked')
  assert.equal(email?.summary, 'Not checked since Sat, Nov 14, 14:05 CET: no probe in site-b')
  assert.deepEqual(email?.facts.map(({ label }) => label).toSorted(), ['Blog', 'Shop'])
})

test('a second email when all have results again, in the same thread, and none before', async () => {
  const org = await open()
  const [shop, blog] = [await org.create('Shop'), await org.create('Blog')]
  await org.unchecked(shop.no)
  await org.unchecked(blog.no)
  await org.send()
  await noteChecked(org.engine, [shop.no])
  await org.send()
  assert.deepEqual(await org.titles(), ['2 monitors are not being checked'])
  await noteChecked(org.engine, [blog.no])
  await org.send()
  await org.send()
  const emails = await org.emails()
  assert.deepEqual(
    emails.map(({ title }) => title),
    ['2 monitors are not being checked', AGAIN],
  )
  assert.equal(emails[0]?.thread, emails[1]?.thread)
  assert.deepEqual(await org.due(), [])
})

test('monitors that join are named after an hour; the same again after a quarter of one', async () => {
  const org = await open()
  const [shop, blog] = [await org.create('Shop'), await org.create('Blog')]
  await org.unchecked(shop.no)
  await org.send()
  await org.unchecked(blog.no)
  await org.age(59)
  assert.deepEqual(await org.due(), [], 'nobody looks at it before')
  await org.send()
  assert.deepEqual(await org.titles(), ['Shop is not being checked'])
  await org.age(2)
  await org.send()
  const joined = ['Shop is not being checked', 'Blog is not being checked']
  assert.deepEqual(await org.titles(), joined)
  await noteChecked(org.engine, [shop.no, blog.no])
  await org.send()
  await org.unchecked(shop.no)
  await org.send()
  assert.deepEqual(await org.titles(), [...joined, AGAIN])
  await org.age(16)
  await org.send()
  assert.deepEqual(await org.titles(), [...joined, AGAIN, 'Shop is not being checked'])
})

test('no email about monitors that are paused, deleted or unpaid, nor that they are checked again', async () => {
  const org = await open()
  const [paused, deleted, told] = [
    await org.create('Paused'),
    await org.create('Deleted'),
    await org.create('Told'),
  ]
  await org.unchecked(told.no)
  await org.send()
  await org.unchecked(paused.no)
  await org.unchecked(deleted.no)
  await org.pause(paused.uuid)
  await org.pause(told.uuid)
  await org.run('delete from monitors where no = $1', deleted.no)
  await org.age(120)
  await org.send()
  assert.deepEqual(await org.titles(), ['Told is not being checked'])
  const { rows } = await org.run('select is_open from owner_notices')
  assert.deepEqual(rows, [{ is_open: false }])

  const unpaid = await open()
  const shop = await unpaid.create('Shop')
  await unpaid.unchecked(shop.no)
  await unpaid.run(`update subscriptions set status = 'CANCELED' where org_id = $1`, unpaid.orgId)
  await unpaid.send()
  assert.deepEqual(await unpaid.titles(), [])
})

test('a restart: a result that nobody noted is found; so is a resume, without a word', async () => {
  const org = await open()
  const [checked, resumed] = [await org.create('Checked'), await org.create('Resumed')]
  await org.unchecked(checked.no)
  await org.send()
  await org.run(
    'update monitor_states set last_checked_at = now() where monitor_no = $1',
    checked.no,
  )
  await org.unchecked(resumed.no)
  await org.run(
    'update monitor_states set last_status_changed_at = now() where monitor_no = $1',
    resumed.no,
  )
  await org.send()
  await org.send()
  assert.deepEqual(await org.titles(), ['Checked is not being checked', AGAIN])
  assert.deepEqual((await org.run('select from monitor_notices')).rows, [])
})

test('a repeated note changes the reason and not the time; one after a newer result starts over', async () => {
  const org = await open()
  const { no } = await org.create('Shop')
  await org.unchecked(no)
  await org.send()
  const read = async () =>
    (
      await org.run(
        'select reason, region, notified_at is not null as told, notify_at from monitor_notices',
      )
    ).rows[0]
  const before = await read()
  await org.unchecked(no, { reason: 'EGRESS', region: 'site-c', dueInMs: 60_000 })
  assert.deepEqual(await read(), { ...before, reason: 'EGRESS', region: 'site-c' })
  const note = { monitorNo: no, reason: 'EGRESS', region: 'site-c' }
  const later = { since: new Date(), notifyAt: new Date(Date.now() + 60_000) }
  await noteUnchecked(org.engine, [{ ...note, ...later }])
  assert.deepEqual(await read(), {
    reason: 'EGRESS',
    region: 'site-c',
    told: false,
    notify_at: later.notifyAt,
  })
})

test('the operator gets the number of monitors by region, without those that are over or not due', async () => {
  const org = await open()
  const numbers = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) numbers.push((await org.create(name)).no)
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = numbers
  await org.unchecked(a)
  await org.unchecked(b)
  await org.unchecked(c, { region: 'site-c' })
  await org.unchecked(d, { dueInMs: 60_000 })
  await org.unchecked(e)
  await noteChecked(org.engine, [e])
  assert.deepEqual(await countUnchecked(org.engine, MANY), [
    { region: 'site-b', count: 2 },
    { region: 'site-c', count: 1 },
  ])
})

async function openHome() {
  const org = await open()
  const { no } = await org.create('Shop')
  await org.run(`insert into regions (name) values ('eu-west'), ('us-east')`)
  const lose = (minutes: number) =>
    org.run(
      `insert into region_proofs as p (org_id, monitor_no, region, passed_at, lost_at)
       select $1, $2, no, now(), date_trunc('milliseconds', now()) - make_interval(mins => $3)
         from regions where name = 'eu-west'
       on conflict (monitor_no, region) do update set lost_at = excluded.lost_at`,
      org.orgId,
      no,
      minutes,
    )
  const check = async (isTried: boolean) => {
    const { rows } = await org.run('select lost_at from region_proofs where monitor_no = $1', no)
    const since = rows[0].lost_at
    const places = { region: 'eu-west', otherRegion: 'us-east' }
    const triedAt = isTried ? new Date() : null
    return noteHomeFailures(org.engine, [
      { monitorNo: no, since, ...places, triedAt, isTried: true },
    ])
  }
  return { ...org, lose, check, no }
}

test('home fails and another region passes: one email after five minutes, three checks and a try', async () => {
  const org = await openHome()
  await org.lose(2)
  for (let i = 0; i < 5; i++) assert.deepEqual(await org.check(true), [])
  await org.send()
  assert.deepEqual(await org.titles(), [])

  await org.lose(6)
  assert.deepEqual(await org.check(true), [], 'another time, with two checks so far')
  assert.deepEqual(await org.check(false), [], 'no try since')
  assert.deepEqual(await org.check(true), [org.no])
  assert.deepEqual(await org.check(true), [org.no], 'it need not be counted anymore')
  await org.send()
  await org.check(true)
  await org.age(120)
  await org.send()
  const [email, ...others] = await org.emails()
  assert.deepEqual(others, [])
  assert.equal(email?.kind, 'FAILS_FROM_HOME')
  assert.match(email?.summary ?? '', /^Fails from eu-west, passes from us-east, since /)
})

// biome-ignore format: a table is read by its columns
const ends: [what: string, change: string][] = [
  ['home passes again',         'update region_proofs set lost_at = null'],
  ['the target changed',        'delete from region_proofs'],
  ['another region is home',    `update organizations set home_region = 'us-east'`],
  ['the monitor is paused',     `update monitor_states set state = 'PAUSED', next_due_at = null`],
]
for (const [what, change] of ends)
  test(`${what}: it is over without a word, and the next time is told`, async () => {
    const org = await openHome()
    await org.lose(6)
    for (let i = 0; i < 2; i++) await org.check(true)
    await org.send()
    assert.equal((await org.emails()).length, 1)
    await org.run(change)
    await org.send()
    await org.send()
    assert.deepEqual((await org.run('select from monitor_notices')).rows, [])
    assert.deepEqual((await org.run('select is_open from owner_notices')).rows, [
      { is_open: false },
    ])
    assert.equal((await org.emails()).length, 1)
  })

test('a page of the sweep ends, and the next one continues', async () => {
  const org = await open()
  const numbers = []
  for (const name of ['a', 'b', 'c']) numbers.push((await org.create(name)).no)
  for (const no of numbers) await org.unchecked(no)
  await org.run(`update monitor_states set state = 'PAUSED', next_due_at = null`)
  let position: Parameters<typeof sweepNotices>[1] | undefined = SWEEP_START
  let pages = 0
  while (position !== undefined && pages < 10) {
    position = await sweepNotices(org.engine, position, 2)
    pages += 1
  }
  assert.equal(pages, 3)
  assert.deepEqual((await org.run('select from monitor_notices')).rows, [])
})
