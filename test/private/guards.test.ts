// Guards against races between two requests, and on rarely used paths.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import {
  type AppFixture,
  hashOf,
  PASSWORD,
  type Person,
  sha256,
  startAppFixture,
  stepNow,
  totp,
} from './fixture.ts'

const NEW_PASSWORD = 'a better staple than before'
// Longer than it takes to reach the locked row, even on a busy machine.
const HELD_SECONDS = 1.5
const BEFORE_REQUEST_MS = 200
const LINKS = 20

let fixture: AppFixture
let owner: { person: Person; visitor: Visitor }

before(async () => {
  fixture = await startAppFixture({}, { own: true })
  owner = await fixture.join(fixture.orgId, 'OWNER')
})
after(() => fixture.stop())

/** Runs a statement that holds its row locks for a moment: a request sent meanwhile has read the old values. */
async function whileRunning<T>(
  statement: string,
  values: unknown[],
  ask: () => Promise<T>,
): Promise<T> {
  const changing = fixture.db.run(statement, values)
  await delay(BEFORE_REQUEST_MS)
  const answer = await ask()
  await changing
  return answer
}

const HOLD = `returning id, pg_sleep(${HELD_SECONDS})`

/** Changes a person's row and ends their sessions. */
const whileChanging = <T>({ uuid }: Person, change: string, ask: () => Promise<T>) =>
  whileRunning(
    `with held as (update users set ${change} where id = $1 ${HOLD})
     delete from sessions where user_id in (select id from held) returning id`,
    [uuid],
    ask,
  )

test('signIn: a password that is changed while it is verified opens nothing', async () => {
  const person = await fixture.addPerson()
  const visitor = fixture.visitor()
  const change = `password_hash = '${hashOf(NEW_PASSWORD)}'`
  const answer = await whileChanging(person, change, () => visitor.signIn(person.email, PASSWORD))
  assert.equal(answer.status, 401)
  assert.equal(await fixture.db.count('sessions', 'user_id = $1', [person.uuid]), 0)
  assert.equal((await visitor.signIn(person.email, NEW_PASSWORD)).status, 200)
})

test('verifySecondFactor: half a session that ends meanwhile is not made whole', async () => {
  const person = await fixture.addPerson()
  const { codes } = await setUpFactor(await fixture.enter(person))
  const visitor = fixture.visitor()
  assert.equal((await visitor.signIn(person.email, PASSWORD)).status, 200)
  const give = () => visitor.post('/session/second-factor', { code: codes[0] })
  const answer = await whileChanging(person, 'updated_at = now()', give)
  assert.equal(answer.status, 401)
  assert.equal(await fixture.db.count('sessions', 'user_id = $1', [person.uuid]), 0)
})

test('verifySecondFactor: a code that is spent meanwhile opens nothing', async () => {
  const person = await fixture.addPerson()
  const { secret } = await setUpFactor(await fixture.enter(person))
  const visitor = await fixture.enter(person, { complete: false })
  const step = stepNow() + 1
  const spend = `update users set totp_last_step = ${step} where id = $1 ${HOLD}`
  const answer = await whileRunning(spend, [person.uuid], () =>
    visitor.post('/session/second-factor', { code: totp(secret, step) }),
  )
  assert.equal(answer.status, 401)
})

test('acceptInvitation: one that is used meanwhile lets nobody in', async () => {
  const person = await fixture.addPerson()
  const { email } = person
  const path = `/organizations/${fixture.orgId}/invitations`
  const { link } = (await owner.visitor.post(path, { email, role: 'ADMIN' })).json as {
    link: string
  }
  const visitor = await fixture.enter(person)
  const use = `update invitations set accepted_at = now() where email = $1 ${HOLD}`
  const answer = await whileRunning(use, [email], () =>
    visitor.post('/invitations/accept', { token: new URL(link).hash.slice(1) }),
  )
  assert.equal(answer.status, 404)
  assert.equal(await fixture.db.count('members', 'user_id = $1', [person.uuid]), 0)
})

test('changePassword: of two that are chosen at once the second is refused', async () => {
  const person = await fixture.addPerson()
  const visitor = await fixture.enter(person)
  const change = `password_hash = '${hashOf('somebody was quicker')}'`
  const answer = await whileChanging(person, change, () =>
    visitor.post('/me/password', { current: PASSWORD, password: NEW_PASSWORD }),
  )
  assert.equal(answer.status, 409)
  assert.equal((await fixture.visitor().signIn(person.email, NEW_PASSWORD)).status, 401)
})

test('second factor: one that was never confirmed proves nothing, and cannot be removed', async () => {
  const visitor = await fixture.enter(await fixture.addPerson())
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const code = totp((begun.json as { secret: string }).secret, stepNow())
  assert.equal((await visitor.post('/session/second-factor', { code })).status, 401)
  assert.deepEqual((await visitor.post('/me/second-factor/remove', { code })).paths, ['code'])
  assert.equal((await visitor.post('/me/second-factor/confirm', { code })).status, 200)
})

test('signIn: nobody is locked out for good, the window ends by itself', async () => {
  const person = await fixture.addPerson()
  const address = '198.51.100.40'
  const tryOnce = (password: string) => fixture.visitor({ address }).signIn(person.email, password)
  for (let i = 0; i < 5; i++) assert.equal((await tryOnce('wrong')).status, 401)
  assert.equal((await tryOnce(PASSWORD)).status, 429)
  await fixture.db.run(`update sign_in_windows set started_at = started_at - interval '14 minutes'`)
  assert.equal((await tryOnce(PASSWORD)).status, 429)
  await fixture.db.run(`update sign_in_windows set started_at = started_at - interval '2 minutes'`)
  for (let i = 0; i < 5; i++) assert.equal((await tryOnce('wrong')).status, 401, 'counted again')
  assert.equal((await tryOnce(PASSWORD)).status, 429)
})

const inventedId = () => randomBytes(32).toString('base64url')
const setUpWith = (password: string) => ({
  token: inventedId(),
  organization: 'Acme',
  name: 'Boss',
  email: 'boss@example.com',
  password,
})

// biome-ignore format: a table is read by its columns
const DOORS: [what: string, knock: (visitor: Visitor) => Promise<ApiResponse>][] = [
  ['readInvitation',   (visitor) => visitor.post('/invitations/read', { token: inventedId() })],
  ['acceptInvitation', (visitor) => visitor.post('/invitations/accept', { token: inventedId(), name: 'X', password: NEW_PASSWORD })],
  ['readSetup',        (visitor) => visitor.post('/setup/read', { token: inventedId() })],
  ['setUp',            (visitor) => visitor.post('/setup', setUpWith(NEW_PASSWORD))],
]

for (const [what, knock] of DOORS)
  test(`${what}: made-up links end after twenty`, async () => {
    const visitor = fixture.visitor()
    const answers: ApiResponse[] = []
    for (let i = 0; i < LINKS + 2; i++) answers.push(await knock(visitor))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(statuses, [...Array<number>(LINKS).fill(404), 429, 429])
    assert.equal((await knock(fixture.visitor())).status, 404, 'another address tries its own')
  })

test('setUpInstallation: made-up links cost no hash', async () => {
  const withHash: number[] = []
  const without: number[] = []
  for (let i = 0; i < 5; i++) {
    withHash.push(await timeOf(() => fixture.visitor().signIn(`none-${i}@example.com`, 'guess')))
    without.push(await timeOf(() => fixture.visitor().post('/setup', setUpWith(NEW_PASSWORD))))
  }
  const [hash, none] = [median(withHash), median(without)]
  assert.ok(none < hash / 2, `${none.toFixed(1)} ms, and ${hash.toFixed(1)} ms with a hash`)
})

test('weak passwords: refused at each of the four doors, and nothing is used up', async () => {
  const weak = 'short'
  const person = await fixture.addPerson()
  const visitor = await fixture.enter(person)
  const path = `/organizations/${fixture.orgId}/invitations`
  const email = `new-${inventedId().slice(0, 8).toLowerCase()}@example.com`
  const invited = await owner.visitor.post(path, { email, role: 'MEMBER' })
  const { link } = invited.json as { link: string }
  const invitation = { token: new URL(link).hash.slice(1), name: 'New' }
  const token = inventedId()
  await fixture.db.run(
    `insert into user_tokens (id, user_id, purpose, token_hash, expires_at)
     values (new_uuid(), $1, 'RESET_PASSWORD', $2, now() + interval '1 hour')`,
    [person.uuid, sha256(token)],
  )
  const change = { current: PASSWORD, password: weak }
  const reset = (password: string) =>
    fixture.visitor().post('/password-resets/complete', { token, password })
  const accept = (password: string) =>
    fixture.visitor().post('/invitations/accept', { ...invitation, password })
  for (const answer of [
    await fixture.visitor().post('/setup', setUpWith(weak)),
    await visitor.post('/me/password', change),
    await reset(weak),
    await accept(weak),
  ])
    assert.deepEqual([answer.status, answer.paths], [400, ['password']])
  assert.equal((await reset(NEW_PASSWORD)).status, 200)
  assert.equal((await accept(NEW_PASSWORD)).status, 200)
})

test('inviteMember: nobody invites to more than they are', async () => {
  const admin = await fixture.join(fixture.orgId, 'ADMIN')
  const path = `/organizations/${fixture.orgId}/invitations`
  const email = 'above@example.com'
  assert.equal((await admin.visitor.post(path, { email, role: 'OWNER' })).status, 409)
  assert.equal((await admin.visitor.post(path, { email, role: 'ADMIN' })).status, 201)
})

test('an organization that is gone is gone for its members', async () => {
  const { id } = await fixture.createOrganization()
  const { visitor } = await fixture.join(id, 'OWNER')
  const path = `/organizations/${id}`
  assert.equal((await visitor.get(path)).status, 200)
  await fixture.db.run('update organizations set deleted_at = now() where id = $1', [toUuid(id)])
  for (const answer of [await visitor.get(path), await visitor.get(`${path}/monitors`)]) {
    assert.equal(answer.status, 404)
    assert.equal(answer.error.message, 'There is no such organization.')
  }
  const { organizations } = (await visitor.get('/me')).json as { organizations: object[] }
  assert.deepEqual(organizations, [])
})

test('without a subscription members read and delete, and change nothing', async () => {
  const { id, uuid } = await fixture.createOrganization()
  const { visitor } = await fixture.join(id, 'OWNER')
  const path = `/organizations/${id}/monitors`
  const job = { name: 'Job', type: 'CRON' }
  const made = await visitor.post(path, job)
  const own = `${path}/${(made.json as { id: string }).id}`
  await fixture.db.run(`update subscriptions set status = 'CANCELED' where org_id = $1`, [uuid])
  for (const refused of [await visitor.post(path, job), await visitor.patch(own, { name: 'X' })])
    assert.deepEqual([refused.status, refused.error.code], [422, 'subscription_required'])
  assert.equal((await visitor.get(own)).status, 200)
  assert.equal((await visitor.delete(own)).status, 200)
})

async function setUpFactor(visitor: Visitor): Promise<{ secret: string; codes: string[] }> {
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const { secret } = begun.json as { secret: string }
  const code = totp(secret, stepNow())
  const confirmed = await visitor.post('/me/second-factor/confirm', { code })
  assert.equal(confirmed.status, 200, confirmed.text)
  const { recoveryCodes } = confirmed.json as { recoveryCodes: string[] }
  return { secret, codes: recoveryCodes }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
