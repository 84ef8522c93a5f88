// A deleted person or organization leaves no trace in any table (moving-organizations.md deletes one after its move).
// The tables come from the catalog. One that refers to an organization or a person and has no rows before the deletion
// fails the test.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../e2e/webhooks/fixture.ts'
import type { Organization } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import { type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import {
  type AppFixture,
  PASSWORD,
  type Person,
  startAppFixture,
  stepNow,
  totp,
} from './fixture.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const NAME = 'Wilhelmina Quist'
const EMAIL = 'wilhelmina@quist.example'
const ORGANIZATION = 'Zanzibar Lighthouse Works'
const FILES = mkdtempSync(join(tmpdir(), 'upvane-erasure-'))

/** Rows that only hours of running would write. */
const BY_HAND: Readonly<Record<string, string>> = {
  result_hours: `insert into result_hours values ($1, date_trunc('hour', now()), 1, 0, 0)`,
  result_days: `insert into result_days values ($1, current_date, 1, 0, 0)`,
  late_hours: `insert into late_hours values ($1, date_trunc('hour', now()))`,
  missed: `insert into missed values ($1, now(), now(), 1, 'ENGINE_DOWN')`,
  maintenance_spans: `insert into maintenance_spans values ($1, now(), null, gen_random_uuid())`,
  heartbeat_calls: `insert into heartbeat_calls values ($1, now(), 'SUCCESS')`,
  region_proofs: `insert into region_proofs (org_id, monitor_no, region, passed_at)
    select m.org_id, m.no, r.no, now() from monitors m, regions r where m.no = $1 limit 1`,
  monitor_notices: `with sent as (
    insert into owner_notices (org_id, kind, thread, sent_at, is_open)
    select org_id, 'NOT_CHECKED', new_uuid(), now(), true from monitors where no = $1)
    insert into monitor_notices (org_id, monitor_no, kind, since, reason, notify_at)
    select org_id, no, 'NOT_CHECKED', now(), 'NO_PROBE', now() from monitors where no = $1`,
  result_packs: `insert into result_packs values ($1, current_date, 0, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
}

let fixture: AppFixture
let sink: SmtpSink
let organization: Organization
let person: Person
let owner: Visitor
let monitorNos: string[] = []

before(async () => {
  sink = await startSmtpSink()
  const env = { SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`, SMTP_FROM: 'up@vane.example' }
  fixture = await startAppFixture(env, { command: 'start' })
  organization = await fixture.createOrganization()
  await fixture.operate(['org', 'rename', organization.id, ORGANIZATION])
  person = await fixture.addPerson({ email: EMAIL, name: NAME })
  await fixture.addMember(organization.id, person, 'OWNER')
  owner = await fixture.enter(person)
})
after(async () => {
  await fixture.stop()
  await sink.close()
  rmSync(FILES, { recursive: true })
})

test('the organization and the person are used until every table that refers to them has rows', async () => {
  await useProduct()
  await useAccount()
  const { rows } = { rows: await tablesWith('monitor_no') }
  monitorNos = (
    await fixture.db.run<{ no: string }>('select no from monitors where org_id = $1', [
      organization.uuid,
    ])
  ).map(({ no }) => String(no))
  await fixture.db.run('select ensure_pack_partition(current_date)')
  for (const [table, statement] of Object.entries(BY_HAND))
    if ((await countOf(table, 'monitor_no', monitorNos)) === 0)
      await fixture.db.run(statement, [monitorNos[0]])
  const empty: string[] = []
  for (const table of rows)
    if (table !== 'deleted_monitors' && (await countOf(table, 'monitor_no', monitorNos)) === 0)
      empty.push(table)
  for (const table of await tablesWith('org_id'))
    if ((await countOf(table, 'org_id', [organization.uuid])) === 0) empty.push(table)
  for (const table of await tablesWith('user_id'))
    if ((await countOf(table, 'user_id', [person.uuid])) === 0) empty.push(table)
  assert.deepEqual(empty, [], 'tables without rows prove nothing')
})

test('person export: what is stored about them, in a file of their own, without secrets', async () => {
  const file = join(FILES, 'person.json')
  await fixture.operate(['person', 'export', EMAIL, '--file', file])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const text = readFileSync(file, 'utf8')
  const found = JSON.parse(text) as Record<string, unknown[]> & { format: string }
  assert.equal(found.format, 'upvane-person-export/1')
  for (const part of [
    'memberships',
    'sessions',
    'identities',
    'passkeys',
    'operator',
    'links',
    'actions',
    'notes',
  ])
    assert.ok((found[part]?.length ?? 0) > 0, part)
  assert.doesNotMatch(text, /argon2|"token|hash"|public_?key|credential_?id/i)
})

test('org export: every table with rows, and no secret', async () => {
  const file = join(FILES, 'organization.json')
  await fixture.operate(['org', 'export', organization.id, '--file', file])
  const text = readFileSync(file, 'utf8')
  const { format, tables } = JSON.parse(text) as {
    format: string
    tables: Record<string, object[]>
  }
  assert.equal(format, 'upvane-organization-export/1')
  for (const table of ['monitors', 'results', 'incidents', 'events', 'members', 'audit_log'])
    assert.ok((tables[table]?.length ?? 0) > 0, table)
  assert.match(text, /wilhelmina@quist\.example/, 'addresses of contacts and subscribers are in it')
  assert.doesNotMatch(text, /HIDDENHIDDENHIDDEN|"(hash|wrapped|token|secret|password_hash)"/)
  await assert.rejects(
    fixture.operate(['org', 'export', organization.id, '--file', file]),
    /cannot be created/,
  )
})

test('person delete: the last owner is refused with a sentence, and stays whole', async () => {
  await assert.rejects(fixture.operate(['person', 'delete', EMAIL, '--yes']), (error: Error) => {
    assert.match(error.message, /last owner of Zanzibar Lighthouse Works \(org_\w+\)/)
    return true
  })
  assert.equal((await owner.get('/me')).status, 200)
})

test('person delete: another name than theirs deletes nobody', async () => {
  const { code, stderr } = await checkResponse(
    ['person', 'delete', EMAIL],
    'somebody@else.example\n',
  )
  assert.equal(code, 2)
  assert.match(stderr, /does not match\. Nothing was changed/)
})

test('person delete: no trace of id, name or address in any table but one line', async () => {
  const other = await fixture.addPerson({ name: 'Second owner' })
  await fixture.addMember(organization.id, other, 'OWNER')
  const { code, stdout, stderr } = await checkResponse(
    ['person', 'delete', EMAIL, '--json'],
    `${EMAIL}\n`,
  )
  assert.equal(code, 0, stderr)
  const { removed } = JSON.parse(stdout) as { removed: Record<string, number> }
  for (const part of [
    'incidents',
    'notes',
    'names',
    'details',
    'contacts',
    'subscriptions',
    'account',
    'log',
  ])
    assert.ok((removed[part] ?? 0) > 0, `${part}: ${stdout}`)
  const hits = await search([person.uuid, person.id, NAME, EMAIL])
  assert.deepEqual(hits, { operator_log: 1 })
  await assertOneLine('person delete', 'person_id', person.uuid)
  assert.equal((await owner.get('/me')).status, 401)
})

test('org delete: no trace of ids, names or numbers in any table but one line', async () => {
  const ids = await everyId()
  assert.ok(ids.length > 30, `only ${ids.length} ids`)
  const others = await countOthers()
  const { code, stdout, stderr } = await checkResponse(
    ['org', 'delete', organization.id, '--json'],
    `${ORGANIZATION}\n`,
  )
  assert.equal(code, 0, stderr)
  const { removed } = JSON.parse(stdout) as { removed: Record<string, number> }
  for (const part of ['monitors', 'history', 'incidents', 'events', 'deliveries', 'audit_log'])
    assert.ok((removed[part] ?? 0) > 0, `${part}: ${stdout}`)
  const hits = await search([...ids, organization.uuid, organization.id, ORGANIZATION])
  assert.deepEqual(hits, { operator_log: 1 })
  for (const table of await tablesWith('monitor_no'))
    assert.equal(await countOf(table, 'monitor_no', monitorNos), 0, table)
  await assertOneLine('org delete', 'organization_id', organization.uuid)
  assert.deepEqual(await countOthers(), others, 'nothing of anybody else')
  assert.equal((await organization.api.get('/monitors')).status, 401)
})

async function useProduct(): Promise<void> {
  const { api } = organization
  const base = `/organizations/${organization.id}`
  const ok = async (asked: Promise<{ status: number; text: string; json: unknown }>) => {
    const answer = await asked
    assert.ok(answer.status < 300, answer.text)
    return answer.json as { id: string; url: string; heartbeatUrl: string | null }
  }
  await ok(
    owner.post(`${base}/alert-contacts`, {
      name: NAME,
      channel: 'EMAIL',
      settings: { address: EMAIL },
    }),
  )
  const chat = await ok(
    owner.post(`${base}/alert-contacts`, {
      name: 'Chat',
      channel: 'SLACK',
      settings: { url: 'https://hooks.chat.example/services/T0/HIDDENHIDDENHIDDEN' },
    }),
  )
  const keys = {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const device = { name: 'Chrome on Linux', endpoint: 'https://push.example/HIDDEN', keys }
  await ok(owner.post(`${base}/push-devices`, device))
  const closed = 'http://127.0.0.1:9/'
  const event = await ok(
    api.post(
      '/webhook-endpoints',
      { url: closed, eventTypes: ['*'] },
      { headers: { 'Idempotency-Key': 'one' } },
    ),
  )
  assert.ok(event.id)
  // The audit log has them as values and as names, though the endpoint has neither any more.
  for (const description of [NAME, `Ask ${EMAIL}`, 'Lamp room'])
    await ok(api.patch(`/webhook-endpoints/${event.id}`, { description }))
  const monitor = await ok(
    api.post('/api/ext/v1/monitors', {
      type: 'HTTP',
      name: 'Lamp',
      url: closed,
      intervalSeconds: 30,
      timeoutSeconds: 2,
      regions: { regions: ['default'], mode: 'EACH' },
    }),
  )
  await ok(owner.post(`${base}/monitors/${monitor.id}/tags`, { names: ['Coast'] }))
  const resume = { do: 'RESUME', monitorIds: [monitor.id], expected: 1 }
  await ok(owner.post(`${base}/monitor-bulks`, resume))
  await ok(owner.post(`${base}/monitor-views`, { name: 'Dark', filter: { state: 'DOWN' } }))
  await ok(
    api.put(`/api/ext/v1/sources/${encodeURIComponent('lamps/upvane.yaml')}/bindings`, {
      revision: 0,
      bindings: [{ address: 'monitors.lamp', id: monitor.id, digest: 'HIDDENHIDDENHIDDEN' }],
    }),
  )
  const job = await ok(
    api.post('/monitors', { type: 'CRON', name: 'Oil', expectedPeriodSec: 3600, graceSeconds: 60 }),
  )
  const steps = [{ afterMinutes: 10, contactIds: [chat.id] }]
  await ok(owner.request('PUT', `${base}/escalation-policies/${job.id}`, { body: { steps } }))
  await fixture.db.run(`insert into regions (name) values ('eu-west') on conflict do nothing`)
  const chosen = { regions: ['eu-west'], mode: 'FIRST' }
  await ok(owner.request('PUT', `${base}/monitors/${job.id}/regions`, { body: chosen }))
  await fetch(fixture.service.baseUrl + new URL(job.heartbeatUrl ?? '').pathname)
  const aliases = [{ monitorId: job.id, token: 'HIDDENHIDDENHIDDEN' }]
  await ok(api.post('/api/ext/v1/ping-aliases', { aliases }))
  const page = await ok(
    api.post('/status-pages', {
      name: 'Beam',
      slug: 'zanzibar-beam',
      published: true,
      sections: [{ name: 'All', components: [{ name: 'Lamp', monitorId: monitor.id }] }],
    }),
  )
  const shown = { body: { shown: true } }
  await ok(owner.request('PUT', `${base}/status-pages/${page.id}/ledger`, shown))
  await fixture.db.run(
    `insert into page_ledger_overrides (id, org_id, page_id, monitor_id, component_name, kind, at)
     values (new_uuid(), $1, $2, $3, 'Lamp', 'COMPONENT_REMOVED', now())`,
    [organization.uuid, toUuid(page.id), toUuid(monitor.id)],
  )
  const body = new URLSearchParams({ email: EMAIL })
  assert.equal((await fetch(`${page.url}/subscribe`, { method: 'POST', body })).status, 200)
  // As if the link in the first email had been opened.
  await fixture.db.run('update page_subscribers set confirmed_at = now()')
  const published = await ok(
    api.post('/status-incidents', {
      title: 'Dark',
      message: 'We look.',
      statusPageIds: [page.id],
      components: [{ componentId: await componentId(page.id), state: 'MAJOR_OUTAGE' }],
      notifySubscribers: true,
    }),
  )
  const resolution = { status: 'RESOLVED', message: 'Lit again.' }
  await ok(api.post(`/status-incidents/${published.id}/updates`, resolution))
  const postMortem = { message: 'The oil ran out.' }
  await ok(owner.post(`${base}/status-incidents/${published.id}/post-mortem`, postMortem))
  await ok(
    api.post('/maintenance-windows', {
      name: 'Polish',
      startsAt: new Date(Date.now() + 3_600_000).toISOString(),
      endsAt: new Date(Date.now() + 7_200_000).toISOString(),
      timezone: 'UTC',
      monitorIds: [monitor.id],
      statusPageIds: [page.id],
    }),
  )
  await ok(owner.post(`${base}/keys`, { name: 'Own key' }))
  await ok(owner.post(`${base}/invitations`, { email: 'keeper@example.com', role: 'MEMBER' }))
  const incident = await until('an incident', async () => {
    const { data } = (await api.get('/incidents')).json as { data: { id: string }[] }
    return data[0]
  })
  await ok(owner.post(`${base}/incidents/${incident.id}/acknowledge`, { note: 'On my way' }))
  await ok(owner.post(`${base}/incidents/${incident.id}/notes`, { text: 'Lamp is out' }))
  await until('the alert to be in the timeline', async () => {
    const rows = await fixture.db.run('select from alert_messages where settled_at is not null')
    return rows[0]
  })
}

async function componentId(pageId: string): Promise<string> {
  const page = (await organization.api.get(`/status-pages/${pageId}`)).json as {
    sections: { components: { id: string }[] }[]
  }
  return page.sections[0]?.components[0]?.id ?? ''
}

async function useAccount(): Promise<void> {
  const begun = (await owner.post('/me/second-factor', { current: PASSWORD })).json as {
    secret: string
  }
  const code = totp(begun.secret, stepNow())
  assert.equal((await owner.post('/me/second-factor/confirm', { code })).status, 200)
  await fixture.visitor().post('/password-resets', { email: EMAIL })
  await until('the link', () => fixture.db.run('select 1 from user_tokens').then((rows) => rows[0]))
  // Avoids running a browser with a passkey, and an identity provider.
  await fixture.db.run(
    `with counted as (update users set passkey_count = 1 where id = $1), answered as (
       insert into answered_challenges (hash, user_id, expires_at) values (sha256('w'), $1, now()))
     insert into passkeys (id, user_id, name, credential_id, public_key, signatures)
     values (new_uuid(), $1, 'Quist phone', sha256('w'), sha256('w'), 0)`,
    [person.uuid],
  )
  await fixture.db.run(
    `insert into identities (issuer, subject, user_id) values ('https://id.example', 'w', $1)`,
    [person.uuid],
  )
  await fixture.operate(['operator', 'add', EMAIL])
}

async function checkResponse(words: readonly string[], typed: string) {
  const env = { ...fixture.stack.env, BASE_URL: fixture.service.baseUrl }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(typed)
  })
}

async function tables(): Promise<string[]> {
  const rows = await fixture.db.run<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function tablesWith(column: string): Promise<string[]> {
  const rows = await fixture.db.run<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = $1
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by 1`,
    [column],
  )
  return rows.map(({ name }) => name)
}

function countOf(table: string, column: string, values: readonly string[]): Promise<number> {
  return fixture.db.count(table, `${column}::text = any ($1::text[])`, [values])
}

/** Rows in which the text of all columns contains one of the words. */
async function search(words: readonly string[]): Promise<Record<string, number>> {
  const hits: Record<string, number> = {}
  for (const table of await tables()) {
    const [row] = await fixture.db.run<{ n: number }>(
      `select count(*)::int as n from ${table} t
        where exists (select from unnest($1::text[]) word where position(lower(word) in lower(t::text)) > 0)`,
      [words],
    )
    if ((row?.n ?? 0) > 0) hits[table] = row?.n ?? 0
  }
  return hits
}

/** Ids of all rows of the organization. */
async function everyId(): Promise<string[]> {
  const ids: string[] = []
  for (const table of await tablesWith('org_id')) {
    const hasId = (await tablesWith('id')).includes(table)
    if (!hasId) continue
    const rows = await fixture.db.run<{ id: string }>(`select id from ${table} where org_id = $1`, [
      organization.uuid,
    ])
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}

async function countOthers(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesWith('org_id'))
    counts[table] = await fixture.db.count(table, 'org_id = $1', [toUuid(fixture.orgId)])
  return counts
}

async function assertOneLine(action: string, column: string, uuid: string): Promise<void> {
  const lines = await fixture.db.run<{ action: string; detail: { removed: object } }>(
    `select action, detail from operator_log where ${column} = $1`,
    [uuid],
  )
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.action, action)
  assert.ok(Object.keys(lines[0]?.detail.removed ?? {}).length > 3, 'with counts')
}
