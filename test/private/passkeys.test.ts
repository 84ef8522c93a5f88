// Passkeys: adding, signing in and removing, and everything a wrong answer can have wrong with it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeChallenge } from '../../src/domain/people/passkey-challenge.ts'
import { parseMasterKeys } from '../../src/platform/crypto/encryption.ts'
import { Database } from '../../src/store/core/db.ts'
import { PeopleSecrets } from '../../src/store/people/people-secrets.ts'
import { type Bent, otherKey, SoftwarePasskey } from '../kit/passkey.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import {
  type AppFixture,
  PASSWORD,
  type Person,
  startAppFixture,
  stepNow,
  totp,
} from './fixture.ts'

// Browsers use passkeys at localhost as they do over https.
const ORIGIN = 'http://localhost:8080'
const REFUSED = { status: 401, message: 'This passkey was not accepted.' }

let fixture: AppFixture

before(async () => {
  fixture = await startAppFixture({ BASE_URL: ORIGIN })
})
after(() => fixture.stop())

type Creation = Parameters<SoftwarePasskey['create']>[0] & { excludeCredentials: { id: string }[] }
type Request = Parameters<SoftwarePasskey['get']>[0]
type Line = { id: string; name: string; createdAt: string; lastUsedAt: string | null }
type Status = { step: string; canPasskey: boolean; secondFactors: string[] }

const visit = (address?: string) =>
  fixture.visitor({ origin: ORIGIN, ...(address !== undefined && { address }) })
const enter = (person: Person) => fixture.enter(person, { visitor: visit() })

async function beginAdding(visitor: Visitor): Promise<Creation> {
  const begun = await visitor.post('/me/passkeys/begin', { name: 'Laptop', current: PASSWORD })
  assert.equal(begun.status, 200, begun.text)
  return begun.json as Creation
}

async function addTo(visitor: Visitor, passkey = new SoftwarePasskey(ORIGIN), bent: Bent = {}) {
  const answer = passkey.create(await beginAdding(visitor), bent)
  const added = await visitor.post('/me/passkeys', { name: 'Laptop', ...answer })
  return { passkey, answer, added }
}

async function personWithPasskey(signatures = 0) {
  const person = await fixture.addPerson()
  const visitor = await enter(person)
  const { passkey, added } = await addTo(visitor, new SoftwarePasskey(ORIGIN, signatures))
  assert.equal(added.status, 201, added.text)
  const { recoveryCodes } = added.json as { recoveryCodes: string[] }
  return { person, visitor, passkey, recoveryCodes }
}

async function beginSigningIn(visitor: Visitor): Promise<Request> {
  const begun = await visitor.post('/session/passkey/begin')
  assert.equal(begun.status, 200, begun.text)
  return begun.json as Request
}

const send = (visitor: Visitor, answer: unknown) => visitor.post('/session/passkey', answer)

async function signIn(passkey: SoftwarePasskey, visitor = visit(), bent: Bent = {}) {
  return send(visitor, passkey.get(await beginSigningIn(visitor), bent))
}

async function listOf(visitor: Visitor): Promise<Line[]> {
  const found = await visitor.get('/me/passkeys')
  assert.equal(found.status, 200, found.text)
  return (found.json as { data: Line[] }).data
}

function assertRefused({ status, json }: ApiResponse, why: string): void {
  const { message } = (json as { error?: { message: string } }).error ?? {}
  assert.deepEqual({ status, message }, REFUSED, why)
}

test('a passkey is added with the password, signs in alone, and is removed with the password', async () => {
  const person = await fixture.addPerson()
  const [here, there] = [await enter(person), await enter(person)]
  assert.deepEqual(
    (await here.post('/me/passkeys/begin', { name: 'Laptop', current: 'x' })).paths,
    ['current'],
  )
  const { passkey, added } = await addTo(here)
  assert.equal(added.status, 201, added.text)
  assert.equal((added.json as { recoveryCodes: string[] }).recoveryCodes.length, 10)
  assert.equal((await there.get('/me')).status, 401, 'others signed in with less')
  const [line] = await listOf(here)
  assert.equal(line?.name, 'Laptop')
  assert.equal(line.lastUsedAt, null)
  assert.deepEqual((await beginAdding(here)).excludeCredentials, [
    { type: 'public-key', id: passkey.id },
  ])

  const visitor = visit()
  const signedIn = await signIn(passkey, visitor)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal((signedIn.json as Status).step, 'SIGNED_IN')
  const me = (await visitor.get('/me')).json as { person: Record<string, unknown> }
  assert.equal(me.person['id'], person.id)
  assert.equal(me.person['secondFactor'], true)
  assert.equal(me.person['hasAuthenticator'], false)
  assert.ok(((await listOf(visitor))[0]?.lastUsedAt ?? '') > line.createdAt)

  const remove = (current: string) => visitor.post(`/me/passkeys/${line.id}/remove`, { current })
  assert.deepEqual((await remove('x')).paths, ['current'])
  assert.equal((await remove(PASSWORD)).status, 200)
  assert.deepEqual(await listOf(visitor), [])
  assert.equal((await remove(PASSWORD)).status, 404)
  assert.equal((await here.get('/me')).status, 401)
  assertRefused(await signIn(passkey), 'it is gone')
  assert.equal(await fixture.db.count('recovery_codes', 'user_id = $1', [person.uuid]), 0)
  const again = visit()
  assert.equal((await again.signIn(person.email, PASSWORD)).status, 200)
  assert.equal(await again.step(), 'SIGNED_IN', 'nothing else is asked for any more')
})

test('with a passkey the password is half: the passkey or a recovery code is the other', async () => {
  const { person, passkey, recoveryCodes } = await personWithPasskey()
  const visitor = visit()
  const half = (await visitor.signIn(person.email, PASSWORD)).json as Status
  assert.deepEqual([half.step, half.secondFactors], ['SECOND_FACTOR', ['PASSKEY']])
  assert.deepEqual(((await visitor.get('/session')).json as Status).secondFactors, ['PASSKEY'])
  assert.equal((await visitor.get('/me')).status, 401)
  assert.equal((await signIn(passkey, visitor)).status, 200)
  assert.equal((await visitor.get('/me')).status, 200)

  const lost = visit()
  await lost.signIn(person.email, PASSWORD)
  const give = (code: string) => lost.post('/session/second-factor', { code })
  assert.equal((await give('000000')).status, 401)
  assert.equal((await give(recoveryCodes[0] ?? '')).status, 200)
  assert.equal((await lost.get('/me')).status, 200)
  const off = await lost.post('/me/second-factor/remove', { code: recoveryCodes[1] })
  assert.deepEqual(off.paths, ['code'], 'there is no authenticator to remove')
})

test('a passkey beside an authenticator: codes stay, and each is asked for while one of them is left', async () => {
  const { person, visitor, recoveryCodes } = await personWithPasskey()
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const { secret } = begun.json as { secret: string }
  const code = totp(secret, stepNow())
  const confirmed = await visitor.post('/me/second-factor/confirm', { code })
  const codes = (confirmed.json as { recoveryCodes: string[] }).recoveryCodes
  assert.equal(codes.length, 10)
  assert.ok(!codes.includes(recoveryCodes[0] ?? ''), 'the new ones are the ones that count')
  const second = await addTo(visitor)
  assert.deepEqual(second.added.json, { recoveryCodes: [] })

  const half = (await visit().signIn(person.email, PASSWORD)).json as Status
  assert.deepEqual(half.secondFactors, ['AUTHENTICATOR', 'PASSKEY'])
  const off = await visitor.post('/me/second-factor/remove', { code: codes[0] })
  assert.equal(off.status, 200, off.text)
  const left = await fixture.db.count('recovery_codes', 'user_id = $1', [person.uuid])
  assert.equal(left, 10, 'a lost passkey still needs them')
  const next = visit()
  await next.signIn(person.email, PASSWORD)
  assert.equal(await next.step(), 'SECOND_FACTOR')
  assert.equal((await next.post('/session/second-factor', { code: codes[1] })).status, 200)
})

test('signInByPasskey: an answer counts once, in the browser that asked, for five minutes', async () => {
  const { passkey } = await personWithPasskey()
  const visitor = visit()
  const options = await beginSigningIn(visitor)
  const answer = passkey.get(options)
  const stranger = visit()
  await beginSigningIn(stranger)
  assertRefused(await send(stranger, answer), 'the challenge of another browser')
  assertRefused(await send(visit(), answer), 'a browser that never asked')
  assert.equal((await send(visitor, answer)).status, 200)
  assertRefused(await send(visitor, answer), 'a replay')
  assertRefused(await send(visitor, passkey.get(options)), 'a second answer to one challenge')
  const { count } = await fixture.db.one<{ count: number }>(
    'select count(*)::int as count from answered_challenges where expires_at <= now() + interval $$5 minutes$$',
  )
  assert.ok(count > 0)
})

test('signInByPasskey: of a hundred replays at once one opens a session', async () => {
  const { person, passkey } = await personWithPasskey()
  const visitor = visit()
  const answer = passkey.get(await beginSigningIn(visitor))
  await fixture.db.run('delete from sessions where user_id = $1', [person.uuid])
  const cookies = [...visitor.cookies]
  const tries = Array.from({ length: 100 }, () => {
    const copy = visit()
    for (const [name, value] of cookies) copy.cookies.set(name, value)
    return send(copy, answer)
  })
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 401).length, 99)
  assert.equal(await fixture.db.count('sessions', 'user_id = $1', [person.uuid]), 1)
})

test('signInByPasskey: everything that can be wrong with an answer', async () => {
  const { passkey } = await personWithPasskey()
  const other = await personWithPasskey()
  const handle = Buffer.from(other.person.uuid.replaceAll('-', ''), 'hex').toString('base64url')
  const bends: [string, Bent][] = [
    ['wrong origin', { origin: 'https://localhost:8080' }],
    ['wrong port', { origin: 'http://localhost:8081' }],
    ['wrong site', { origin: 'https://evil.example', rpId: 'evil.example' }],
    ['wrong RP ID', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['nobody present', { userPresent: false, userVerified: false }],
    ['of another kind', { type: 'webauthn.create' }],
    ['signed by another key', { key: otherKey() }],
    ["somebody else's user handle", { userHandle: handle }],
    ['no user handle', { userHandle: 'AA' }],
    ['inside a frame of another site', { crossOrigin: true, topOrigin: 'https://evil.example' }],
    ['a made-up challenge', { challenge: 'A'.repeat(72) }],
    ['no challenge', { challenge: '' }],
  ]
  for (const [why, bent] of bends) assertRefused(await signIn(passkey, visit(), bent), why)
  const visitor = visit()
  const good = passkey.get(await beginSigningIn(visitor))
  const stranger = new SoftwarePasskey(ORIGIN)
  const bits: [string, object][] = [
    ["another's passkey", { ...good, id: other.passkey.id }],
    ['an unknown passkey', { ...good, id: stranger.id }],
    ['no JSON', { ...good, clientDataJSON: 'AAAA' }],
    ['null', { ...good, clientDataJSON: Buffer.from('null').toString('base64url') }],
    ['no signature', { ...good, signature: 'AA' }],
    ['short data', { ...good, authenticatorData: good.authenticatorData.slice(0, 20) }],
    ['not base64', { ...good, authenticatorData: '~~~~' }],
    ['not text', { ...good, id: '💥' }],
  ]
  for (const [why, answer] of bits) assertRefused(await send(visitor, answer), why)
  assert.equal((await send(visitor, good)).status, 200, 'none of this spends the challenge')
})

test('signInByPasskey: an answer to a challenge for adding a passkey signs nobody in', async () => {
  const { visitor, passkey } = await personWithPasskey()
  const { challenge } = await beginAdding(visitor)
  await beginSigningIn(visitor)
  assertRefused(await send(visitor, passkey.get({ challenge, rpId: 'localhost' })), 'to add one')
})

test('signInByPasskey: a challenge that has expired is refused, and its end cannot be moved', async () => {
  const { passkey } = await personWithPasskey()
  const visitor = visit()
  const options = await beginSigningIn(visitor)
  const bytes = Buffer.from(options.challenge, 'base64url')
  const endsAtMs = bytes.readUIntBE(16, 6)
  assert.ok(Math.abs(endsAtMs - Date.now() - 300_000) < 10_000, 'five minutes')
  bytes.writeUIntBE(endsAtMs + 3_600_000, 16, 6)
  const moved = { ...options, challenge: bytes.toString('base64url') }
  assertRefused(await send(visitor, passkey.get(moved)), 'a later end')

  const browser = visitor.cookies.get('upvane-passkey') ?? ''
  const ended = { ...options, challenge: await challengeOf(browser, Date.now() - 300_001) }
  assertRefused(await send(visitor, passkey.get(ended)), 'five minutes ago')
  const open = { ...options, challenge: await challengeOf(browser, Date.now() - 290_000) }
  assert.equal((await send(visitor, passkey.get(open))).status, 200, 'ten seconds are left')
})

/** As the product signed it at that time. */
async function challengeOf(browser: string, atMs: number): Promise<string> {
  const { DATABASE_URL: url = '', MASTER_KEYS = '' } = fixture.stack.env
  const keys = parseMasterKeys(MASTER_KEYS)
  assert.ok(typeof keys !== 'string')
  const people = new Database({ url, role: 'upvane_people', connections: 1 }, () => {})
  const key = await new PeopleSecrets(keys).macKey(people, 'passkey challenges')
  await people.close()
  const use = { purpose: 'SIGN_IN' as const, browser }
  return makeChallenge(key, use, { random: randomBytes(16), now: new Date(atMs) })
}

test('signInByPasskey: a counter that does not grow is refused and logged', async () => {
  const { person, passkey } = await personWithPasskey(5)
  assert.equal((await signIn(passkey)).status, 200)
  assertRefused(await signIn(passkey, visit(), { signatures: 6 }), 'the same count')
  assertRefused(await signIn(passkey, visit(), { signatures: 2 }), 'a smaller count')
  assertRefused(await signIn(passkey, visit(), { signatures: 0 }), 'no count any more')
  const forged = { signatures: 2, key: otherKey() }
  assertRefused(await signIn(passkey, visit(), forged), 'a forgery')
  assert.equal((await signIn(passkey, visit(), { signatures: 100 })).status, 200)
  // Lines are buffered for half a second.
  await delay(1000)
  const lines = logLines().filter(({ msg }) => /signature counter/.test(msg))
  assert.deepEqual(
    lines.map(({ userId }) => userId),
    [person.id, person.id, person.id],
    'the forgery says nothing about the passkey',
  )
})

test('signInByPasskey: wrong answers are counted like wrong passwords, and with them', async () => {
  const { person, passkey } = await personWithPasskey()
  const address = '10.99.0.1'
  const attempts = Array.from({ length: 25 }, async (_, i) =>
    i % 2
      ? (await visit(address).signIn(`nobody-${i}@example.com`, 'x')).status
      : (await signIn(passkey, visit(address), { userVerified: false })).status,
  )
  const statuses = await Promise.all(attempts)
  assert.equal(statuses.filter((status) => status === 401).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, 5)
  assert.equal((await signIn(passkey, visit(address))).status, 429)
  assert.equal((await signIn(passkey)).status, 200, 'nobody else is slowed down')
  assert.equal((await visit().signIn(person.email, PASSWORD)).status, 200)
})

test('signInByPasskey: a new browser gets in while strangers keep the account locked', async () => {
  const { person, passkey } = await personWithPasskey()
  const guesses = Array.from({ length: 60 }, () => visit().signIn(person.email, 'guess'))
  await Promise.all(guesses)
  assert.equal((await visit().signIn(person.email, PASSWORD)).status, 429, 'locked')
  assert.equal((await signIn(passkey)).status, 200)
})

test('signInByPasskey: a disabled account, a removed passkey and an unknown one answer alike', async () => {
  const { person, passkey } = await personWithPasskey()
  await fixture.operate(['person', 'disable', '--email', person.email], { BASE_URL: ORIGIN })
  const disabled = await signIn(passkey)
  const unknown = await signIn(new SoftwarePasskey(ORIGIN), visit(), { userHandle: 'AA' })
  assertRefused(disabled, 'disabled')
  assertRefused(unknown, 'unknown')
  const shape = ({ headers }: ApiResponse) => Object.keys(headers).toSorted()
  assert.deepEqual(shape(disabled), shape(unknown))
})

test('addPasskey: everything that can be wrong with a new one', async () => {
  const person = await fixture.addPerson()
  const visitor = await enter(person)
  const x5c = new Map<string, unknown>([
    ['alg', -7],
    ['sig', Buffer.alloc(70)],
    ['x5c', [Buffer.alloc(10)]],
  ])
  const bends: [string, Bent][] = [
    ['wrong origin', { origin: 'https://evil.example' }],
    ['wrong RP ID', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['of another kind', { type: 'webauthn.get' }],
    ['a made-up challenge', { challenge: 'A'.repeat(72) }],
    ['certificates', { attestation: { fmt: 'packed', statement: x5c } }],
    ['a format with certificates', { attestation: { fmt: 'tpm', statement: new Map() } }],
    ['an unknown format', { attestation: { fmt: 'x', statement: new Map() } }],
  ]
  for (const [why, bent] of bends) {
    const { added } = await addTo(visitor, new SoftwarePasskey(ORIGIN), bent)
    assert.equal(added.status, 409, why)
    assert.match(added.text, /not accepted/, why)
  }
  const passkey = new SoftwarePasskey(ORIGIN)
  const answer = passkey.create(await beginAdding(visitor))
  const wrong = [
    { ...answer, id: new SoftwarePasskey(ORIGIN).id },
    { ...answer, attestationObject: 'oA' },
    // Ten thousand arrays in one another.
    { ...answer, attestationObject: Buffer.alloc(6000, 0x81).toString('base64url') },
    { ...answer, attestationObject: Buffer.from('bfffffffff', 'hex').toString('base64url') },
  ]
  for (const each of wrong)
    assert.equal((await visitor.post('/me/passkeys', { name: 'X', ...each })).status, 409)
  const other = await enter(await fixture.addPerson())
  const theirs = await other.post('/me/passkeys', { name: 'X', ...answer })
  assert.equal(theirs.status, 409, "another session's challenge")
  assert.equal(await fixture.db.count('passkeys', 'user_id = $1', [person.uuid]), 0)

  assert.equal((await visitor.post('/me/passkeys', { name: 'X', ...answer })).status, 201)
  const replayed = await visitor.post('/me/passkeys', { name: 'X', ...answer })
  assert.equal(replayed.status, 409, 'a replay')
  const { added } = await addTo(other, passkey)
  assert.equal(added.status, 409, "somebody else's passkey")
})

test('addPasskey: ten for an account, also when many are added at once', async () => {
  const person = await fixture.addPerson()
  const visitor = await enter(person)
  for (let i = 0; i < 9; i++) assert.equal((await addTo(visitor)).added.status, 201)
  const copy = visit()
  copy.cookies.set('upvane', visitor.cookies.get('upvane') ?? '')
  const options = [await beginAdding(visitor), await beginAdding(copy)]
  const statuses = await Promise.all(
    [visitor, copy].map(async (each, i) => {
      const answer = new SoftwarePasskey(ORIGIN).create(options[i] ?? assert.fail())
      return (await each.post('/me/passkeys', { name: 'At once', ...answer })).status
    }),
  )
  // The other was too late for a place, or its session ended with the first.
  assert.equal(statuses.filter((status) => status === 201).length, 1, statuses.join(' '))
  assert.ok(statuses.some((status) => status === 409 || status === 401))
  const alive = await enter(person)
  const eleventh = await alive.post('/me/passkeys/begin', { name: 'Laptop', current: PASSWORD })
  assert.equal(eleventh.status, 409)
  assert.match(eleventh.text, /You have 10 passkeys/)
  assert.equal(await fixture.db.count('passkeys', 'user_id = $1', [person.uuid]), 10)
})

test('addPasskey: the eleventh is refused also if the tenth came after it was begun', async () => {
  const person = await fixture.addPerson()
  const visitor = await enter(person)
  const answer = new SoftwarePasskey(ORIGIN).create(await beginAdding(visitor))
  const setCount = 'update users set passkey_count = $2 where id = $1'
  await fixture.db.run(setCount, [person.uuid, 10])
  const refused = await visitor.post('/me/passkeys', { name: 'Late', ...answer })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /You have 10 passkeys/)
  await fixture.db.run(setCount, [person.uuid, 0])
  assert.equal((await visitor.post('/me/passkeys', { name: 'Late', ...answer })).status, 201)
})

test('passkeys: nobody removes or sees those of another person', async () => {
  const { visitor } = await personWithPasskey()
  const stranger = await enter(await fixture.addPerson())
  const [line] = await listOf(visitor)
  assert.deepEqual(await listOf(stranger), [])
  for (const id of [line?.id ?? '', 'pky_x', 'usr_01m7ef2j5re008007k9b361f3r']) {
    const removed = await stranger.post(`/me/passkeys/${id}/remove`, { current: PASSWORD })
    assert.equal(removed.status, 404, id)
  }
  assert.equal((await listOf(visitor)).length, 1)
})

test('passkeys: a person without a password must have signed in moments ago', async () => {
  const person = await fixture.addPerson({ password: false })
  const visitor = await enter(person)
  const { added } = await addTo(visitor)
  assert.equal(added.status, 201, added.text)
  await fixture.db.run(
    `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
    [person.uuid],
  )
  const [line] = await listOf(visitor)
  for (const path of ['/me/passkeys/begin', `/me/passkeys/${line?.id}/remove`, '/me/second-factor'])
    assert.equal((await visitor.post(path, { name: 'Laptop' })).status, 409, path)
})

test('passkeys: values that are too long, missing or of another type are refused', async () => {
  const { visitor, passkey } = await personWithPasskey()
  const answer = passkey.get(await beginSigningIn(visitor))
  const long = 'A'.repeat(15_000)
  for (const field of Object.keys(answer)) {
    for (const value of [long, '', 7, null, ['x'], { a: 1 }])
      assert.deepEqual((await send(visitor, { ...answer, [field]: value })).paths, [field])
    assert.deepEqual((await send(visitor, { ...answer, [field]: undefined })).paths, [field])
  }
  assert.match((await send(visitor, { ...answer, id: 'A'.repeat(20_000) })).text, /16 KiB/)
  for (const name of ['', 'n'.repeat(121)]) {
    const begun = await visitor.post('/me/passkeys/begin', { name, current: PASSWORD })
    assert.deepEqual(begun.paths, ['name'], 'before a device is asked')
  }
  const made = new SoftwarePasskey(ORIGIN).create(await beginAdding(visitor))
  for (const [field, value] of Object.entries({ ...made, name: 'Key' })) {
    const bad = { name: 'Key', ...made, [field]: value === 'Key' ? 'n'.repeat(121) : long }
    assert.deepEqual((await visitor.post('/me/passkeys', bad)).paths, [field])
  }
})

test('passkeys: the operator removes them with the second factor, and they are in the export', async () => {
  const { person, passkey } = await personWithPasskey()
  const people = (await fixture.operate(['person', 'list'])) as {
    email: string
    secondFactor: boolean
  }[]
  assert.equal(people.find(({ email }) => email === person.email)?.secondFactor, true)
  await fixture.operate(['person', 'remove-second-factor', '--email', person.email])
  assertRefused(await signIn(passkey), 'removed by the operator')
  const visitor = visit()
  await visitor.signIn(person.email, PASSWORD)
  assert.equal(await visitor.step(), 'SIGNED_IN')
  assert.equal(await fixture.db.count('passkeys', 'user_id = $1', [person.uuid]), 0)
})

test('passkeys: at an address where browsers refuse them, nothing offers them', async () => {
  const { baseUrl } = await fixture.startApi({ BASE_URL: 'http://192.0.2.7:8080' })
  const visitor = fixture.visitor({ baseUrl, origin: 'http://192.0.2.7:8080' })
  assert.equal(((await visitor.get('/session')).json as Status).canPasskey, false)
  assert.equal((await visitor.post('/session/passkey/begin')).status, 409)
  assert.equal(((await visit().get('/session')).json as Status).canPasskey, true)
})

function logLines(): { msg: string; userId?: string }[] {
  const { port } = new URL(fixture.service.baseUrl)
  const text = readFileSync(join(fixture.stack.directory, `service-${port}.log`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string; userId?: string })
}
