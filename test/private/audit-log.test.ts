// The audit log: what objects were called, what changed about them, and never a secret.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Static } from 'typebox'
import type { listAuditLog } from '../../src/contract/private/audit-log.ts'
import { currentAction, FORMER_ACTIONS } from '../../src/domain/people/audit-actions.ts'
import { toUuid } from '../kit/ids.ts'
import { breakMonitor } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { OWN_OPERATIONS } from './operations.ts'
import { ago, createTeam, DAY, HOUR, MINUTE, readCsv, type Team } from './screens.ts'

type Log = Static<typeof listAuditLog.reply.body>
type Line = Log['data'][number]

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const pathOf = ({ orgId }: Team, path: string) => `/organizations/${orgId}${path}`

async function readLog(team: Team, filter: Record<string, string> = {}): Promise<Line[]> {
  const query = new URLSearchParams({ limit: '100', ...filter })
  const answer = await team.owner.get(pathOf(team, `/audit-log?${query}`))
  assert.equal(answer.status, 200, answer.text)
  return (answer.json as Log).data
}

async function lastOf(team: Team, action: string): Promise<Line> {
  const [line] = await readLog(team, { action })
  assert.ok(line, `no entry of ${action}`)
  return line
}

async function ok<T = { id: string }>(
  asked: Promise<{ status: number; text: string; json: unknown }>,
): Promise<T> {
  const answer = await asked
  assert.ok(answer.status < 300, answer.text)
  return answer.json as T
}

const website = (name: string) => ({ name, type: 'HTTP', url: 'https://site.example.com/' })

test('updateMonitor: the entry has the name and what changed, from what to what', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor(website('API health'))
  const change = { name: 'API', intervalSeconds: 600, degradedThresholdMs: 500 }
  await ok(team.member.patch(pathOf(team, `/monitors/${id}`), change))
  const line = await lastOf(team, 'updateMonitor')
  assert.deepEqual([line.resourceId, line.resourceName, line.exists], [id, 'API', true])
  assert.deepEqual(
    line.changes.toSorted((one, other) => one.field.localeCompare(other.field)),
    [
      { field: 'degradedThresholdMs', from: null, to: 500 },
      { field: 'intervalSeconds', from: 300, to: 600 },
      { field: 'name', from: 'API health', to: 'API' },
    ],
  )
  const created = await lastOf(team, 'createMonitor')
  assert.deepEqual([created.resourceName, created.changes], ['API health', []], 'its name then')

  await ok(team.member.patch(pathOf(team, `/monitors/${id}`), { name: 'API' }))
  assert.deepEqual((await lastOf(team, 'updateMonitor')).changes, [], 'nothing changed')

  await ok(team.member.delete(pathOf(team, `/monitors/${id}`)))
  const deleted = await lastOf(team, 'deleteMonitor')
  assert.deepEqual([deleted.resourceName, deleted.exists], ['API', false])
  assert.equal((await lastOf(team, 'createMonitor')).exists, false)
})

test('updateMonitor: changes at the same time each name the value they replaced', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor(website('n0'))
  const names = Array.from({ length: 8 }, (_, index) => `n${index + 1}`)
  await Promise.all(
    names.map((name) => ok(team.owner.patch(pathOf(team, `/monitors/${id}`), { name }))),
  )
  const lines = await readLog(team, { action: 'updateMonitor' })
  const changes = lines.flatMap((line) => line.changes)
  // A chain: every name but the last one was replaced exactly once.
  const current = await ok<{ name: string }>(team.owner.get(pathOf(team, `/monitors/${id}`)))
  assert.deepEqual(
    changes.map(({ from }) => from).toSorted(),
    ['n0', ...names].filter((name) => name !== current.name).toSorted(),
  )
})

test('what else is updated: pages, windows, endpoints, contacts, keys, members, tags, the organization', async () => {
  const team = await createTeam(fixture)
  const { owner } = team
  const at = (path: string) => pathOf(team, path)
  const monitor = await team.createMonitor(website('Shop'))
  const page = await ok(owner.post(at('/status-pages'), { name: 'Status' }))
  const startsAt = new Date(Date.now() + HOUR).toISOString()
  const endsAt = new Date(Date.now() + 2 * HOUR).toISOString()
  const planned = { name: 'Kernel', startsAt, endsAt, monitorIds: [monitor.id] }
  const window = await ok(owner.post(at('/maintenance-windows'), planned))
  const url = 'https://hooks.example.com/in'
  const endpoint = await ok(owner.post(at('/webhook-endpoints'), { url }))
  const contact = await ok(
    owner.post(at('/alert-contacts'), {
      name: 'On-call',
      channel: 'NTFY',
      settings: { server: 'https://ntfy.example.com', topic: 'alarms' },
    }),
  )
  const key = await ok(owner.post(at('/keys'), { name: 'Terraform' }))
  const { person } = await fixture.join(team.orgId, 'MEMBER')
  const tag = await ok(owner.post(at('/tags'), { name: 'prod' }))

  await ok(owner.patch(at(`/status-pages/${page.id}`), { name: 'Acme status', historyDays: 30 }))
  await ok(
    owner.patch(at(`/maintenance-windows/${window.id}`), { allMonitors: true, monitorIds: [] }),
  )
  await ok(owner.patch(at(`/webhook-endpoints/${endpoint.id}`), { description: 'Billing' }))
  await ok(owner.patch(at(`/alert-contacts/${contact.id}`), { settings: { topic: 'pages' } }))
  // A new contact is attached to all monitors.
  const detach = { do: 'DETACH', monitorIds: [monitor.id] }
  await ok(owner.post(at(`/alert-contacts/${contact.id}/monitors`), detach))
  const steps = [{ afterMinutes: 10, contactIds: [contact.id] }]
  await ok(owner.request('PUT', at(`/escalation-policies/${monitor.id}`), { body: { steps } }))
  await ok(owner.patch(at(`/keys/${key.id}`), { enabled: false }))
  await ok(owner.patch(at(`/members/${person.id}`), { role: 'ADMIN' }))
  await ok(owner.patch(at(`/tags/${tag.id}`), { name: 'Production' }))
  await ok(owner.post(at(`/monitors/${monitor.id}/tags`), { names: ['Production', 'EU'] }))
  const { name: formerName } = await ok<{ name: string }>(owner.get(at('')))
  await ok(owner.patch(at(''), { name: 'Acme' }))

  // biome-ignore format: one entry per line
  const expected: [action: string, name: string, changes: Line['changes']][] = [
    ['updateStatusPage', 'Acme status', [{ field: 'name', from: 'Status', to: 'Acme status' }, { field: 'historyDays', from: 90, to: 30 }]],
    ['updateMaintenanceWindow', 'Kernel', [{ field: 'allMonitors', from: false, to: true }, { field: 'monitors', from: '1 monitor', to: '0 monitors' }]],
    ['updateWebhookEndpoint', 'Billing', [{ field: 'description', from: null, to: 'Billing' }]],
    ['updateAlertContact', 'On-call', [{ field: 'topic', from: 'alarms', to: 'pages' }]],
    ['attachAlertContact', 'On-call', [{ field: 'monitors', from: '1 monitor', to: '0 monitors' }]],
    ['putEscalationPolicy', 'Shop', [{ field: 'steps', from: null, to: 'after 10 min 1 contact' }]],
    ['updateKey', 'Terraform', [{ field: 'enabled', from: true, to: false }]],
    ['changeMemberRole', person.name, [{ field: 'role', from: 'MEMBER', to: 'ADMIN' }]],
    ['renameTag', 'Production', [{ field: 'name', from: 'prod', to: 'Production' }]],
    ['setMonitorTags', 'Shop', [{ field: 'tags', from: null, to: 'EU, Production' }]],
    ['renameOrganization', 'Acme', [{ field: 'name', from: formerName, to: 'Acme' }]],
  ]
  for (const [action, name, changes] of expected) {
    const line = await lastOf(team, action)
    assert.equal(line.resourceName, name, action)
    assert.deepEqual(line.changes, changes, action)
  }
  const created = await lastOf(team, 'createWebhookEndpoint')
  assert.equal(created.resourceName, 'hooks.example.com', 'an endpoint without a description')
})

test('incidents and notes: named after their monitor', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor(website('Checkout'))
  const incidentId = await breakMonitor(fixture.db, team.orgId, id)
  const incident = pathOf(team, `/incidents/${incidentId}`)
  await ok(team.member.post(`${incident}/acknowledge`, {}))
  await ok(team.member.post(`${incident}/notes`, { text: 'Rolling back' }))
  for (const action of ['acknowledgeIncident', 'addIncidentNote']) {
    const line = await lastOf(team, action)
    assert.deepEqual(
      [line.resourceId, line.resourceName, line.exists],
      [incidentId, 'Checkout', true],
      action,
    )
  }
})

test('startBulkChange: the entry says what was done to how many', async () => {
  const team = await createTeam(fixture)
  for (const name of ['one', 'two', 'three']) await team.createMonitor(website(name))
  const bulk = { do: 'INTERVAL', filter: { q: 'site' }, expected: 3, intervalSeconds: 600 }
  await ok(team.member.post(pathOf(team, '/monitor-bulks'), bulk))
  const { verb, count, changes } = await lastOf(team, 'startBulkChange')
  assert.deepEqual([verb, count], ['INTERVAL', 3])
  assert.deepEqual(changes, [{ field: 'intervalSeconds', to: 600 }])
})

test('entries under a former name are shown, found and exported under the current one', async () => {
  // Duplicated on purpose: every id that an audited operation had before.
  const stored =
    `changeRole followTag invite postWithNextUpdate publishWithNextUpdate startMonitorBulk testMail
    undoDeletion withdrawInvitation`.split(/\s+/)
  assert.deepEqual(FORMER_ACTIONS, stored)
  const team = await createTeam(fixture)
  await fixture.db.run(
    `insert into audit_log (id, org_id, at, actor_type, actor_id, actor_name, action, detail)
     select new_uuid(), $1, now(), 'USER', new_uuid(), 'Ana', action, '{}' from unnest($2::text[]) action`,
    [toUuid(team.orgId), stored],
  )
  const { text } = await team.owner.get(pathOf(team, '/exports/audit-log.csv'))
  for (const former of stored) {
    const current = currentAction(former)
    assert.ok(OWN_OPERATIONS.some(({ id }) => id === current))
    assert.ok(!OWN_OPERATIONS.some(({ id }) => id === former))
    for (const action of [former, current]) {
      const found = (await readLog(team, { action })).filter(({ actor }) => actor.name === 'Ana')
      assert.deepEqual(
        found.map((line) => line.action),
        [current],
        action,
      )
    }
    assert.ok(text.includes(`,"Ana","${current}",`), current)
    assert.ok(!text.includes(`"${former}"`), former)
  }
})

const PLANTED = 'hunter2-planted'

/** Every operation that takes or returns a secret, each with a planted one. */
async function plantSecrets(team: Team): Promise<string[]> {
  const { owner } = team
  const at = (path: string) => pathOf(team, path)
  const headers = (end: string) => ({ Authorization: `Bearer ${PLANTED}-header-${end}` })
  const monitor = await team.createMonitor({
    ...website('Site'),
    method: 'POST',
    requestHeaders: headers('1'),
    requestBody: `${PLANTED}-body-1`,
  })
  const url = `https://site.example.com/?api_key=${PLANTED}-query`
  const sent = { url, requestHeaders: headers('2'), requestBody: `${PLANTED}-body-2` }
  await ok(owner.patch(at(`/monitors/${monitor.id}`), sent))
  await ok(owner.patch(at(`/monitors/${monitor.id}`), { requestHeaders: null, requestBody: null }))
  const named = await team.createMonitor({
    name: 'TLS',
    type: 'SSL',
    url: 'https://tls.example.com',
  })
  const user = `https://ana:${PLANTED}-user@tls.example.com`
  await owner.patch(at(`/monitors/${named.id}`), { url: user })
  const job = await team.createMonitor({ name: 'Job', type: 'CRON', expectedPeriodSec: 300 })
  await ok(owner.patch(at(`/monitors/${job.id}`), { graceSeconds: 60 }))

  const page = await ok(
    owner.post(at('/status-pages'), { name: 'P', password: `${PLANTED}-page-1` }),
  )
  await ok(owner.patch(at(`/status-pages/${page.id}`), { password: `${PLANTED}-page-2` }))
  const hook = (end: string) => ({
    url: `https://hooks.slack.com/services/T0/B0/${PLANTED}-${end}`,
  })
  const wish = { name: 'Chat', channel: 'SLACK', settings: hook('slack-1') }
  const contact = await ok(owner.post(at('/alert-contacts'), wish))
  await ok(owner.patch(at(`/alert-contacts/${contact.id}`), { settings: hook('slack-2') }))
  await ok(owner.post(at(`/alert-contacts/${contact.id}/test`)))
  const receiver = `https://in.example.com/${PLANTED}-path`
  const endpoint = await ok<{ id: string; secret: string }>(
    owner.post(at('/webhook-endpoints'), { url: 'https://in.example.com/' }),
  )
  const rotated = await ok<{ secret: string }>(
    owner.post(at(`/webhook-endpoints/${endpoint.id}/rotate-secret`)),
  )
  await ok(owner.delete(at(`/webhook-endpoints/${endpoint.id}`)))
  await ok(owner.post(at('/webhook-endpoints'), { url: receiver }))
  const key = await ok<{ id: string; key: string }>(owner.post(at('/keys'), { name: 'Deploy' }))
  const next = await ok<{ key: string }>(
    owner.post(at(`/keys/${key.id}/replace`), { graceHours: 1 }),
  )
  const invited = await ok<{ link: string | null }>(
    owner.post(at('/invitations'), { email: 'guest@example.com', role: 'MEMBER' }),
  )
  const heartbeat = new URL(job.heartbeatUrl ?? '').pathname.slice('/hb/'.length)
  const token = (invited.link ?? '').split('#')[1] ?? ''
  assert.ok(heartbeat.length > 10 && token.length > 10)
  return [PLANTED, endpoint.secret, rotated.secret, key.key, next.key, heartbeat, token]
}

test('no secret is in any entry: not in the table, not in the list, not in the file', async () => {
  const team = await createTeam(fixture)
  const secrets = await plantSecrets(team)
  const rows = await fixture.db.run<{ text: string }>(
    'select l::text as text from audit_log l where org_id = $1',
    [toUuid(team.orgId)],
  )
  assert.ok(rows.length > 15, `only ${rows.length} entries`)
  const list = await team.owner.get(pathOf(team, '/audit-log?limit=100'))
  const file = await team.owner.get(pathOf(team, '/exports/audit-log.csv'))
  const texts = [...rows.map(({ text }) => text), list.text, file.text]
  for (const secret of secrets)
    for (const text of texts) assert.ok(!text.includes(secret), `${secret} is in ${text}`)

  // They are not left out either: the entries say that they changed.
  const fields = (await readLog(team)).flatMap((line) => line.changes)
  for (const field of ['requestHeaders', 'requestBody', 'password'])
    assert.ok(
      fields.some((change) => change.field === field && !('to' in change)),
      field,
    )
  const hidden = fields.find(({ field, to }) => field === 'url' && String(to).includes('api_key'))
  assert.equal(hidden?.to, 'https://site.example.com/?api_key=***')
})

test('an entry is bounded: long values are cut, and the database refuses more', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor({ ...website('A'), type: 'KEYWORD', keyword: 'a' })
  await ok(team.owner.patch(pathOf(team, `/monitors/${id}`), { keyword: '\u{1F600}"'.repeat(120) }))
  const { changes } = await lastOf(team, 'updateMonitor')
  assert.equal([...String(changes[0]?.to)].length, 200)
  const insert = `insert into audit_log (id, org_id, at, actor_type, actor_name, action, resource_name, detail)
                  values (new_uuid(), $1, now(), 'USER', 'x', 'y', $2, $3)`
  const org = toUuid(team.orgId)
  const tooLarge = JSON.stringify({ changes: 'x'.repeat(33_000) })
  await assert.rejects(fixture.db.run(insert, [org, null, tooLarge]), /audit_log_is_bounded/)
  await assert.rejects(fixture.db.run(insert, [org, 'x'.repeat(201), '{}']), /audit_log_is_bounded/)
  for (const query of [
    `q=${'x'.repeat(101)}`,
    'q=',
    `actor=${'x'.repeat(121)}`,
    'from=yesterday',
    'limit=101',
  ])
    assert.equal((await team.owner.get(pathOf(team, `/audit-log?${query}`))).status, 400, query)
})

/** As an entry was written before names were kept. */
async function insertOld(team: Team, resourceId: string | null, at = new Date()): Promise<void> {
  await fixture.db.run(
    `insert into audit_log (id, org_id, at, actor_type, actor_name, action, resource_id)
     values (new_uuid(), $1, $2, 'USER', 'Old hand', 'updateMonitor', $3)`,
    [toUuid(team.orgId), at, resourceId],
  )
}

test('entries from before names were kept: the current name, else the id', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor(website('Renamed since'))
  const gone = 'mon_01jcnotthere0000000000000x'
  for (const one of [id, gone, null]) await insertOld(team, one)
  const lines = await readLog(team, { actor: 'Old hand' })
  assert.deepEqual(
    lines.map(({ resourceId, resourceName, exists, changes }) => [
      resourceId,
      resourceName,
      exists,
      changes.length,
    ]),
    [
      [null, null, false, 0],
      [gone, null, false, 0],
      [id, 'Renamed since', true, 0],
    ],
  )
  assert.equal((await readLog(team, { q: gone })).length, 1, 'found by its id')
})

test('search and period: by name, actor, id and time; signs mean themselves', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor(website('100% Checkout'))
  await team.createMonitor(website('Blog'))
  const names = async (filter: Record<string, string>) =>
    (await readLog(team, { action: 'createMonitor', ...filter })).map((line) => line.resourceName)
  assert.deepEqual(await names({}), ['Blog', '100% Checkout'])
  assert.deepEqual(await names({ q: 'checkOUT' }), ['100% Checkout'])
  assert.deepEqual(await names({ q: '0%' }), ['100% Checkout'])
  assert.deepEqual(await names({ q: '%b' }), [], 'a percent sign is no wildcard')
  assert.deepEqual(await names({ q: id }), ['100% Checkout'])
  assert.deepEqual(await names({ q: 'owner' }), ['Blog', '100% Checkout'], 'who did it')
  const [first] = await readLog(team, { q: id })
  assert.deepEqual(await names({ q: first?.requestId ?? '' }), ['100% Checkout'])

  await insertOld(team, id, ago(3 * DAY))
  const count = async (filter: Record<string, string>) => (await readLog(team, filter)).length
  assert.equal(await count({ q: id, from: ago(HOUR).toISOString() }), 1)
  assert.equal(await count({ q: id, to: ago(HOUR).toISOString() }), 1)
  const within = { from: ago(4 * DAY).toISOString(), to: ago(2 * DAY).toISOString() }
  assert.equal(await count(within), 1)
  assert.equal(await count({ from: ago(-MINUTE).toISOString() }), 0)

  const file = await team.owner.get(pathOf(team, '/exports/audit-log.csv?q=Checkout'))
  const [header = [], ...cells] = readCsv(file.text)
  assert.deepEqual(
    cells.map((line) => line[header.indexOf('resource')]),
    ['100% Checkout'],
  )

  await ok(team.owner.patch(pathOf(team, `/monitors/${id}`), { sslExpiryThresholdDays: 9 }))
  const changedBy = async (q: string) => (await readLog(team, { q })).map(({ action }) => action)
  assert.deepEqual(await changedBy('expiry threshold'), ['updateMonitor'], 'what changed')
  assert.deepEqual(await changedBy('grace'), [])
  const labeled = { q: 'warn before', fields: 'verifySsl,sslExpiryThresholdDays' }
  assert.deepEqual(
    (await readLog(team, labeled)).map(({ action }) => action),
    ['updateMonitor'],
    'by the label that is shown',
  )
  assert.deepEqual(await readLog(team, { ...labeled, fields: 'verifySsl' }), [])
})

test("another organization's entries and names are not there", async () => {
  const [mine, theirs] = [await createTeam(fixture), await createTeam(fixture)]
  const { id } = await theirs.createMonitor(website('Theirs alone'))
  for (const q of ['Theirs alone', id]) assert.deepEqual(await readLog(mine, { q }), [])
  // Not even by an entry of one's own that refers to it.
  await insertOld(mine, id)
  const [line] = await readLog(mine, { q: id })
  assert.deepEqual([line?.resourceName, line?.exists], [null, false])
  const asked = await mine.owner.get(pathOf(theirs, `/audit-log?q=${id}`))
  assert.equal(asked.status, 404)
  assert.equal((await theirs.member.get(pathOf(theirs, '/audit-log'))).status, 403)
})

test('listMembers: only admins see second factors and when somebody was last here', async () => {
  const team = await createTeam(fixture)
  const { person } = await fixture.join(team.orgId, 'MEMBER')
  await fixture.db.run(
    `update users set totp_seed = '\\x00', totp_confirmed_at = now() where id = $1`,
    [person.uuid],
  )
  const absent = await fixture.addPerson({ name: 'Absent' })
  await fixture.addMember(team.orgId, absent, 'MEMBER')
  type Member = { id: string; secondFactor: boolean | null; lastSeenAt: string | null }
  const members = async (visitor: Team['owner']) =>
    (await ok<{ data: Member[] }>(visitor.get(pathOf(team, '/members')))).data
  const of = (list: Member[], id: string) => list.find((member) => member.id === id)

  const seen = await members(team.owner)
  assert.deepEqual(of(seen, absent.id)?.lastSeenAt, null)
  assert.deepEqual(
    [of(seen, absent.id)?.secondFactor, of(seen, person.id)?.secondFactor],
    [false, true],
  )
  const lastSeen = Date.parse(of(seen, person.id)?.lastSeenAt ?? '')
  assert.ok(Math.abs(Date.now() - lastSeen) < MINUTE, String(lastSeen))
  for (const member of await members(team.member))
    assert.deepEqual([member.secondFactor, member.lastSeenAt], [null, null])
})
