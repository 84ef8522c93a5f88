// Who is let in, how often they may try, and what the cookie permits.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiResponse } from '../kit/response.ts'
import { type AppFixture, PASSWORD, type Person, sha256, startAppFixture } from './fixture.ts'

const STUCK_MS = 5_000
const DEVICE_COOKIE = 'upvane-device'
const WRONG = 'Wrong email or password.'

let fixture: AppFixture
let ana: Person

before(async () => {
  fixture = await startAppFixture()
  ana = await fixture.addPerson({ email: 'ana@example.com', name: 'Ana' })
  await fixture.addMember(fixture.orgId, ana, 'MEMBER')
})
after(() => fixture.stop())

test('signIn: the right password opens a session, and signing out ends it', async () => {
  const visitor = fixture.visitor()
  assert.equal(await visitor.step(), 'SIGN_IN')
  assert.equal((await visitor.get('/me')).status, 401)

  const answer = await visitor.signIn('Ana@Example.com ', PASSWORD)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.json, {
    step: 'SIGNED_IN',
    identityProvider: null,
    canMail: false,
    canPasskey: false,
    secondFactors: [],
  })
  assert.equal(await visitor.step(), 'SIGNED_IN')
  const me = (await visitor.get('/me')).json as { person: object; organizations: object[] }
  assert.deepEqual(me.person, {
    id: ana.id,
    email: ana.email,
    name: 'Ana',
    timezone: null,
    hasPassword: true,
    isLinked: false,
    secondFactor: false,
    hasAuthenticator: false,
    recoveryCodesLeft: 0,
    isOperator: false,
  })
  assert.deepEqual(me.organizations, [
    {
      id: fixture.orgId,
      name: 'Demo',
      plan: 'UNLIMITED',
      role: 'MEMBER',
      timezone: null,
      eraseAt: null,
      needsSecondFactor: false,
    },
  ])

  const token = visitor.cookies.get('upvane') ?? ''
  assert.equal((await visitor.delete('/session')).status, 200)
  assert.equal(visitor.cookies.has('upvane'), false, 'the cookie is taken back')
  visitor.cookies.set('upvane', token)
  assert.equal((await visitor.get('/me')).status, 401, 'and worth nothing to anyone who kept it')
})

test('signIn: what is stored of a session is not its token', async () => {
  const visitor = fixture.visitor()
  await visitor.signIn(ana.email, PASSWORD)
  const token = visitor.cookies.get('upvane') ?? ''
  assert.match(token, /^[\w-]{43}$/)
  assert.equal(await fixture.db.count('sessions', 'token_hash = $1', [sha256(token)]), 1)
  const all = await fixture.db.run(`select sessions::text as row from sessions`)
  assert.ok(!JSON.stringify(all).includes(token))
})

test('signIn: a session that was there before is not the one that is opened', async () => {
  // An attacker plants a cookie of their choice, or of their own session, and waits.
  const mallory = await fixture.addPerson()
  const planted = (await fixture.enter(mallory)).cookies.get('upvane') ?? ''
  for (const cookie of [planted, randomBytes(32).toString('base64url')]) {
    const victim = fixture.visitor()
    victim.cookies.set('upvane', cookie)
    assert.equal((await victim.signIn(ana.email, PASSWORD)).status, 200)
    assert.notEqual(victim.cookies.get('upvane'), cookie)
    const attacker = fixture.visitor()
    attacker.cookies.set('upvane', cookie)
    assert.equal((await attacker.get('/me')).status, 401)
  }
})

test('signIn: an unknown account, a wrong password, a closed account and one without password are the same', async () => {
  const closed = await fixture.addPerson()
  await fixture.db.run('update users set disabled_at = now() where id = $1', [closed.uuid])
  const without = await fixture.addPerson({ password: false })
  const tries: [string, string][] = [
    ['nobody@example.com', PASSWORD],
    [ana.email, 'not her password'],
    [closed.email, PASSWORD],
    [without.email, PASSWORD],
    [without.email, ''],
    ['no address at all', PASSWORD],
  ]
  const seen = new Set<string>()
  for (const [email, password] of tries.filter(([, typed]) => typed !== '')) {
    const answer = await fixture.visitor().signIn(email, password)
    assert.equal(answer.status, 401)
    assert.equal(answer.headers['set-cookie'], undefined)
    seen.add(withoutRequestId(answer))
  }
  assert.equal(seen.size, 1)
  assert.match([...seen][0] ?? '', new RegExp(WRONG))
})

test('signIn: an unknown account takes as long as a wrong password', async () => {
  const tries = 8
  const known: number[] = []
  const unknown: number[] = []
  const people = await Promise.all(Array.from({ length: tries }, () => fixture.addPerson()))
  for (const person of people) {
    known.push(await timeOf(() => fixture.visitor().signIn(person.email, 'not the password')))
    unknown.push(
      await timeOf(() => fixture.visitor().signIn(`x${person.email}`, 'not the password')),
    )
  }
  const [a, b] = [median(known), median(unknown)]
  assert.ok(a > 10, `the hash is slow: ${a.toFixed(1)} ms`)
  assert.ok(Math.abs(a - b) < 0.5 * Math.max(a, b), `${a.toFixed(1)} and ${b.toFixed(1)} ms`)
})

test('signIn: of a hundred tries at once from one network five reach the password', async () => {
  const person = await fixture.addPerson()
  const address = '198.51.100.20'
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      fixture.visitor({ address }).signIn(person.email, `guess ${i}`),
    ),
  )
  assert.deepEqual(countByStatus(answers), { 401: 5, 429: 95 })
  const last = await fixture.visitor({ address }).signIn(person.email, PASSWORD)
  assert.equal(last.status, 429)
  const seconds = Number(last.headers['retry-after'])
  assert.ok(seconds > 880 && seconds <= 900, `${seconds} s`)
  const elsewhere = await fixture.visitor().signIn(person.email, PASSWORD)
  assert.equal(elsewhere.status, 200, 'another network is not affected')

  // Nobody is locked out permanently.
  await fixture.db.run(
    `update sign_in_windows set started_at = started_at - interval '901 seconds'`,
  )
  assert.equal((await fixture.visitor({ address }).signIn(person.email, PASSWORD)).status, 200)
})

test('signIn: an address over its limit cannot lock accounts, and leaves no rows for them', async () => {
  const address = '198.51.100.21'
  for (let i = 0; i < 20; i++)
    await fixture.visitor({ address }).signIn(`spent-${i}@example.com`, 'guess')
  const victims = await Promise.all(Array.from({ length: 5 }, () => fixture.addPerson()))
  const rows = await fixture.db.count('sign_in_windows', 'true', [])
  for (const { email } of victims)
    for (let i = 0; i < 6; i++) {
      const answer = await fixture.visitor({ address }).signIn(email, 'guess')
      assert.equal(answer.status, 429)
    }
  assert.equal(await fixture.db.count('sign_in_windows', 'true', []), rows, 'no new rows')
  for (const { email } of victims)
    assert.equal((await fixture.visitor().signIn(email, PASSWORD)).status, 200)
})

test('signIn: an account takes fifty wrong tries from everywhere, and its known browser still gets in', async () => {
  const person = await fixture.addPerson()
  const known = fixture.visitor()
  assert.equal((await known.signIn(person.email, PASSWORD)).status, 200)
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => fixture.visitor().signIn(person.email, 'guess')),
  )
  assert.deepEqual(countByStatus(answers), { 401: 50, 429: 10 })
  assert.equal((await fixture.visitor().signIn(person.email, PASSWORD)).status, 429)

  const device = known.cookies.get(DEVICE_COOKIE) ?? ''
  await known.delete('/session')
  assert.equal(known.cookies.get(DEVICE_COOKIE), device, 'signing out keeps it')
  assert.equal((await known.signIn(person.email, PASSWORD)).status, 200)
  const thief = fixture.visitor()
  thief.cookies.set(DEVICE_COOKIE, device)
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => thief.signIn(person.email, 'guess')),
  )
  assert.deepEqual(countByStatus(guesses), { 401: 5, 429: 15 }, 'it has a limit of its own')
})

test('signIn: the cookie of a known browser counts for its account alone, unchanged and until it expires', async () => {
  const [person, other] = [await fixture.addPerson(), await fixture.addPerson()]
  const known = fixture.visitor()
  await known.signIn(person.email, PASSWORD)
  const device = known.cookies.get(DEVICE_COOKIE) ?? ''
  const foreign = fixture.visitor()
  await foreign.signIn(other.email, PASSWORD)
  await fixture.db.run(
    `insert into sign_in_windows (subject, started_at, failures) values ($1, now(), 50)
     on conflict (subject) do update set failures = 50`,
    [`account:${sha256(person.email).toString('base64url')}`],
  )
  const [user = '', id = '', expires = '', mac = ''] = device.split('.')
  const forged = [
    foreign.cookies.get(DEVICE_COOKIE) ?? '',
    [user, id, String(Number.parseInt(expires, 36) + 86_400), mac].join('.'),
    [user, id, expires, randomBytes(32).toString('base64url')].join('.'),
    [user, randomBytes(16).toString('base64url'), expires, mac].join('.'),
    `${device}x`,
    '',
  ]
  for (const value of forged) {
    const visitor = fixture.visitor()
    visitor.cookies.set(DEVICE_COOKIE, value)
    assert.equal((await visitor.signIn(person.email, PASSWORD)).status, 429, value)
  }
  assert.equal((await known.signIn(person.email, PASSWORD)).status, 200)
})

test('signIn: tries turned away by a full gate are 429 with Retry-After, and no wrong tries', async () => {
  await fixture.db.run('delete from sign_in_windows')
  const people = Array.from({ length: 180 }, (_, i) => `gate-${i}@example.com`)
  const agent = new Agent({ keepAlive: true, maxSockets: people.length })
  const answers = await Promise.all(
    people.map((email) => fixture.visitor({ agent }).signIn(email, 'guess')),
  )
  agent.destroy()
  const { 401: wrong = 0, 429: refused = 0 } = countByStatus(answers)
  assert.equal(wrong + refused, people.length)
  assert.ok(refused > 0, 'the gate was full')
  for (const { status, headers } of answers)
    if (status === 429) assert.equal(headers['retry-after'], '1')
  assert.equal(
    await fixture.db.count('sign_in_windows', `subject like 'account:%' and failures > 0`, []),
    wrong,
  )
})

test('signIn: tries are counted for accounts that do not exist as well', async () => {
  const email = `nobody-${randomBytes(4).toString('hex')}@example.com`
  const address = '198.51.100.22'
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fixture.visitor({ address }).signIn(email, 'guess')),
  )
  assert.deepEqual(countByStatus(answers), { 401: 5, 429: 15 })
})

test('signIn: one address tries twenty accounts and no more, and in IPv6 the network counts', async () => {
  for (const addressOf of [
    () => '203.0.113.7',
    (i: number) => `2001:db8:7:1::${i.toString(16)}:${(i * 7).toString(16)}`,
  ]) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        fixture.visitor({ address: addressOf(i) }).signIn(`try-${i}@example.com`, 'guess'),
      ),
    )
    assert.deepEqual(countByStatus(answers), { 401: 20, 429: 10 })
  }
  const neighbor = fixture.visitor({ address: '2001:db8:7:2::1' })
  assert.equal((await neighbor.signIn(ana.email, PASSWORD)).status, 200)
})

test('signIn: who succeeds uses up no tries', async () => {
  const person = await fixture.addPerson()
  for (let i = 0; i < 7; i++)
    assert.equal((await fixture.visitor().signIn(person.email, PASSWORD)).status, 200)
})

test('signIn: addresses are nowhere in clear among the tries', async () => {
  await fixture.visitor().signIn('canary-address@example.com', 'guess')
  const rows = JSON.stringify(await fixture.db.run('select * from sign_in_windows'))
  assert.doesNotMatch(rows, /canary|@|203\.0/)
})

test('cookie: over http it is kept from scripts and other sites', async () => {
  const answer = await fixture.visitor().signIn(ana.email, PASSWORD)
  const [cookie = '', device = ''] = (answer.headers['set-cookie'] ?? '').split('\n')
  assert.match(
    cookie,
    /^upvane=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=\w{3}, [\w ]+ [\d:]+ GMT$/,
  )
  assert.match(
    device,
    /^upvane-device=[\w.-]{100,140}; Path=\/; HttpOnly; SameSite=Lax; Expires=\w{3}, [\w ]+ [\d:]+ GMT$/,
  )
  const daysOf = (set: string) =>
    (Date.parse(/Expires=(.*)$/.exec(set)?.[1] ?? '') - Date.now()) / 86_400_000
  assert.ok(Math.abs(daysOf(cookie) - 30) < 0.01, cookie)
  assert.ok(Math.abs(daysOf(device) - 180) < 0.01, device)
})

test('cookie: over https its name binds it to this very host', async () => {
  const origin = 'https://upvane.test'
  const { baseUrl } = await fixture.stack.start('api', { env: { BASE_URL: origin } })
  const visitor = fixture.visitor({ baseUrl, origin })
  const answer = await visitor.signIn(ana.email, PASSWORD)
  assert.equal(answer.status, 200, answer.text)
  assert.match(
    answer.headers['set-cookie'] ?? '',
    /^__Host-upvane=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=[^;\n]+\n__Host-upvane-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=[^;\n]+$/,
  )
  assert.equal((await visitor.get('/me')).status, 200)
  // A page on a sibling host can set the bare name, but not this one.
  const bare = fixture.visitor({ baseUrl, origin })
  bare.cookies.set('upvane', visitor.cookies.get('__Host-upvane') ?? '')
  assert.equal((await bare.get('/me')).status, 401)
  const out = await visitor.delete('/session')
  assert.equal(
    out.headers['set-cookie'],
    '__Host-upvane=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
  )
})

test('cookie: what was never a token asks the database nothing', async () => {
  const strange = ['', 'x', 'x'.repeat(44), `${'x'.repeat(42)}'`, `${'x'.repeat(42)}%00`]
  // A handler that looks up a session would block here.
  await fixture.db.holding('lock table sessions', [], async () => {
    for (const value of strange) {
      const visitor = fixture.visitor()
      visitor.cookies.set('upvane', value)
      const answer = await Promise.race([visitor.get('/me'), delay(STUCK_MS)])
      assert.equal(answer?.status, 401, value)
      assert.equal(await visitor.step(), 'SIGN_IN')
    }
  })
})

test('keys: an API key is no way into the dashboard, and a cookie none into the API', async () => {
  const { full } = fixture.keys
  for (const headers of [{ 'X-API-Key': full }, { Authorization: `Bearer ${full}` }])
    assert.equal((await fixture.visitor().get('/me', { headers })).status, 401)
  const visitor = await fixture.enter(ana)
  const answer = await visitor.exchange('GET', '/api/v1/monitors')
  assert.equal(answer.status, 401)
})

test('input: odd bodies are refused in words, and never stored', async () => {
  const visitor = fixture.visitor()
  const bodies: [unknown, string[]][] = [
    [{}, ['email', 'password']],
    [{ email: ana.email, password: '' }, ['password']],
    [{ email: 'a\0b@example.com', password: 'x' }, ['email']],
    [{ email: ana.email, password: 'x'.repeat(1001) }, ['password']],
    [{ email: [ana.email], password: { $ne: '' } }, ['email', 'password']],
  ]
  for (const [body, paths] of bodies) {
    const answer = await visitor.post('/session', body)
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(answer.paths, paths)
  }
  const text = await visitor.post('/session', undefined, {
    headers: { 'Content-Type': 'text/plain', 'Content-Length': undefined },
  })
  assert.equal(text.status, 400)
})

function withoutRequestId({ status, json }: ApiResponse): string {
  const { error } = json as { error: Record<string, unknown> }
  return JSON.stringify({ status, ...error, requestId: '' })
}

function countByStatus(answers: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
