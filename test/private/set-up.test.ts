// The set-up link, and organizations that an operator created by command before there was an account.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toId, toUuid } from '../kit/ids.ts'
import type { ApiResponse } from '../kit/response.ts'
import { type AppFixture, PASSWORD, sha256, startAppFixture } from './fixture.ts'

const OFFERED = 50

let fixture: AppFixture
let token: string

before(async () => {
  fixture = await startAppFixture({}, { own: true })
})
after(() => fixture?.stop())

/** Random, and when it was made: as the first start prints it. */
function tokenOfAge(minutes: number): string {
  const seconds = Math.floor(Date.now() / 1000) - minutes * 60
  return `${randomBytes(32).toString('base64url')}.${seconds.toString(36)}`
}

// A freshly migrated installation whose log contains a link.
beforeEach(async () => {
  token = tokenOfAge(0)
  await fixture.db.run('truncate users, organizations, setup cascade')
  await fixture.db.run('insert into setup (token_hash) values ($1)', [sha256(token)])
})

test('setUpInstallation: the first person becomes the owner of the organization that a command created, and sees what its key created', async () => {
  const made = await createOrganization('My team')
  assert.match(made.note, /^My team has no members yet\. Open the set-up link in the log/)
  const { key } = (await fixture.operate(['key', 'create', '--name', 'Key'])) as { key: string }
  const body = { name: 'Site', type: 'HTTP', url: 'https://example.com/' }
  const created = await fetch(`${fixture.service.baseUrl}/api/v1/monitors`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(created.status, 201, await created.text())

  assert.deepEqual(await offered(), [{ id: made.id, name: 'My team' }])
  const visitor = fixture.visitor()
  const answer = await visitor.post('/setup', { ...person(), organizationId: made.id })
  assert.equal(answer.status, 201, answer.text)
  const me = (await visitor.get('/me')).json as { organizations: object[] }
  assert.deepEqual(me.organizations, [
    {
      id: made.id,
      name: 'My team',
      plan: 'UNLIMITED',
      role: 'OWNER',
      timezone: null,
      eraseAt: null,
      needsSecondFactor: false,
    },
  ])
  const seen = (await visitor.get(`/organizations/${made.id}/monitors`)).json as {
    data: { name: string }[]
  }
  assert.deepEqual(
    seen.data.map(({ name }) => name),
    ['Site'],
  )
  const log = (await visitor.get(`/organizations/${made.id}/audit-log`)).json as {
    data: { action: string }[]
  }
  assert.ok(log.data.some(({ action }) => action === 'joinOrganization'))

  const later = await createOrganization('Later')
  assert.match(later.note, /^Later has no members yet\. Invite its owner with upvane person invite/)
  assert.equal((await fixture.visitor().post('/setup/read', { token })).status, 404, 'spent')
})

test('readSetup: only organizations without members that exist are offered, oldest first, at most 50', async () => {
  assert.deepEqual(await offered(), [])
  const [first, second] = [await createOrganization('First'), await createOrganization('Second')]
  assert.deepEqual(
    (await offered()).map(({ id }) => id),
    [first.id, second.id],
  )
  await fixture.db.run('update organizations set deleted_at = now() where id = $1', [
    toUuid(first.id),
  ])
  assert.deepEqual(await offered(), [{ id: second.id, name: 'Second' }])
  await fixture.db.run(
    `insert into organizations (id, name, plan, private_targets)
     select new_uuid(), 'Team ' || n, 'FREE', false from generate_series(1, $1) n`,
    [OFFERED + 10],
  )
  assert.equal((await offered()).length, OFFERED)
})

test('setUpInstallation: refuses an organization that has members, is deleted or does not exist, and leaves the link good', async () => {
  const owned = await createOrganization('Owned')
  const gone = await createOrganization('Gone')
  await fixture.db.run('update organizations set deleted_at = now() where id = $1', [
    toUuid(gone.id),
  ])
  const member = await fixture.addPerson()
  await fixture.addMember(owned.id, member, 'OWNER')
  assert.equal((await setUp({ organizationId: owned.id })).status, 404, 'somebody has an account')
  await fixture.db.run('delete from users')
  const nobody = toId('org', '018f0000-0000-7000-8000-000000000000')
  for (const organizationId of [gone.id, nobody, 'org_', 'x'.repeat(100), 'mon_0', ''])
    assert.deepEqual((await setUp({ organizationId })).paths, ['organizationId'], organizationId)
  assert.deepEqual((await setUp({ organizationId: 'x'.repeat(101) })).paths, ['organizationId'])
  assert.deepEqual((await setUp({})).paths, ['organization'])
  const both = { organization: 'Acme', organizationId: owned.id }
  assert.deepEqual((await setUp(both)).paths, ['organizationId'])
  assert.equal(await fixture.db.count('users', 'true', []), 0)
  assert.equal((await setUp({ organizationId: owned.id })).status, 201)
})

test('setUpInstallation: ten at once for the same organization give it one owner', async () => {
  const made = await createOrganization('My team')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      setUp({ organizationId: made.id, email: `boss-${i}@example.com` }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 404).length, 9)
  assert.equal(await fixture.db.count('members', 'true', []), 1)
})

test('setUpInstallation: a new organization can be chosen although there are others', async () => {
  await createOrganization('My team')
  assert.equal((await setUp({ organization: 'Acme' })).status, 201)
  assert.equal(await fixture.db.count('organizations', 'true', []), 2)
})

test('ADMIN_ORGANIZATION: an organization of this name without members is not created a second time', async () => {
  const made = await createOrganization('Configured')
  await createOrganization('Another')
  const directory = mkdtempSync(join(tmpdir(), 'upvane-admin-'))
  const file = join(directory, 'password')
  writeFileSync(file, PASSWORD)
  await fixture.stack.start('api', {
    env: {
      ADMIN_EMAIL: 'root@example.com',
      ADMIN_PASSWORD_FILE: file,
      ADMIN_ORGANIZATION: 'Configured',
    },
  })
  for (let i = 0; i < 50 && (await fixture.db.count('users', 'true', [])) === 0; i++)
    await delay(100)
  rmSync(directory, { recursive: true })
  const root = fixture.visitor()
  assert.equal((await root.signIn('root@example.com', PASSWORD)).status, 200)
  const { organizations } = (await root.get('/me')).json as { organizations: { id: string }[] }
  assert.deepEqual(
    organizations.map(({ id }) => id),
    [made.id],
  )
  assert.equal(await fixture.db.count('organizations', 'true', []), 2)
})

type Created = { id: string; name: string; note: string }

async function createOrganization(name: string): Promise<Created> {
  return (await fixture.operate(['org', 'create', '--name', name])) as Created
}

async function offered(): Promise<{ id: string; name: string }[]> {
  const answer = await fixture.visitor().post('/setup/read', { token })
  assert.equal(answer.status, 200, answer.text)
  return (answer.json as { organizations: { id: string; name: string }[] }).organizations
}

const person = () => ({ token, name: 'Boss', email: 'boss@example.com', password: PASSWORD })

function setUp(fields: Record<string, string>): Promise<ApiResponse> {
  return fixture.visitor().post('/setup', { ...person(), ...fields })
}

test('the link ends after an hour, and no other time can be written into it', async () => {
  const shown = async (offered: string, typed = offered) => {
    await fixture.db.run('update setup set token_hash = $1', [sha256(offered)])
    const visitor = fixture.visitor()
    const read = await visitor.post('/setup/read', { token: typed })
    const done = await visitor.post('/setup', { ...person(), organization: 'Acme', token: typed })
    return [read.status, done.status]
  }
  const old = tokenOfAge(61)
  assert.deepEqual(await shown(old), [404, 404])
  const [random = ''] = old.split('.')
  const [, now = ''] = tokenOfAge(0).split('.')
  assert.deepEqual(await shown(old, `${random}.${now}`), [404, 404])
  assert.deepEqual(await shown(random), [404, 404], 'as the previous version printed it')
  assert.deepEqual(await shown(tokenOfAge(59)), [200, 201])
})
