// The operator's page: who is refused, and what it shows of the installation and not of its organizations.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { getInstallation } from '../../src/contract/private/installation/installation.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import { toUuid } from '../kit/ids.ts'
import { Visitor } from '../kit/private-client.ts'
import { breakMonitor } from '../kit/seed.ts'
import { type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import {
  type AppFixture,
  PASSWORD,
  type Person,
  startAppFixture,
  stepNow,
  totp,
} from './fixture.ts'
import { markOperator } from './operators.ts'
import { ago, createTeam, HOUR } from './screens.ts'

const PATH = '/operator/installation'
const WRITES = ['/operator/mail-tests', '/operator/update-checks']
const MAX_TESTS = 10
const KEPT_MS = 5_000

type Installation = Static<typeof getInstallation.reply.body>

let fixture: AppFixture
let sink: SmtpSink
let updates: Server
/** What UPDATE_URL answers. */
let answer: (response: ServerResponse) => void = (response) => void response.end('0.0.1')

before(async () => {
  const [smtpPort, updatePort] = [await findFreePort(), await findFreePort()]
  updates = createServer((_request, response) => answer(response)).listen(updatePort, '127.0.0.1')
  fixture = await startAppFixture(
    {
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}?tls=off`,
      SMTP_FROM: 'upvane@upvane.example',
      UPDATE_URL: `http://127.0.0.1:${updatePort}/version`,
      DATABASE_SIZE_LIMIT: '500GB',
    },
    { own: true },
  )
  sink = await startSmtpSink({ port: smtpPort, judge: () => 'TAKE' })
})
after(async () => {
  await sink.close()
  await fixture.stop()
  updates.closeAllConnections()
  updates.close()
})

async function addOperator(options?: { hasSecondFactor?: boolean }) {
  const person = await fixture.addPerson()
  await markOperator(fixture.db, person, options)
  return { person, visitor: await fixture.enter(person) }
}

/** Of every operation: status and message. */
async function askAll(
  visitor: Visitor,
  headers = {},
): Promise<[status: number, message: string][]> {
  const answers = [
    await visitor.get(PATH, { headers }),
    ...(await Promise.all(WRITES.map((path) => visitor.post(path, {}, { headers })))),
  ]
  return answers.map((each) => [each.status, each.status === 200 ? '' : each.error.message])
}

async function assertRefused(visitor: Visitor, status: number, message: RegExp, headers = {}) {
  for (const [given, words] of await askAll(visitor, headers)) {
    assert.equal(given, status, words)
    assert.match(words, message)
  }
}

async function read(visitor: Visitor): Promise<Installation> {
  const shown = await visitor.get(PATH)
  assert.equal(shown.status, 200, shown.text)
  return shown.json as Installation
}

const signedInAgo = (person: Person, seconds: number) =>
  fixture.db.run(
    'update sessions set created_at = now() - make_interval(secs => $2) where user_id = $1',
    [person.uuid, seconds],
  )

test('operators alone: an owner is none, and a mark that is taken counts no more with the next request', async () => {
  const { visitor } = await fixture.join(fixture.orgId, 'OWNER')
  await assertRefused(visitor, 403, /operators of this installation/)
  const operator = await addOperator()
  await read(operator.visitor)
  await fixture.operate(['operator', 'remove', operator.person.email])
  await assertRefused(operator.visitor, 403, /operators of this installation/)
  await fixture.operate(['operator', 'add', operator.person.email])
  await read(operator.visitor)
})

test('operators alone: a disabled account, and one that only gave its password, are not signed in', async () => {
  const { person, visitor } = await addOperator()
  await assertRefused(await fixture.enter(person, { complete: false }), 401, /Sign in first/)
  await fixture.db.run('update users set disabled_at = now() where id = $1', [person.uuid])
  await assertRefused(visitor, 401, /Sign in first/)
})

test('a second factor: without it the refusal says where to set it up', async () => {
  const { person, visitor } = await addOperator({ hasSecondFactor: false })
  await assertRefused(visitor, 403, /Set up an authenticator app or a passkey in your account/)
  await fixture.db.run('update users set passkey_count = 1 where id = $1', [person.uuid])
  await read(visitor)
})

test('a fresh sign-in: an old session is refused, and a code makes it fresh', async () => {
  const person = await fixture.addPerson()
  await markOperator(fixture.db, person, { hasSecondFactor: false })
  const visitor = await fixture.enter(person)
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const { secret } = begun.json as { secret: string }
  const step = stepNow()
  const confirmed = await visitor.post('/me/second-factor/confirm', {
    code: totp(secret, step - 1),
  })
  assert.equal(confirmed.status, 200, confirmed.text)
  await read(visitor)
  await signedInAgo(person, 599)
  await read(visitor)
  await signedInAgo(person, 601)
  await assertRefused(visitor, 409, /signed in too long ago/)
  const give = (code: string) => visitor.post('/session/second-factor', { code })
  assert.equal((await give('000000')).status, 401)
  await assertRefused(visitor, 409, /signed in too long ago/)
  assert.equal((await give(totp(secret, step))).status, 200)
  await read(visitor)
})

test('a key is never enough, in any header', async () => {
  for (const headers of [
    { 'X-API-Key': fixture.keys.full },
    { Authorization: `Bearer ${fixture.keys.full}` },
  ])
    await assertRefused(fixture.visitor(), 401, /Sign in first/, headers)
  for (const prefix of ['/api/v1', '/api/ext/v1'])
    for (const path of [PATH, ...WRITES]) {
      const headers = { 'X-API-Key': fixture.keys.full }
      const response = await fetch(`${fixture.service.baseUrl}${prefix}${path}`, { headers })
      assert.equal(response.status, 404, path)
    }
})

test('it shows processes, probes, conditions, backups and sizes', async () => {
  const { visitor } = await addOperator()
  const { db } = fixture
  const condition = {
    code: 'NO_PROBE',
    subject: 'eu-9',
    message: 'No live probe in region eu-9',
    since: ago(HOUR),
  }
  await db.run(
    `insert into processes (id, name, roles, version, region, settings, troubles, reach, expires_at, started_at, seen_at)
     values (gen_random_uuid(), 'start on old (1)', '{scheduler,probe}', '0.0.1', 'eu-9', '{}', $1, 0,
             now() + interval '10 minutes', now() - interval '2 days', null),
            (gen_random_uuid(), 'start on dead (2)', '{api}', '0.0.1', 'eu-9', '{}', '[]', 0,
             now() - interval '3 minutes', now() - interval '1 day', now() - interval '4 minutes')`,
    [JSON.stringify([condition])],
  )
  await db.run(
    `insert into probes (region, name, version, late_ms, last_seen_at, public_key, revoked_at)
     values ('eu-9', 'eu-9-1', '0.0.1', 12, now() - interval '1 hour', 'U1', null),
            ('eu-9', 'eu-9-2', '0.0.1', 12, now(), 'U2', null),
            ('eu-9', 'eu-9-3', '0.0.1', 12, now(), 'U3', now())`,
  )
  await db.run(
    `insert into operator_log (operator, action, detail, at)
     values ('root', 'backup', '{"scheduled": true}', now() - interval '5 hours')`,
  )
  await db.run(
    `insert into database_sizes (day, bytes) values ((now() at time zone 'UTC')::date - 2, 0)
     on conflict (day) do nothing`,
  )
  await delay(KEPT_MS)
  const shown = await read(visitor)
  const find = (name: string) => shown.processes.data.find((one) => one.name === name)
  const { seenAt, isLive } = find('start on old (1)') ?? {}
  assert.deepEqual([seenAt, isLive], [null, true])
  assert.equal(find('start on dead (2)')?.isLive, false)
  const own = shown.processes.data.find(({ version }) => version === shown.version)
  assert.ok(own?.isLive && Date.parse(own.seenAt ?? '') > Date.now() - 60_000)
  assert.equal(shown.processes.total, shown.processes.data.length)
  assert.deepEqual(
    shown.versions.map(({ version }) => version),
    [shown.version, '0.0.1'],
  )
  assert.equal(shown.versions[1]?.processes, 1, 'only those that run')
  const probes = shown.probes.data.filter(({ region }) => region === 'eu-9')
  assert.deepEqual(
    probes.map((probe) => [probe.name, probe.isLive]),
    [
      ['eu-9-1', false],
      ['eu-9-2', true],
    ],
  )
  const found = shown.conditions.find(({ message }) => message.includes('eu-9'))
  assert.equal(found?.help, '/docs/operating/troubleshooting#no_probe')
  assert.match(found?.remedy ?? '', /Start a probe/)
  const guide = await (await fetch(`${fixture.service.baseUrl}${found?.help}`)).text()
  assert.match(guide, /id="no_probe"/)
  assert.deepEqual([shown.backup.isScheduled, shown.backup.hasFailed], [true, false])
  const backupAge = Date.now() - Date.parse(shown.backup.newestAt ?? '')
  assert.ok(Math.abs(backupAge - 5 * HOUR) < 60_000, String(backupAge))
  assert.ok(shown.database.bytes > 1e6)
  assert.equal(shown.database.limitBytes, 5e11)
  assert.deepEqual(shown.database.growth, {
    bytesPerDay: Math.round(shown.database.bytes / 2),
    days: 2,
  })
  assert.ok(
    shown.disks.every(({ usedBytes, totalBytes }) => usedBytes > 0 && usedBytes < totalBytes),
  )
  assert.ok(shown.disks.length > 0)
})

test('nothing of an organization: only totals of what is late, whatever it is called', async () => {
  const { visitor } = await addOperator()
  const canary = 'c4n4ry'
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  await team.owner.patch(base, { name: canary })
  const monitor = await team.createMonitor({
    name: canary,
    type: 'HTTP',
    url: `https://${canary}.example.com/${canary}?${canary}`,
  })
  await breakMonitor(fixture.db, team.orgId, monitor.id)
  await team.owner.post(`${base}/status-pages`, { name: canary })
  await team.owner.post(`${base}/tags`, { name: canary })
  const endpoint = await team.owner.post(`${base}/webhook-endpoints`, {
    url: `https://${canary}.example.com/in`,
  })
  const endpointId = (endpoint.json as { id: string }).id
  assert.ok((await team.owner.post(`${base}/webhook-endpoints/${endpointId}/test`)).status < 300)
  await fixture.addMember(
    team.orgId,
    await fixture.addPerson({ email: `${canary}@example.com`, name: canary }),
    'MEMBER',
  )
  await fixture.db.run(
    `update monitor_states set next_due_at = now() - interval '3 minutes' where org_id = $1`,
    [toUuid(team.orgId)],
  )
  await fixture.db.run(
    `update deliveries set next_attempt_at = now() - interval '2 minutes' where org_id = $1`,
    [toUuid(team.orgId)],
  )
  await delay(KEPT_MS)
  const answered = await visitor.get(PATH)
  const shown = answered.json as Installation
  assert.ok(shown.checks.overdue >= 1 && shown.checks.lateSeconds >= 180, 'it is counted')
  assert.ok(shown.deliveries.due >= 1 && shown.deliveries.lateSeconds >= 120, 'it is counted')
  for (const secret of [
    canary,
    team.orgId,
    toUuid(team.orgId),
    monitor.id,
    endpointId,
    'example.com',
  ])
    assert.ok(!answered.text.includes(secret), secret)
})

test('it is bounded, and read once for everybody who looks', async () => {
  const { visitor } = await addOperator()
  await fixture.db.run(
    `insert into probes (region, name, last_seen_at)
     select 'many', 'probe-' || n, now() from generate_series(1, 1500) n`,
  )
  await delay(KEPT_MS)
  const all = await Promise.all(Array.from({ length: 20 }, () => read(visitor)))
  assert.equal(new Set(all.map(({ readAt }) => readAt)).size, 1)
  const [first] = all
  assert.equal(first?.probes.data.length, 200)
  assert.ok((first?.probes.total ?? 0) >= 1500)
  await fixture.db.run(`delete from probes where region = 'many'`)
})

test('testInstallationEmail: to the operator alone, in the operator log, and only so often', async () => {
  const { person, visitor } = await addOperator()
  const statuses: number[] = []
  for (let i = 0; i < MAX_TESTS + 1; i++) {
    const { status } = await visitor.post('/operator/mail-tests', {})
    statuses.push(status)
  }
  assert.deepEqual(statuses, [...Array<number>(MAX_TESTS).fill(200), 429])
  assert.equal(sink.to(person.email).length, MAX_TESTS)
  assert.match(
    sink.to(person.email)[0]?.text ?? '',
    /sent a test from the settings of this installation/,
  )
  const lines = await fixture.db.run(
    `select operator, action from operator_log where person_id = $1`,
    [person.uuid],
  )
  assert.deepEqual(
    lines,
    Array<object>(MAX_TESTS).fill({ operator: person.id, action: 'mail test' }),
  )
})

test('testInstallationEmail 409, checkForUpdate 409: off without a relay and without an address', async () => {
  const { visitor } = await addOperator()
  const off = { SMTP_URL: '', SMTP_FROM: '', UPDATE_URL: '' }
  const plain = await fixture.stack.start('api', { env: off })
  const elsewhere = new Visitor({ baseUrl: plain.baseUrl, address: '10.9.9.9' })
  for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value)
  const [shown, mail, update] = await askAll(elsewhere)
  assert.equal(shown?.[0], 200)
  assert.deepEqual([mail?.[0], update?.[0]], [409, 409])
  assert.match(mail?.[1] ?? '', /SMTP_URL/)
  assert.match(update?.[1] ?? '', /UPDATE_URL is not set/)
  const { canMail, canCheckForUpdate } = await read(elsewhere)
  assert.deepEqual([canMail, canCheckForUpdate], [false, false])
})

test('checkForUpdate: only a version is used, whatever is sent', async () => {
  const { visitor } = await addOperator()
  const { version } = await read(visitor)
  // biome-ignore format: a table is read by its columns
  const table: [what: string, send: typeof answer, newest: string | null, isNewer: boolean, problem: RegExp | null][] = [
    ['newer',     (r) => void r.end('v99.0.0\n'),                            '99.0.0',  true,  null],
    ['the same',  (r) => void r.end(version),                                version,   false, null],
    ['older',     (r) => void r.end('0.0.1'),                                '0.0.1',   false, null],
    ['a page',    (r) => void r.end('<script>alert(1)</script>'),            null,      false, /did not answer with a version/],
    ['endless',   (r) => void r.end('9'.repeat(2e6)),                        null,      false, /did not answer with a version/],
    ['elsewhere', (r) => void r.writeHead(302, { Location: '/other' }).end(), null,     false, /answered with 302/],
    ['cut off',   (r) => void r.destroy(),                                   null,      false, /could not be read: RESET/],
    ['silent',    () => {},                                                  null,      false, /could not be read: TIMEOUT/],
  ]
  for (const [what, send, newest, isNewer, problem] of table) {
    answer = send
    const checked = await visitor.post('/operator/update-checks', {})
    assert.equal(checked.status, 200, checked.text)
    const found = checked.json as {
      newest: string | null
      isNewer: boolean
      problem: string | null
    }
    assert.deepEqual([found.newest, found.isNewer], [newest, isNewer], what)
    if (problem === null) assert.equal(found.problem, null, what)
    else assert.match(found.problem ?? '', problem, what)
  }
  const statuses: number[] = []
  answer = (response) => void response.end('0.0.1')
  for (let i = table.length; i <= MAX_TESTS; i++)
    statuses.push((await visitor.post('/operator/update-checks', {})).status)
  assert.equal(statuses.at(-1), 429)
})

test('upvane operator: unknown people are refused; twice is as good as once; the list says who and where', async () => {
  const { person } = await addOperator({ hasSecondFactor: false })
  const { email, id } = person
  const lines = async () => {
    const rows = await fixture.db.run(
      `select action from operator_log where person_id = $1 order by at`,
      [person.uuid],
    )
    return rows.map(({ action }) => action)
  }
  const add = await fixture.operate(['operator', 'add', ` ${email.toUpperCase()}`])
  assert.deepEqual(add, { id, email, done: 'operator add', changed: false })
  const remove = ['operator', 'remove', email]
  assert.deepEqual(await fixture.operate(remove), {
    id,
    email,
    done: 'operator remove',
    changed: true,
  })
  assert.deepEqual(await fixture.operate(remove), {
    id,
    email,
    done: 'operator remove',
    changed: false,
  })
  await fixture.operate(['operator', 'add', '--email', email])
  assert.deepEqual(await lines(), ['operator remove', 'operator add'])
  const { page, operators } = (await fixture.operate(['operator', 'list'])) as {
    page: string
    operators: { email: string; secondFactor: boolean }[]
  }
  assert.equal(page, `${fixture.service.baseUrl}/operator`)
  assert.equal(operators.find((one) => one.email === email)?.secondFactor, false)
  await assert.rejects(fixture.operate(['operator', 'add', 'nobody@example.com']), /no such person/)
  await assert.rejects(fixture.operate(['operator', 'add']), /--email is needed/)
})

test('the commands of docs/operating/operator-page.md, as they stand there', async () => {
  const guide = await readFile(
    join(import.meta.dirname, '../../docs/operating/operator-page.md'),
    'utf8',
  )
  const commands = [...guide.matchAll(/^upvane (operator .+)$/gm)].map(([, words = '']) => words)
  assert.equal(commands.length, 3)
  await fixture.addPerson({ email: 'ana@example.com' })
  const outcomes: unknown[] = []
  for (const words of commands) outcomes.push(await fixture.operate(words.split(' ')))
  const [added, listed, removed] = outcomes as [
    { changed: boolean },
    { operators: { email: string }[] },
    { changed: boolean },
  ]
  assert.deepEqual([added.changed, removed.changed], [true, true])
  assert.ok(listed.operators.some(({ email }) => email === 'ana@example.com'))
})

test('a person who is deleted is no operator, nor is the next one with that address', async () => {
  const { person } = await addOperator()
  const exported = JSON.stringify(
    await fixture.operate(['person', 'export', person.email]).catch(String),
  )
  assert.match(exported, /"operator":\[\{"since"/)
  await fixture.operate(['person', 'delete', person.email, '--yes'])
  const count = await fixture.db.run('select from operators where user_id = $1', [person.uuid])
  assert.equal(count.length, 0)
  const next = await fixture.addPerson({ email: person.email })
  await assertRefused(await fixture.enter(next), 403, /operators of this installation/)
})
