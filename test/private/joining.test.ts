// How people get an account: the first person, invited people, and those who forgot their password.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../../tools/stack.ts'
import { toId } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import {
  type AppFixture,
  PASSWORD,
  type Person,
  type Role,
  sha256,
  startAppFixture,
} from './fixture.ts'

const NEW_PASSWORD = 'a better staple than before'
const PROCESSES = 2

let fixture: AppFixture
let owner: Visitor

before(async () => {
  fixture = await startAppFixture({}, { own: true })
  owner = (await fixture.join(fixture.orgId, 'OWNER')).visitor
})
after(() => fixture.stop())

test('invitation: read, accepted by somebody new, who is a member then and signed in', async () => {
  const { token, email } = await invite('MEMBER')
  const visitor = fixture.visitor()
  const read = await visitor.post('/invitations/read', { token })
  assert.deepEqual(read.json, {
    organization: 'Demo',
    email,
    role: 'MEMBER',
    invitedBy: 'OWNER',
    hasAccount: false,
  })
  assert.deepEqual((await accept(visitor, token)).paths, ['name', 'password'])
  assert.deepEqual((await accept(visitor, token, { password: 'short' })).paths, ['password'])
  const local = email.split('@')[0] ?? ''
  assert.deepEqual((await accept(visitor, token, { password: `${local}!!` })).paths, ['password'])

  const answer = await accept(visitor, token, {})
  assert.deepEqual(answer.json, { organizationId: fixture.orgId })
  assert.equal(await visitor.step(), 'SIGNED_IN')
  assert.equal((await visitor.get(`/organizations/${fixture.orgId}/monitors`)).status, 200)
  assert.equal((await fixture.visitor().signIn(email, NEW_PASSWORD)).status, 200)
  const { data } = (await owner.get(`/organizations/${fixture.orgId}/audit-log`)).json as Audit
  assert.equal(data[0]?.action, 'joinOrganization')
  assert.deepEqual(data[0]?.actor.name, 'New')
})

test('invitation: it lets one person in, once, also when ten come at the same time', async () => {
  const { token } = await invite('ADMIN')
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => accept(fixture.visitor(), token, {})),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => [200, 404, 409].includes(status)))
  assert.equal((await fixture.visitor().post('/invitations/read', { token })).status, 404)
  assert.equal((await accept(fixture.visitor(), token, {})).status, 404)
})

test('invitation: for another address it is nobody else’s, and is not used up', async () => {
  const { token, email } = await invite('OWNER')
  const stranger = await fixture.enter(await fixture.addPerson())
  const answer = await accept(stranger, token)
  assert.equal(answer.status, 409)
  assert.match(answer.error.message, /another email address/)
  assert.equal((await stranger.get(`/organizations/${fixture.orgId}`)).status, 404)
  assert.equal((await accept(fixture.visitor(), token, {})).status, 200)
  assert.equal((await fixture.visitor().signIn(email, NEW_PASSWORD)).status, 200)
})

test('invitation: an account that exists is entered by its owner, not by the link', async () => {
  const person = await fixture.addPerson()
  const { token } = await invite('READ_ONLY', person.email)
  const thief = fixture.visitor()
  const read = (await thief.post('/invitations/read', { token })).json as { hasAccount: boolean }
  assert.equal(read.hasAccount, true)
  assert.equal((await accept(thief, token, {})).status, 409)
  assert.equal(await thief.step(), 'SIGN_IN')
  const half = await fixture.enter(person, { complete: false })
  assert.equal((await accept(half, token, {})).status, 409, 'nor with half a session')

  const visitor = await fixture.enter(person)
  assert.equal((await accept(visitor, token)).status, 200)
  assert.equal((await visitor.get(`/organizations/${fixture.orgId}`)).status, 200)
})

test('invitation: a new one for the same address ends the old, withdrawing ends it, and so do seven days', async () => {
  const first = await invite('MEMBER')
  const second = await invite('READ_ONLY', first.email)
  const read = (token: string) => fixture.visitor().post('/invitations/read', { token })
  assert.equal((await read(first.token)).status, 404)
  assert.equal((await read(second.token)).status, 200)
  const path = `/organizations/${fixture.orgId}/invitations`
  const open = (await owner.get(path)).json as { data: { id: string; email: string }[] }
  assert.equal(open.data.filter(({ email }) => email === first.email).length, 1)
  assert.equal((await owner.delete(`${path}/${second.id}`)).status, 200)
  assert.equal((await read(second.token)).status, 404)
  assert.equal((await owner.delete(`${path}/${second.id}`)).status, 404)

  const third = await invite('MEMBER')
  const shift = `update invitations set expires_at = expires_at - interval '7 days' where token_hash = $1`
  await fixture.db.run(shift, [sha256(third.token)])
  assert.equal((await read(third.token)).status, 404)
  assert.equal((await accept(fixture.visitor(), third.token, {})).status, 404)
})

test('invitation: who belongs to it already is not invited again, and one organization sends fifty at most', async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  const path = `/organizations/${fixture.orgId}/invitations`
  const again = await owner.post(path, { email: person.email.toUpperCase(), role: 'MEMBER' })
  assert.equal(again.status, 409)
  await fixture.db.run('delete from sign_in_windows')
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, i) =>
      owner.post(path, { email: `guest-${i}@example.com`, role: 'MEMBER' }),
    ),
  )
  await fixture.db.run('delete from sign_in_windows')
  assert.equal(answers.filter(({ status }) => status === 201).length, 50)
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
})

test('reset: a link is good once, ends every session, and leaves the second factor', async () => {
  const person = await fixture.addPerson()
  const session = await fixture.enter(person)
  const token = await resetToken(person)
  assert.deepEqual((await reset(token, 'short')).paths, ['password'])
  assert.deepEqual((await reset(token, `${person.email.split('@')[0]} x`)).paths, ['password'])
  assert.equal((await session.get('/me')).status, 200)

  assert.equal((await reset(token)).status, 200)
  assert.equal((await session.get('/me')).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, PASSWORD)).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, NEW_PASSWORD)).status, 200)
  assert.equal((await reset(token, 'yet another password')).status, 404)
  assert.equal((await fixture.visitor().signIn(person.email, NEW_PASSWORD)).status, 200)

  await fixture.db.run(
    `update users set totp_seed = '\\x00', totp_confirmed_at = now() where id = $1`,
    [person.uuid],
  )
  assert.equal((await reset(await resetToken(person))).status, 200)
  const visitor = fixture.visitor()
  await visitor.signIn(person.email, NEW_PASSWORD)
  assert.equal(await visitor.step(), 'SECOND_FACTOR')
})

test('reset: ten at once with one link set one password', async () => {
  const person = await fixture.addPerson()
  const token = await resetToken(person)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => reset(token, `the password of try ${i}`)),
  )
  const winners = answers.flatMap(({ status }, i) => (status === 200 ? i : []))
  assert.equal(winners.length, 1)
  const password = `the password of try ${winners[0]}`
  assert.equal((await fixture.visitor().signIn(person.email, password)).status, 200)
})

test('reset: a link ends after an hour, and with the account', async () => {
  const person = await fixture.addPerson()
  const late = await resetToken(person)
  await fixture.db.run(
    `update user_tokens set expires_at = now() - interval '1 second' where token_hash = $1`,
    [sha256(late)],
  )
  assert.equal((await reset(late)).status, 404)
  const token = await resetToken(person)
  const setClosed = `update users set disabled_at = case when $2 then now() end where id = $1`
  await fixture.db.run(setClosed, [person.uuid, true])
  assert.equal((await reset(token)).status, 404)
  await fixture.db.run(setClosed, [person.uuid, false])
  assert.equal((await reset(token)).status, 200)
})

test('reset: made-up links cost no hash, and end after twenty', async () => {
  const visitor = fixture.visitor()
  const madeUp = () => ({
    token: randomBytes(32).toString('base64url'),
    password: NEW_PASSWORD,
  })
  const withHash: number[] = []
  const without: number[] = []
  for (let i = 0; i < 5; i++) {
    withHash.push(await timeOf(() => fixture.visitor().signIn(`nobody-${i}@example.com`, 'guess')))
    without.push(await timeOf(() => visitor.post('/password-resets/complete', madeUp())))
  }
  const [hash, none] = [median(withHash), median(without)]
  assert.ok(none < hash / 2, `${none.toFixed(1)} ms, and ${hash.toFixed(1)} ms with a hash`)

  const answers: ApiResponse[] = []
  for (let i = 0; i < 20; i++)
    answers.push(await visitor.post('/password-resets/complete', madeUp()))
  assert.equal(answers.filter(({ status }) => status === 404).length, 15)
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
})

test('reset: without a mail relay nobody is left waiting for a mail', async () => {
  const answer = await fixture.visitor().post('/password-resets', { email: 'x@example.com' })
  assert.equal(answer.status, 409)
})

test('operator: lets somebody into an organization that has nobody, and shuts them out', async () => {
  const { id: uuid } = await fixture.db.one<{ id: string }>(
    `select id from organizations where name = 'Other organization'`,
  )
  const id = toId('org', uuid)
  const email = 'first-owner@example.com'
  const words = ['person', 'invite', '--org', id, '--email', email]
  const invited = (await fixture.operate(words)) as { link: string; role: string }
  assert.equal(invited.role, 'OWNER')
  const visitor = fixture.visitor()
  assert.equal((await accept(visitor, tokenIn(invited), {})).status, 200)
  assert.equal((await visitor.get(`/organizations/${id}`)).status, 200)
  await fixture.operate(['person', 'disable', '--email', email])
  assert.equal((await visitor.get('/me')).status, 401)
  assert.equal((await fixture.visitor().signIn(email, NEW_PASSWORD)).status, 401)
})

test('setUpInstallation: of several processes that start at once one link works, and it works once', async () => {
  await forgetEverybody()
  const { links, baseUrl } = await startMany({})
  assert.equal(links.length, PROCESSES)
  const first = fixture.visitor({ baseUrl })
  assert.equal(await first.step(), 'SET_UP')
  assert.deepEqual((await setUp(links[0] ?? '', { password: 'short' })).paths, ['password'])
  assert.deepEqual((await setUp(links[0] ?? '', { email: 'no address' })).paths, ['email'])

  const answers = await Promise.all(
    links.flatMap((link) => Array.from({ length: 4 }, () => setUp(link, {}))),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 404).length, 4 * PROCESSES - 1)
  assert.equal(await fixture.db.count('users', 'true', []), 1)
  assert.equal(await fixture.db.count('members', `role = 'OWNER'`, []), 1)
  assert.equal(await first.step(), 'SIGN_IN')
  const boss = fixture.visitor()
  assert.equal((await boss.signIn('boss@example.com', NEW_PASSWORD)).status, 200)
  const { organizations } = (await boss.get('/me')).json as { organizations: object[] }
  assert.equal(organizations.length, 1)
  for (const link of links) assert.equal((await setUp(link, {})).status, 404)
})

test('setUpInstallation: the configuration’s first account is made once, and no link is printed', async () => {
  await forgetEverybody()
  const directory = mkdtempSync(join(tmpdir(), 'upvane-admin-'))
  const file = join(directory, 'password')
  writeFileSync(file, `${NEW_PASSWORD}\n`)
  const admin = { ADMIN_EMAIL: 'Root@Example.com', ADMIN_PASSWORD_FILE: file }
  const { links } = await startMany(admin)
  rmSync(directory, { recursive: true })
  assert.deepEqual(links, [])
  assert.equal(await fixture.db.count('users', 'true', []), 1)
  const root = fixture.visitor()
  assert.equal((await root.signIn('root@example.com', NEW_PASSWORD)).status, 200)
  const me = (await root.get('/me')).json as { organizations: { name: string; role: string }[] }
  assert.deepEqual(
    me.organizations.map(({ name, role }) => [name, role]),
    [['My organization', 'OWNER']],
  )
})

test('log: neither passwords nor tokens of people are in it', async () => {
  const { token, email } = await (async () => {
    const person = await fixture.addPerson()
    await fixture.addMember(fixture.orgId, person, 'OWNER')
    owner = await fixture.enter(person)
    return invite('MEMBER')
  })()
  await accept(fixture.visitor(), token, {})
  const visitor = fixture.visitor()
  await visitor.signIn(email, NEW_PASSWORD)
  await delay(600)
  const log = logs()
  for (const secret of [token, NEW_PASSWORD, PASSWORD, visitor.cookies.get('upvane') ?? 'none'])
    assert.ok(!log.includes(secret))
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Audit = { data: { action: string; actor: { name: string } }[] }

async function invite(role: Role, to?: string) {
  const email = to ?? `guest-${randomBytes(5).toString('hex')}@example.com`
  const answer = await owner.post(`/organizations/${fixture.orgId}/invitations`, { email, role })
  assert.equal(answer.status, 201, answer.text)
  const { id, link, mailed } = answer.json as { id: string; link: string; mailed: boolean }
  assert.equal(mailed, false)
  return { id, email, token: tokenIn({ link }) }
}

/** As a new person if `chosen` is given. */
function accept(
  visitor: Visitor,
  token: string,
  chosen?: { password?: string },
): Promise<ApiResponse> {
  const body = chosen && { name: 'New', password: NEW_PASSWORD, ...chosen }
  return visitor.post('/invitations/accept', { token, ...body })
}

/** The token is in the fragment, which is never sent to a server. */
function tokenIn(made: unknown): string {
  const { link } = made as { link: string }
  const { pathname, search, hash } = new URL(link)
  assert.match(pathname, /^\/(invitation|reset-password|setup)$/)
  assert.equal(search, '')
  // The link to the first account says when it ends.
  assert.match(hash, pathname === '/setup' ? /^#[\w-]{43}\.[a-z0-9]{6}$/ : /^#[\w-]{43}$/)
  return hash.slice(1)
}

async function resetToken({ uuid }: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await fixture.db.run(
    `insert into user_tokens (id, user_id, purpose, token_hash, expires_at)
     values (new_uuid(), $1, 'RESET_PASSWORD', $2, now() + interval '1 hour')`,
    [uuid, sha256(token)],
  )
  return token
}

function reset(token: string, password = NEW_PASSWORD): Promise<ApiResponse> {
  return fixture.visitor().post('/password-resets/complete', { token, password })
}

function setUp(link: string, fields: Record<string, string>): Promise<ApiResponse> {
  return fixture.visitor().post('/setup', {
    token: tokenIn({ link }),
    organization: 'Acme',
    name: 'Boss',
    email: 'boss@example.com',
    password: NEW_PASSWORD,
    ...fields,
  })
}

async function forgetEverybody(): Promise<void> {
  await fixture.db.run('delete from users')
  await fixture.db.run('delete from setup')
}

const logs = () =>
  globSync(join(fixture.stack.directory, 'service-*.log'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

/** Starts several processes at the same moment, and reads the links they printed. */
async function startMany(env: Environment): Promise<{ links: string[]; baseUrl: string }> {
  const before = linksIn(logs()).length
  const started = await Promise.all(
    Array.from({ length: PROCESSES }, () => fixture.stack.start('api', { env })),
  )
  await delay(700)
  const links = linksIn(logs()).slice(before)
  return { links, baseUrl: started[0]?.baseUrl ?? '' }
}

function linksIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.includes('no account yet'))
    .map((line) => (JSON.parse(line) as { link: string }).link)
}
