// What members may do to each other, API keys, and creating organizations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toId, toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import { type AppFixture, type Person, ROLES, type Role, startAppFixture } from './fixture.ts'

const ALL_THERE_MS = 500

type Member = { person: Person; visitor: Visitor }

let fixture: AppFixture
let orgId: string
let path: string
let owner: Member

before(async () => {
  fixture = await startAppFixture({}, { own: true })
  orgId = fixture.orgId
  path = `/organizations/${orgId}`
  await fixture.db.run('delete from users')
  owner = await fixture.join(orgId, 'OWNER')
})
after(() => fixture.stop())

test('members: each sees who belongs to it', async () => {
  const { visitor } = await fixture.join(orgId, 'READ_ONLY')
  const { data } = (await visitor.get(`${path}/members`)).json as { data: object[] }
  assert.equal(data.length, 2)
  const [first] = data as { id: string; email: string; role: string }[]
  assert.equal(first?.id, owner.person.id)
  assert.equal(first?.role, 'OWNER')
})

test('changeMemberRole: takes effect with the next request', async () => {
  const { person, visitor } = await fixture.join(orgId, 'READ_ONLY')
  const monitor = { name: 'Job', type: 'CRON' }
  assert.equal((await visitor.post(`${path}/monitors`, monitor)).status, 403)
  assert.equal((await changeRole(owner.visitor, person, 'MEMBER')).status, 200)
  assert.equal((await visitor.post(`${path}/monitors`, monitor)).status, 201)
  assert.equal((await changeRole(owner.visitor, person, 'READ_ONLY')).status, 200)
  assert.equal((await visitor.post(`${path}/monitors`, monitor)).status, 403)
})

test('changeMemberRole: nobody gives more than they have, nor touches those above them', async () => {
  const admin = await fixture.join(orgId, 'ADMIN')
  const second = await fixture.join(orgId, 'OWNER')
  for (const [who, role] of [
    [admin.person, 'OWNER'],
    [owner.person, 'MEMBER'],
    [owner.person, 'ADMIN'],
  ] as const)
    assert.equal((await changeRole(admin.visitor, who, role)).status, 409, `${who.name} ${role}`)
  assert.equal((await remove(admin.visitor, owner.person)).status, 409)
  const { person } = await fixture.join(orgId, 'MEMBER')
  assert.equal((await changeRole(admin.visitor, person, 'OWNER')).status, 409)
  assert.equal((await changeRole(admin.visitor, person, 'ADMIN')).status, 200)
  const invited = await admin.visitor.post(`${path}/invitations`, {
    email: 'mallory@example.com',
    role: 'OWNER',
  })
  assert.equal(invited.status, 409, 'nor by way of an invitation')
  assert.equal(await ownersLeft(), 2)
  assert.equal((await second.visitor.post(`${path}/leave`)).status, 200)
})

test('changeMemberRole: what does not belong here is not there', async () => {
  const stranger = await fixture.addPerson()
  assert.equal((await changeRole(owner.visitor, stranger, 'MEMBER')).status, 404)
  assert.equal((await remove(owner.visitor, stranger)).status, 404)
  const king = await owner.visitor.patch(`${path}/members/${stranger.id}`, { role: 'KING' })
  assert.deepEqual(king.paths, ['role'])
})

test('removeMember: they are out with the next request, and in the log', async () => {
  const { person, visitor } = await fixture.join(orgId, 'ADMIN')
  assert.equal((await visitor.get(path)).status, 200)
  assert.equal((await remove(owner.visitor, person)).status, 200)
  assert.equal((await visitor.get(path)).status, 404)
  assert.equal((await visitor.get('/me')).status, 200, 'they are still somebody')
  type Log = { data: { action: string; actor: object; resourceId: string }[] }
  const { data } = (await owner.visitor.get(`${path}/audit-log?action=removeMember`)).json as Log
  assert.deepEqual(data[0]?.actor, { type: 'USER', id: owner.person.id, name: 'OWNER' })
  assert.equal(data[0]?.resourceId, person.id)
})

test('last owner: neither leaves, nor is made less, nor is removed', async () => {
  const { visitor, person } = owner
  assert.equal((await visitor.post(`${path}/leave`)).status, 409)
  assert.equal((await changeRole(visitor, person, 'ADMIN')).status, 409)
  assert.equal((await remove(visitor, person)).status, 409)
  assert.equal(await ownersLeft(), 1)
})

test('last owner: also when all of them go at the same time', async () => {
  const others = await Promise.all([1, 2, 3, 4].map(() => fixture.join(orgId, 'OWNER')))
  // None of them can pass the row locks until all have arrived.
  const held = 'select 1 from members where org_id = $1 for update'
  const leaving = await fixture.db.holding(held, [toUuid(orgId)], async () => {
    const asked = [owner, ...others].map(({ visitor }) => visitor.post(`${path}/leave`))
    await delay(ALL_THERE_MS)
    return asked
  })
  const answers = await Promise.all(leaving)
  assert.equal(answers.filter(({ status }) => status === 200).length, 4)
  assert.equal(answers.filter(({ status }) => status === 409).length, 1)
  assert.equal(await ownersLeft(), 1)
  await fixture.addMember(orgId, owner.person, 'OWNER')
})

test('last owner: one whose account is closed does not count', async () => {
  await leaveOnly(owner)
  const { person } = await fixture.join(orgId, 'OWNER')
  await fixture.db.run('update users set disabled_at = now() where id = $1', [person.uuid])
  assert.equal((await owner.visitor.post(`${path}/leave`)).status, 409)
  await fixture.db.run('update users set disabled_at = null where id = $1', [person.uuid])
  assert.equal((await owner.visitor.post(`${path}/leave`)).status, 200)
  await fixture.addMember(orgId, owner.person, 'OWNER')
})

test('role escalation: who is made less in the same moment does nothing with what they were', async () => {
  const [ada, bob] = [await fixture.join(orgId, 'OWNER'), await fixture.join(orgId, 'OWNER')]
  for (let round = 0; round < 5; round++) {
    await fixture.addMember(orgId, ada.person, 'OWNER')
    await fixture.addMember(orgId, bob.person, 'OWNER')
    const answers = await Promise.all([
      changeRole(ada.visitor, bob.person, 'READ_ONLY'),
      changeRole(bob.visitor, ada.person, 'READ_ONLY'),
    ])
    // The later one is no longer an owner, and is refused: by the authorization check or at the row.
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403], `round ${round}`)
  }
})

test('leaveOrganization: anyone may leave', async () => {
  for (const role of ROLES) {
    const { visitor } = await fixture.join(orgId, role)
    assert.equal((await visitor.post(`${path}/leave`)).status, 200, role)
    assert.equal((await visitor.get(path)).status, 404)
  }
})

test('createKey: shown once, works at once, and says who made it', async () => {
  const { visitor } = owner
  const made = await visitor.post(`${path}/keys`, { name: 'Deploys', access: 'READ_ONLY' })
  assert.equal(made.status, 201, made.text)
  const { key, ...shown } = made.json as { key: string; id: string; createdBy: string }
  assert.match(key, /^upv_[0-9A-Za-z]{38}$/)
  assert.equal(shown.createdBy, 'OWNER')
  assert.equal((await fixture.api.get('/monitors', { key })).status, 200)
  assert.equal((await fixture.api.post('/monitors', {}, { key })).status, 403)
  const listed = await visitor.get(`${path}/keys`)
  assert.ok(!listed.text.includes(key))
  const { data } = listed.json as { data: { id: string }[] }
  assert.deepEqual(
    data.find(({ id }) => id === shown.id),
    { ...shown, lastUsedAt: (data[0] as { lastUsedAt?: string }).lastUsedAt },
  )
  const past = await visitor.post(`${path}/keys`, { name: 'x', expiresAt: '2020-01-01T00:00:00Z' })
  assert.deepEqual(past.paths, ['expiresAt'])
})

test('updateKey, revokeKey: a key stops with the very next request', async () => {
  const { visitor } = owner
  const { id, key } = await createKey({})
  const works = async () => (await fixture.api.get('/monitors', { key })).status === 200
  assert.equal((await visitor.patch(`${path}/keys/${id}`, { enabled: false })).status, 200)
  assert.equal(await works(), false)
  const on = await visitor.patch(`${path}/keys/${id}`, { enabled: true, name: 'Renamed' })
  assert.equal((on.json as { name: string; state: string }).state, 'ACTIVE')
  assert.equal(await works(), true)
  assert.equal((await visitor.delete(`${path}/keys/${id}`)).status, 200)
  assert.equal(await works(), false)
  assert.equal((await visitor.delete(`${path}/keys/${id}`)).status, 404)
  assert.equal((await visitor.patch(`${path}/keys/${id}`, { enabled: true })).status, 404)
  assert.equal(await works(), false, 'what is revoked stays revoked')
})

test('replaceKey: both work for the grace time, and the new one no longer than the old was to', async () => {
  const { visitor } = owner
  const old = await createKey({ access: 'READ_ONLY' })
  const answer = await visitor.post(`${path}/keys/${old.id}/replace`, { graceHours: 1 })
  assert.equal(answer.status, 201, answer.text)
  const made = answer.json as { id: string; key: string; access: string; expiresAt: null }
  assert.equal(made.access, 'READ_ONLY')
  assert.equal(made.expiresAt, null)
  for (const key of [old.key, made.key])
    assert.equal((await fixture.api.get('/monitors', { key })).status, 200)
  await fixture.db.run(
    `update api_keys set expires_at = expires_at - interval '1 hour' where id = $1`,
    [toUuid(old.id)],
  )
  assert.equal((await fixture.api.get('/monitors', { key: old.key })).status, 401)
  assert.equal((await fixture.api.get('/monitors', { key: made.key })).status, 200)
  const gone = await visitor.post(`${path}/keys/${made.id}/replace`, { graceHours: 0 })
  assert.equal(gone.status, 201)
  assert.equal((await fixture.api.get('/monitors', { key: made.key })).status, 401)
})

test('createKey, updateKey, replaceKey: a full key may be marked for assistants that write', async () => {
  const { visitor } = owner
  const refused = await visitor.post(`${path}/keys`, {
    name: 'x',
    access: 'READ_ONLY',
    mcpWrites: true,
  })
  assert.deepEqual(refused.paths, ['mcpWrites'])
  type Shown = { id: string; mcpWrites: boolean }
  const plain = (await visitor.post(`${path}/keys`, { name: 'Assistant' })).json as Shown
  assert.equal(plain.mcpWrites, false)
  const marked = await visitor.patch(`${path}/keys/${plain.id}`, { mcpWrites: true })
  assert.equal((marked.json as Shown).mcpWrites, true)
  const renamed = await visitor.patch(`${path}/keys/${plain.id}`, { name: 'Renamed' })
  assert.equal((renamed.json as Shown).mcpWrites, true)
  const next = await visitor.post(`${path}/keys/${plain.id}/replace`, { graceHours: 0 })
  assert.equal((next.json as Shown).mcpWrites, true)
  const reader = await createKey({ access: 'READ_ONLY' })
  const wrong = await visitor.patch(`${path}/keys/${reader.id}`, { mcpWrites: true })
  assert.deepEqual(wrong.paths, ['mcpWrites'])
})

test('keys: another organization’s are not there', async () => {
  const id = toId('org', (await organizationNamed('Other organization')).id)
  const { visitor } = await fixture.join(id, 'OWNER')
  const { id: keyId, key } = await createKey({})
  const foreign = `/organizations/${id}/keys/${keyId}`
  const answers = [
    await visitor.patch(foreign, { enabled: false }),
    await visitor.delete(foreign),
    await visitor.post(`${foreign}/replace`, {}),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404],
  )
  assert.equal((await fixture.api.get('/monitors', { key })).status, 200)
})

test('createOrganization: only for owners, with the plan of the one they own', async () => {
  for (const role of ['READ_ONLY', 'MEMBER', 'ADMIN'] as const) {
    const { visitor } = await fixture.join(orgId, role)
    assert.equal((await visitor.post('/organizations', { name: 'Mine' })).status, 403, role)
  }
  const nobodys = await fixture.enter(await fixture.addPerson())
  assert.equal((await nobodys.post('/organizations', { name: 'Mine' })).status, 403)

  const { id } = await organizationNamed('Free plan')
  await fixture.db.run(
    `update organizations set private_targets = false, limit_overrides = '{"monitors": 7}' where id = $1`,
    [id],
  )
  const free = await fixture.addPerson()
  await fixture.db.run(`insert into members values ($1, $2, 'OWNER')`, [id, free.uuid])
  const visitor = await fixture.enter(free)
  const made = await visitor.post('/organizations', { name: 'Second' })
  assert.equal(made.status, 201, made.text)
  const { id: newId, plan } = made.json as { id: string; plan: string }
  assert.equal(plan, 'FREE')
  const row = await fixture.db.one(
    'select private_targets, limit_overrides from organizations where id = $1',
    [toUuid(newId)],
  )
  assert.deepEqual(row, { private_targets: false, limit_overrides: { monitors: 7 } })
  type Seen = { role: string; usage: { monitors: { limit: number } } }
  const seen = (await visitor.get(`/organizations/${newId}`)).json as Seen
  assert.equal(seen.role, 'OWNER')
  assert.equal(seen.usage.monitors.limit, 7)
  // It can store secrets: it has its own encryption key.
  const monitor = { name: 'Job', type: 'CRON', intervalSeconds: 300 }
  assert.equal((await visitor.post(`/organizations/${newId}/monitors`, monitor)).status, 201)
})

test('createOrganization: refused without a paid subscription, and beyond twenty', async () => {
  const { id } = await organizationNamed('No subscription')
  const lapsed = await fixture.addPerson()
  await fixture.db.run(`insert into members values ($1, $2, 'OWNER')`, [id, lapsed.uuid])
  const visitor = await fixture.enter(lapsed)
  assert.equal((await visitor.post('/organizations', { name: 'New' })).status, 403)
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      owner.visitor.post('/organizations', { name: `Organization ${i}` }),
    ),
  )
  const owned = `user_id = $1 and role = 'OWNER'`
  assert.equal(await fixture.db.count('members', owned, [owner.person.uuid]), 20)
  assert.ok(answers.filter(({ status }) => status === 409).length >= 5)
})

test('renameOrganization: people and members see the new name', async () => {
  assert.equal((await owner.visitor.patch(path, { name: 'Acme' })).status, 200)
  const seen = (await owner.visitor.get(path)).json as { name: string }
  assert.equal(seen.name, 'Acme')
  assert.deepEqual((await owner.visitor.patch(path, { name: '' })).paths, ['name'])
})

function changeRole(by: Visitor, { id }: Person, role: Role): Promise<ApiResponse> {
  return by.patch(`${path}/members/${id}`, { role })
}

function remove(by: Visitor, { id }: Person): Promise<ApiResponse> {
  return by.delete(`${path}/members/${id}`)
}

async function createKey(fields: Record<string, unknown>): Promise<{ id: string; key: string }> {
  const answer = await owner.visitor.post(`${path}/keys`, { name: 'Key', ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.json as { id: string; key: string }
}

function ownersLeft(): Promise<number> {
  return fixture.db.count('members', `org_id = $1 and role = 'OWNER'`, [toUuid(orgId)])
}

async function leaveOnly({ person }: Member): Promise<void> {
  await fixture.db.run('delete from members where org_id = $1 and user_id <> $2', [
    toUuid(orgId),
    person.uuid,
  ])
}

function organizationNamed(name: string): Promise<{ id: string }> {
  return fixture.db.one<{ id: string }>('select id from organizations where name = $1', [name])
}
