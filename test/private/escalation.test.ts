// Escalation policies: what is accepted, what goes with a monitor, a tag or a contact, and what others cannot touch.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const MAX_POLICIES = 100
const UNKNOWN = '01m7ef2j5re008007k9b361f3r'

type Step = { afterMinutes: number; contactIds: string[] }
type Policy = { id: string; targetType: string; targetName: string; steps: Step[] }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const pathOf = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const put = (team: Team, targetId: string, steps: unknown, who = team.owner) =>
  who.request('PUT', pathOf(team, `/escalation-policies/${targetId}`), { body: { steps } })
const remove = (team: Team, targetId: string, who = team.owner) =>
  who.request('DELETE', pathOf(team, `/escalation-policies/${targetId}`))

async function listed(team: Team): Promise<Policy[]> {
  const answer = await team.reader.get(pathOf(team, '/escalation-policies?limit=100'))
  return (answer.json as { data: Policy[] }).data
}

async function createContact(team: Team, name: string): Promise<string> {
  const answer = await team.owner.post(pathOf(team, '/alert-contacts'), {
    name,
    channel: 'SLACK',
    settings: { url: 'https://hooks.example.com/x' },
    allMonitors: false,
  })
  assert.equal(answer.status, 201, answer.text)
  return (answer.json as { id: string }).id
}

async function createTag(team: Team, name: string): Promise<string> {
  const answer = await team.owner.post(pathOf(team, '/tags'), { name })
  assert.equal(answer.status, 201, answer.text)
  return (answer.json as { id: string }).id
}

async function open() {
  const team = await createTeam(fixture)
  const { id: monitorId } = await team.createMonitor({
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
  })
  const [ben, cleo] = [await createContact(team, 'Ben'), await createContact(team, 'Cleo')]
  return { team, monitorId, ben, cleo, tagId: await createTag(team, 'Production') }
}

test('a policy of a monitor and one of a tag: created, replaced, listed, deleted', async () => {
  const { team, monitorId, tagId, ben, cleo } = await open()
  const steps = [
    { afterMinutes: 5, contactIds: [ben] },
    { afterMinutes: 30, contactIds: [cleo] },
  ]
  for (const [id, targetType, targetName] of [
    [monitorId, 'MONITOR', 'Shop'],
    [tagId, 'TAG', 'Production'],
  ] as const) {
    const made = await put(team, id, steps)
    assert.equal(made.status, 200, made.text)
    const { updatedAt: _, ...policy } = made.json as Policy & { updatedAt: string }
    assert.deepEqual(policy, { id, targetType, targetName, steps })
  }
  const shorter = [{ afterMinutes: 10, contactIds: [cleo, ben].toSorted() }]
  assert.deepEqual(((await put(team, tagId, shorter)).json as Policy).steps, shorter)
  assert.deepEqual(
    (await listed(team)).map(({ id, steps: own }) => [id, own.length]),
    [
      [monitorId, 2],
      [tagId, 1],
    ],
  )
  assert.equal((await remove(team, tagId)).status, 200)
  assert.equal((await remove(team, tagId)).status, 404)
  const path = pathOf(team, `/escalation-policies/${tagId}`)
  assert.equal((await team.reader.get(path)).status, 404)
})

test('what is refused, with its place', async () => {
  const { team, monitorId, ben, cleo } = await open()
  const foreign = await open()
  const step = (afterMinutes: unknown, ...contactIds: unknown[]) => ({ afterMinutes, contactIds })
  // biome-ignore format: a table is read by its rows
  const rows: [steps: unknown, path: string][] = [
    [[],                                              'steps'],
    [null,                                            'steps'],
    [[step(0, ben)],                                  'steps.0.afterMinutes'],
    [[step(1441, ben)],                               'steps.0.afterMinutes'],
    [[step(5.5, ben)],                                'steps.0.afterMinutes'],
    [[step(5)],                                       'steps.0.contactIds'],
    [[step(5, ben), step(5, cleo)],                   'steps.1.afterMinutes'],
    [[step(5, ben), step(6, ben)],                    'steps.1.contactIds.0'],
    [[step(5, ben, `act_${UNKNOWN}`)],                'steps.0.contactIds.1'],
    [[step(5, 'nobody')],                             'steps.0.contactIds.0'],
    [[step(5, monitorId)],                            'steps.0.contactIds.0'],
    [[step(5, foreign.ben)],                          'steps.0.contactIds.0'],
    [Array.from({ length: 11 }, (_, at) => step(at + 1, `act_${at}`)), 'steps'],
    [[step(5, ...Array.from({ length: 21 }, (_, at) => `act_${at}`))], 'steps.0.contactIds'],
  ]
  for (const [steps, path] of rows) {
    const answer = await put(team, monitorId, steps)
    assert.equal(answer.code, 'validation_error', path)
    assert.equal(answer.error.details?.[0]?.path, path)
  }
  assert.deepEqual(await listed(team), [], 'nothing of it was saved')
  const good = [step(5, ben)]
  const others = [`mon_${UNKNOWN}`, `tag_${UNKNOWN}`, ben, 'x', foreign.monitorId, foreign.tagId]
  for (const target of others)
    assert.equal((await put(team, target, good)).code, 'not_found', target)
  assert.equal((await put(team, monitorId, good, team.member)).code, 'forbidden')
  assert.equal((await remove(team, monitorId, team.member)).code, 'forbidden')
})

test('it goes with its monitor or tag; a deleted contact leaves its step', async () => {
  const { team, monitorId, tagId, ben, cleo } = await open()
  const steps = [
    { afterMinutes: 5, contactIds: [ben] },
    { afterMinutes: 30, contactIds: [cleo] },
  ]
  await put(team, monitorId, steps)
  await put(team, tagId, steps)
  const gone = await team.owner.request('DELETE', pathOf(team, `/alert-contacts/${ben}`))
  assert.equal(gone.status, 200, gone.text)
  for (const policy of await listed(team))
    assert.deepEqual(
      policy.steps.map(({ contactIds }) => contactIds),
      [[], [cleo]],
    )
  await team.owner.request('DELETE', pathOf(team, `/monitors/${monitorId}`))
  await team.owner.request('DELETE', pathOf(team, `/tags/${tagId}`))
  assert.deepEqual(await listed(team), [])
  for (const table of ['escalation_policies', 'escalation_steps', 'escalation_contacts'])
    assert.equal(await fixture.db.count(table, 'org_id = $1', [toUuid(team.orgId)]), 0, table)
})

test('an organization has at most 100, also when requests run at the same time', async () => {
  const { team, ben } = await open()
  await fixture.db.run(
    `with made as (
       insert into tags (id, org_id, name, key)
       select new_uuid(), $1, 'tag ' || n, 'tag ' || n from generate_series(1, $2::integer) n returning id)
     insert into escalation_policies (id, org_id, tag_id, updated_at)
     select new_uuid(), $1, id, now() from made`,
    [toUuid(team.orgId), MAX_POLICIES - 3],
  )
  const tags: string[] = []
  for (let at = 0; at < 6; at++) tags.push(await createTag(team, `late ${at}`))
  const steps = [{ afterMinutes: 5, contactIds: [ben] }]
  const answers = await Promise.all(tags.map((tagId) => put(team, tagId, steps)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 3)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { code } of refused) assert.equal(code, 'plan_limit')
  assert.equal((await listed(team)).length, MAX_POLICIES)
  const kept = (await listed(team))[0]?.id ?? ''
  assert.equal((await put(team, kept, steps)).status, 200, 'one that is there can be replaced')
})

test('replacing a policy and deleting its contacts at the same time: no deadlock, nothing left behind', async () => {
  const { team, monitorId } = await open()
  const contacts: string[] = []
  for (let at = 0; at < 8; at++) contacts.push(await createContact(team, `Contact ${at}`))
  const steps = contacts.map((id, at) => ({ afterMinutes: at + 1, contactIds: [id] }))
  assert.equal((await put(team, monitorId, steps)).status, 200)
  const answers = await Promise.all([
    ...contacts.map((id) => team.owner.request('DELETE', pathOf(team, `/alert-contacts/${id}`))),
    ...contacts.map(() => put(team, monitorId, steps.toReversed().slice(0, 1))),
  ])
  for (const { status, text } of answers) assert.ok([200, 400].includes(status), text)
  for (const { status, text } of answers.slice(0, contacts.length)) assert.equal(status, 200, text)
  const [policy] = await listed(team)
  assert.ok(policy)
  const known = await team.reader.get(pathOf(team, '/alert-contacts'))
  const ids = new Set((known.json as { data: { id: string }[] }).data.map(({ id }) => id))
  for (const { contactIds } of policy.steps) for (const id of contactIds) assert.ok(ids.has(id))
})
