// One change to many monitors: named or by a filter, in rounds, once in the audit log.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Visitor } from '../kit/private-client.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const ROUND = 50

type Bulk = { id: string; total: number; changed: number; refused: number; left: number }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const pathOf = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const start = (team: Team, body: Record<string, unknown>, who: Visitor = team.member) =>
  who.post(pathOf(team, '/monitor-bulks'), body)
const step = (team: Team, id: string, who: Visitor = team.member) =>
  who.post(pathOf(team, `/monitor-bulks/${id}/rounds`))

async function createMonitors(team: Team, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const url = `https://m${index}.example.com/`
    ids.push((await team.createMonitor({ name: `m${index}`, type: 'HTTP', url })).id)
  }
  return ids
}

/** Starts it and runs every round. */
async function runAll(team: Team, body: Record<string, unknown>, who: Visitor = team.member) {
  const started = await start(team, body, who)
  assert.equal(started.status, 201, started.text)
  let bulk = started.json as Bulk
  for (let rounds = 0; bulk.left > 0 && rounds < 10; rounds++)
    bulk = (await step(team, bulk.id, who)).json as Bulk
  return bulk
}

const countIn = async (team: Team, state: string): Promise<number> =>
  (await team.read('monitors', `/overview/monitors?state=${state}`)).pagination.total

const auditOf = async (id: string): Promise<string[]> =>
  (
    await fixture.db.run<{ action: string }>(
      'select action from audit_log where resource_id = $1',
      [id],
    )
  ).map(({ action }) => action)

test('all that match a filter are paused and resumed, in rounds, once in the audit log', async () => {
  const team = await createTeam(fixture)
  const ids = await createMonitors(team, ROUND + 5)
  const started = await start(team, { do: 'PAUSE', filter: { q: 'm' }, expected: ids.length })
  const { id, total, left } = started.json as Bulk
  assert.deepEqual([total, left], [ROUND + 5, ROUND + 5])
  assert.deepEqual((await step(team, id)).json, {
    id,
    do: 'PAUSE',
    total,
    changed: ROUND,
    refused: 0,
    left: 5,
  })
  assert.equal(await countIn(team, 'PAUSED'), ROUND)
  // Two at the same time, and one too many: nothing is counted twice.
  const both = await Promise.all([step(team, id), step(team, id), step(team, id)])
  assert.deepEqual(
    both.map(({ json }) => (json as Bulk).changed),
    [ROUND + 5, ROUND + 5, ROUND + 5],
  )
  assert.equal(await countIn(team, 'PAUSED'), ROUND + 5)
  assert.deepEqual(await auditOf(id), ['startBulkChange'])
  const read = await team.reader.get(pathOf(team, `/monitor-bulks/${id}`))
  assert.equal((read.json as Bulk).changed, ROUND + 5)

  const resumed = await runAll(team, { do: 'RESUME', filter: { state: ['PAUSED'] }, expected: 55 })
  assert.deepEqual([resumed.changed, resumed.refused], [55, 0])
  const events = await fixture.db.one<{ count: number }>(
    `select count(*)::integer as count from events e join organizations o on o.id = e.org_id
      where e.type = 'monitor.resumed' and e.body::jsonb #>> '{data,monitor,id}' = any ($1::text[])`,
    [ids],
  )
  assert.equal(events.count, 55, 'each monitor has its own event')
})

test('interval, tags and contacts of named monitors; what is impossible for one is counted', async () => {
  const team = await createTeam(fixture)
  const [first = '', second = '', third = ''] = await createMonitors(team, 3)
  const contact = await team.owner.post(pathOf(team, '/alert-contacts'), {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  })
  const contactId = (contact.json as { id: string }).id
  const named = { monitorIds: [first, second], expected: 2 }

  const interval = await runAll(team, { ...named, do: 'INTERVAL', intervalSeconds: 600 })
  assert.deepEqual([interval.changed, interval.refused], [2, 0])
  const tagged = await runAll(team, { ...named, do: 'TAGS', addTags: ['Prod', 'prod ', 'EU'] })
  assert.equal(tagged.changed, 2)
  const detach = { ...named, do: 'CONTACTS', detachContactIds: [contactId] }
  assert.equal((await start(team, detach)).status, 403, 'contacts are for admins')
  assert.equal((await runAll(team, detach, team.owner)).changed, 2)
  assert.equal(
    (await step(team, ((await start(team, detach, team.owner)).json as Bulk).id)).status,
    403,
    'also to continue',
  )
  for (const [id, seconds, tags, contacts] of [
    [first, 600, ['EU', 'Prod'], 0],
    [third, 300, [], 1],
  ] as const) {
    const screen = await team.read('monitor', `/overview/monitors/${id}`)
    assert.deepEqual(
      [screen.everySeconds, screen.tags.map(({ name }) => name), screen.contacts.length],
      [seconds, tags, contacts],
    )
  }
  // 18 more do not fit on the first, which has 2 and one of its own.
  await team.member.post(pathOf(team, `/monitors/${first}/tags`), { names: ['Prod', 'EU', 'own'] })
  const addTags = Array.from({ length: 18 }, (_, index) => `more ${index}`)
  const full = await runAll(team, { ...named, do: 'TAGS', addTags })
  assert.deepEqual([full.changed, full.refused], [1, 1])

  const later = await start(team, { ...named, do: 'DELETE' })
  await team.owner.request('DELETE', pathOf(team, `/monitors/${first}`))
  const done = (await step(team, (later.json as Bulk).id)).json as Bulk
  assert.deepEqual([done.changed, done.refused, done.left], [1, 1, 0])
  assert.equal((await team.read('monitors', '/overview/monitors')).pagination.total, 1)
})

test('a plan that forbids the interval refuses each monitor and changes none', async () => {
  const team = await createTeam(fixture)
  const ids = await createMonitors(team, 2)
  await fixture.db.run(
    `update organizations set plan = 'FREE' where id = (select org_id from monitors where name = 'm0' order by no desc limit 1)`,
  )
  const bulk = await runAll(team, {
    do: 'INTERVAL',
    monitorIds: ids,
    expected: 2,
    intervalSeconds: 60,
  })
  assert.deepEqual([bulk.changed, bulk.refused], [0, 2])
})

test('what cannot be meant is refused, and more monitors than the person saw', async () => {
  const team = await createTeam(fixture)
  const [id = ''] = await createMonitors(team, 2)
  const filter = { type: ['HTTP'] }
  for (const body of [
    { do: 'PAUSE', expected: 1 },
    { do: 'PAUSE', expected: 1, filter, monitorIds: [id] },
    { do: 'PAUSE', filter },
    { do: 'NOTHING', filter, expected: 2 },
    { do: 'INTERVAL', filter, expected: 2 },
    { do: 'INTERVAL', filter, expected: 2, intervalSeconds: 1 },
    { do: 'TAGS', filter, expected: 2, addTags: ['  '] },
    { do: 'PAUSE', expected: 1, monitorIds: Array.from({ length: 501 }, () => id) },
  ])
    assert.equal((await start(team, body)).code, 'validation_error', JSON.stringify(body))
  assert.equal((await start(team, { do: 'DELETE', filter, expected: 1 })).code, 'conflict')
  assert.equal((await start(team, { do: 'PAUSE', filter, expected: 2 }, team.reader)).status, 403)
  assert.equal((await step(team, 'blk_01m7ef2j5re008007k9b361f3r')).status, 404)
})

test('an organization has at most 20 unfinished ones, and a day-old one is not continued', async () => {
  const team = await createTeam(fixture)
  const [id = ''] = await createMonitors(team, 1)
  const body = { do: 'PAUSE', monitorIds: [id], expected: 1 }
  const answers = await Promise.all(Array.from({ length: 24 }, () => start(team, body)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 20)
  assert.equal(answers.filter(({ code }) => code === 'plan_limit').length, 4)
  await fixture.db.run(`update monitor_bulks set created_at = now() - interval '25 hours'`)
  const old = answers.find(({ status }) => status === 201)?.json as Bulk
  assert.equal((await step(team, old.id)).status, 404)
  assert.equal((await start(team, body)).status, 201)
})

test("another organization's monitors and changes are out of reach", async () => {
  const [mine, theirs] = [await createTeam(fixture), await createTeam(fixture)]
  const [own = ''] = await createMonitors(mine, 1)
  const [foreign = ''] = await createMonitors(theirs, 1)
  const bulk = await runAll(mine, { do: 'DELETE', monitorIds: [own, foreign], expected: 2 })
  assert.deepEqual([bulk.total, bulk.changed], [1, 1])
  assert.equal((await theirs.read('monitors', '/overview/monitors')).pagination.total, 1)
  const started = await start(theirs, { do: 'PAUSE', monitorIds: [foreign], expected: 1 })
  const { id } = started.json as Bulk
  assert.equal((await step(mine, id)).status, 404)
  assert.equal((await mine.reader.get(pathOf(mine, `/monitor-bulks/${id}`))).status, 404)
})
