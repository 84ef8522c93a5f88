// Signing in through an identity provider: a real one on loopback, and a browser that follows redirects.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import type { Environment } from '../../tools/stack.ts'
import { toUuid } from '../kit/ids.ts'
import { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import { type Received, type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { type AppFixture, PASSWORD, type Person, sha256, startAppFixture } from './fixture.ts'
import { startProvider, type TestProvider } from './provider.ts'

const CALLBACK = '/app/sign-in/oidc/callback'
const SECRET = 'a secret with +/& and : in it'
const HOPS = 12

let fixture: AppFixture
let provider: TestProvider
let sink: SmtpSink
/** Only invited people can sign in at `invited`; at `open`, anyone from example.org can. */
let invited: string
let open: string

before(async () => {
  const smtpPort = await findFreePort()
  fixture = await startAppFixture({
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}?tls=off`,
    SMTP_FROM: 'people@upvane.example',
  })
  sink = await startSmtpSink({ port: smtpPort })
  const ports = [await findFreePort(), await findFreePort()]
  const [first, second] = ports.map((port) => `http://127.0.0.1:${port}${CALLBACK}`)
  provider = await startProvider([
    { client_id: 'upvane', client_secret: SECRET, redirect_uris: [first ?? ''] },
    {
      client_id: 'upvane-public',
      redirect_uris: [second ?? ''],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
  ])
  const start = async (port: number | undefined, env: Environment) =>
    (
      await fixture.stack.start('api', {
        port: port ?? 0,
        env: { OIDC_ISSUER: provider.issuer, ...env },
      })
    ).baseUrl
  const starting = [
    start(ports[0], { OIDC_CLIENT_ID: 'upvane', OIDC_CLIENT_SECRET: SECRET, OIDC_NAME: 'Acme ID' }),
    start(ports[1], {
      OIDC_CLIENT_ID: 'upvane-public',
      OIDC_ALLOWED_DOMAINS: 'example.org, Example.net',
      OIDC_ORGANIZATION: fixture.orgId,
      OIDC_ROLE: 'MEMBER',
    }),
  ]
  ;[invited = '', open = ''] = await Promise.all(starting)
})
after(async () => {
  await fixture.stop()
  await provider.close()
  await sink.close()
})

test('oidc: the sign-in page knows its name, and without one there is no such way', async () => {
  const session = (await at(invited).get('/session')).json as { identityProvider: string }
  assert.equal(session.identityProvider, 'Acme ID')
  const without = await fixture.visitor().exchange('GET', '/app/sign-in/oidc')
  assert.equal(without.status, 404)
  const visitor = await fixture.enter(await fixture.addPerson())
  assert.equal((await visitor.post('/me/identity', { current: PASSWORD })).status, 404)
})

test('oidc: the browser is sent with PKCE, state and nonce, and only by GET', async () => {
  const answer = await at(invited).exchange('GET', '/app/sign-in/oidc')
  assert.equal(answer.status, 303)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  const { origin, searchParams } = new URL(answer.headers['location'] ?? '')
  assert.equal(origin, provider.issuer)
  const sent = Object.fromEntries(searchParams)
  const { state = '', nonce = '', code_challenge: challenge = '', ...rest } = sent
  for (const secret of [state, nonce, challenge]) assert.match(secret, /^[\w-]{43}$/)
  assert.equal(new Set([state, nonce, challenge]).size, 3)
  assert.deepEqual(rest, {
    response_type: 'code',
    client_id: 'upvane',
    redirect_uri: `${invited}${CALLBACK}`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  const cookie = answer.headers['set-cookie'] ?? ''
  assert.match(cookie, /^upvane-oidc=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
  for (const secret of [state, nonce]) assert.ok(!cookie.includes(secret), 'it is encrypted')
  for (const method of ['POST', 'HEAD'])
    for (const path of ['/app/sign-in/oidc', CALLBACK])
      assert.equal((await at(invited).exchange(method, path)).status, 405)
})

test('oidc: somebody who is invited gets an account, and is found again by who they are', async () => {
  const email = newEmail('example.com')
  comes('ana-1', { email: email.toUpperCase(), email_verified: true, name: 'Ana' })
  assert.equal(problemOf((await signIn(at(invited))).at), 'not_invited')
  const token = await invite(email)
  const age = (days: number) =>
    fixture.db.run(
      `update invitations set expires_at = now() - make_interval(days => $2) where email = $1`,
      [email, days],
    )
  await age(0)
  assert.equal(problemOf((await signIn(at(invited))).at), 'not_invited', 'its days are over')
  await age(-1)

  const visitor = at(invited)
  const { at: page } = await signIn(visitor, '/monitors?state=DOWN')
  assert.equal(page, `${invited}/monitors?state=DOWN`)
  assert.equal(await visitor.step(), 'SIGNED_IN')
  assert.equal(visitor.cookies.has('upvane-oidc'), false)
  const me = await meOf(visitor)
  assert.equal(me.person.email, email)
  assert.equal(me.person.name, 'Ana')
  assert.equal(me.person.hasPassword, false)
  assert.equal(me.person.isLinked, true)
  assert.deepEqual(me.organizations, [], 'an invitation is accepted by nobody but them')
  assert.equal(
    await fixture.db.count('invitations', 'email = $1 and accepted_at is null', [email]),
    1,
  )
  assert.equal((await visitor.post('/invitations/accept', { token })).status, 200)
  assert.deepEqual(
    (await meOf(visitor)).organizations.map(({ id, role }) => [id, role]),
    [[fixture.orgId, 'MEMBER']],
  )
  // The email address may change at the provider, and may even pass to another person; the subject does not.
  comes('ana-1', { email: newEmail('example.com'), email_verified: true })
  const again = at(invited)
  await signIn(again)
  assert.equal((await meOf(again)).person.id, me.person.id)
  comes('eve-1', { email, email_verified: true })
  const eve = at(invited)
  assert.equal(problemOf((await signIn(eve)).at), 'account_exists')
  assert.equal(await eve.step(), 'SIGN_IN')
})

test('oidc: an account that exists is not taken over because of its address', async () => {
  const owner = await fixture.addPerson({ email: newEmail('example.org') })
  await fixture.addMember(fixture.orgId, owner, 'OWNER')
  comes('mallory', { email: owner.email, email_verified: true })
  for (const baseUrl of [invited, open]) {
    const mallory = at(baseUrl)
    const { at: page } = await signIn(mallory)
    assert.equal(problemOf(page), 'account_exists')
    assert.equal(mallory.cookies.has('upvane'), false)
  }
  // Nor is an identity linked to an account that was created for the same address.
  assert.equal(await fixture.db.count('identities', 'user_id = $1', [owner.uuid]), 0)
})

test('oidc: an address the provider is not sure of opens nothing', async () => {
  const email = newEmail('example.org')
  await invite(email)
  const claims = [
    { email },
    { email, email_verified: false },
    { email_verified: true },
    { email: 'x', email_verified: true },
  ]
  for (const [i, claim] of claims.entries()) {
    comes(`unsure-${i}`, claim)
    for (const baseUrl of [invited, open])
      assert.equal(problemOf((await signIn(at(baseUrl))).at), 'address_not_verified')
  }
  assert.equal(await fixture.db.count('users', 'email = $1', [email]), 0)
})

test('oidc: people of an allowed domain join the organization; others do not, invited or not', async () => {
  const email = newEmail('example.net')
  comes('net-1', { email, email_verified: true })
  const visitor = at(open)
  assert.equal((await signIn(visitor)).at, `${open}/`)
  const me = await meOf(visitor)
  assert.equal(me.person.name, email, 'without a name it is the address')
  assert.deepEqual(
    me.organizations.map(({ id, role }) => [id, role]),
    [[fixture.orgId, 'MEMBER']],
  )
  const outside = newEmail('sub.example.net')
  await invite(outside)
  comes('net-2', { email: outside, email_verified: true })
  assert.equal(problemOf((await signIn(at(open))).at), 'domain_not_allowed')
})

test('oidc: an account is tied to an identity by its owner, with the password once more', async () => {
  const person = await fixture.addPerson()
  const visitor = await enterAt(invited, person)
  assert.deepEqual((await visitor.post('/me/identity', { current: 'wrong' })).paths, ['current'])
  comes('link-1', { email: 'entirely.different@example.com' })
  await link(visitor)
  assert.equal((await meOf(visitor)).person.isLinked, true)

  const elsewhere = at(invited)
  await signIn(elsewhere)
  assert.equal((await meOf(elsewhere)).person.id, person.id)

  const other = await enterAt(invited, await fixture.addPerson())
  assert.equal(problemOf(await link(other)), 'identity_taken')
  assert.equal((await meOf(other)).person.isLinked, false)
  comes('link-2', {})
  assert.equal(problemOf(await link(visitor)), 'identity_taken', 'one is enough')

  assert.equal((await visitor.delete('/me/identity')).status, 200)
  assert.equal((await visitor.delete('/me/identity')).status, 404)
  comes('link-1', {})
  assert.equal(problemOf((await signIn(at(invited))).at), 'address_not_verified')
})

test('oidc: the owner of an account gets an email when an identity is linked and when it is unlinked', async () => {
  const dispatcher = await fixture.stack.start('dispatcher')
  const person = await fixture.addPerson()
  await fixture.addMember(fixture.orgId, person, 'MEMBER')
  const visitor = await enterAt(invited, person)
  comes('notice-1', {})
  await link(visitor)
  await link(visitor) // refused, and no email is sent
  const linked = await mailNumber(person.email, 1)
  assert.equal(linked.headers['subject'], 'Your account was linked to an identity provider')
  assert.match(linked.text, /Then unlink the identity provider/)
  assert.match(linked.text, /Network: 10\.\d+\.\d+\.\d+/)
  assert.ok(!linked.text.includes('notice-1'))
  assert.equal((await visitor.delete('/me/identity')).status, 200)
  assert.equal((await visitor.delete('/me/identity')).status, 404)
  const unlinked = await mailNumber(person.email, 2)
  assert.equal(unlinked.headers['subject'], 'Your account was unlinked from its identity provider')
  assert.ok(!unlinked.text.includes('Then unlink'))
  await dispatcher.stop()
})

async function mailNumber(address: string, number: number): Promise<Received> {
  for (let i = 0; i < 300 && sink.to(address).length < number; i++) await delay(100)
  const mails = sink.to(address)
  assert.equal(mails.length, number)
  const mail = mails.at(-1)
  assert.ok(mail)
  return mail
}

test('oidc: nobody unties their only way in', async () => {
  const email = newEmail('example.com')
  await invite(email)
  comes('only-1', { email, email_verified: true })
  const visitor = at(invited)
  await signIn(visitor)
  assert.equal((await visitor.delete('/me/identity')).status, 409)
  assert.equal((await meOf(visitor)).person.isLinked, true)
})

test('oidc: tying is finished only by the session that began it', async () => {
  const [victim, thief] = [await fixture.addPerson(), await fixture.addPerson()]
  comes('thief-identity', {})
  // The thief starts the flow, and makes the victim's browser return with the thief's identity.
  const beginning = await enterAt(invited, thief)
  const begin = async () => {
    const answer = await beginning.post('/me/identity', { current: PASSWORD })
    const { address } = answer.json as { address: string }
    return follow(beginning, address, { stopAt: CALLBACK })
  }
  const back = await begin()
  const browser = await enterAt(invited, victim)
  const without = await browser.exchange('GET', pathOf(back))
  assert.equal(problemOf(without.headers['location'] ?? ''), 'sign_in_ended')
  // Even with the cookie of the person who started.
  browser.cookies.set('upvane-oidc', beginning.cookies.get('upvane-oidc') ?? '')
  const withCookie = await browser.exchange('GET', pathOf(back))
  assert.equal(problemOf(withCookie.headers['location'] ?? ''), 'sign_in_ended')
  // Nor with a partial session of their own: the second factor is still missing.
  const again = await begin()
  await fixture.db.run('update sessions set complete = false where user_id = $1', [thief.uuid])
  const half = await beginning.exchange('GET', pathOf(again))
  assert.equal(problemOf(half.headers['location'] ?? ''), 'sign_in_ended')
  for (const { uuid } of [victim, thief])
    assert.equal(await fixture.db.count('identities', 'user_id = $1', [uuid]), 0)
})

test('oidc: who comes back must be who went, with the same state, once, and in time', async () => {
  const person = await fixture.addPerson()
  await tie('state-1', person)
  comes('state-1', {})
  const begin = async () => {
    const visitor = at(invited)
    const { location = '' } = (await visitor.exchange('GET', '/app/sign-in/oidc')).headers
    return { visitor, back: await follow(visitor, location, { stopAt: CALLBACK }) }
  }
  const lead = async (visitor: Visitor, back: string) =>
    (await visitor.exchange('GET', pathOf(back))).headers['location'] ?? ''

  const stolen = await begin()
  assert.equal(problemOf(await lead(at(invited), stolen.back)), 'sign_in_ended', 'another browser')
  const mixed = await begin()
  const other = await begin()
  assert.equal(problemOf(await lead(mixed.visitor, other.back)), 'sign_in_ended', 'another state')
  const bent = await begin()
  const sealed = bent.visitor.cookies.get('upvane-oidc') ?? ''
  bent.visitor.cookies.set('upvane-oidc', `${sealed.slice(0, -4)}AAAA`)
  assert.equal(problemOf(await lead(bent.visitor, bent.back)), 'sign_in_ended', 'a bent cookie')
  const iss = await begin()
  const foreign = iss.back.replace(/([?&]iss=)[^&]*/, '$1https%3A%2F%2Fevil.example')
  assert.notEqual(foreign, iss.back)
  assert.equal(problemOf(await lead(iss.visitor, foreign)), 'provider_failed', 'another issuer')

  const { visitor, back } = await begin()
  const kept = visitor.cookies.get('upvane-oidc') ?? ''
  assert.equal(await lead(visitor, back), '/')
  assert.equal(problemOf(await lead(visitor, back)), 'sign_in_ended', 'the cookie is gone')
  const replay = at(invited)
  replay.cookies.set('upvane-oidc', kept)
  assert.equal(problemOf(await lead(replay, back)), 'provider_failed', 'the code is spent')
  assert.equal(replay.cookies.has('upvane'), false)
})

test('oidc: the browser then goes to a page of ours, wherever the link says', async () => {
  await tie('return-1', await fixture.addPerson())
  comes('return-1', {})
  for (const evil of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/app/sign-in/oidc',
  ])
    assert.equal((await signIn(at(invited), evil)).at, `${invited}/`, evil)
})

test('oidc: a planted session is not the one that is opened', async () => {
  await tie('fixed-1', await fixture.addPerson())
  comes('fixed-1', {})
  const planted = (await fixture.enter(await fixture.addPerson())).cookies.get('upvane') ?? ''
  const visitor = at(invited)
  visitor.cookies.set('upvane', planted)
  await signIn(visitor)
  assert.notEqual(visitor.cookies.get('upvane'), planted)
  const attacker = at(invited)
  attacker.cookies.set('upvane', planted)
  assert.equal(await attacker.step(), 'SIGN_IN')
})

test('oidc: a second factor is still required, and a closed account stays closed', async () => {
  const person = await fixture.addPerson()
  await tie('factor-1', person)
  comes('factor-1', {})
  await fixture.db.run(
    `update users set totp_seed = '\\x00', totp_confirmed_at = now() where id = $1`,
    [person.uuid],
  )
  const visitor = at(invited)
  await signIn(visitor)
  assert.equal(await visitor.step(), 'SECOND_FACTOR')
  await fixture.db.run('update users set disabled_at = now() where id = $1', [person.uuid])
  assert.equal(problemOf((await signIn(at(invited))).at), 'account_closed')
})

test('oidc: who is refused there is led back with a word', async () => {
  comes('', {})
  const visitor = at(invited)
  assert.equal(problemOf((await signIn(visitor)).at), 'provider_failed')
  assert.equal(visitor.cookies.size, 0)
})

test('oidc: codes that are made up end after twenty', async () => {
  const visitor = at(invited)
  const { location = '' } = (await visitor.exchange('GET', '/app/sign-in/oidc')).headers
  const state = new URL(location).searchParams.get('state')
  const sealed = visitor.cookies.get('upvane-oidc') ?? ''
  const problems: string[] = []
  for (let i = 0; i < 22; i++) {
    visitor.cookies.set('upvane-oidc', sealed)
    const answer = await visitor.exchange('GET', `${CALLBACK}?state=${state}&code=made-up-${i}`)
    problems.push(problemOf(answer.headers['location'] ?? ''))
  }
  assert.deepEqual(
    [problems.filter((p) => p === 'provider_failed').length, problems.at(-1)],
    [20, 'too_many_tries'],
  )
})

type Me = {
  person: { id: string; email: string; name: string; hasPassword: boolean; isLinked: boolean }
  organizations: { id: string; role: string }[]
}

function at(baseUrl: string): Visitor {
  return fixture.visitor({ baseUrl })
}

const enterAt = (baseUrl: string, person: Person) => fixture.enter(person, { visitor: at(baseUrl) })

const newEmail = (domain: string) => `oidc-${randomBytes(5).toString('hex')}@${domain}`

/** Sets who is at the browser, and the provider's claims about them. */
function comes(account: string, claims: Record<string, unknown>): void {
  provider.account = account
  provider.people.set(account, claims)
}

async function tie(subject: string, { uuid }: Person): Promise<void> {
  await fixture.db.run('insert into identities (issuer, subject, user_id) values ($1, $2, $3)', [
    provider.issuer,
    subject,
    uuid,
  ])
}

/** Returns the token of its link. */
async function invite(email: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await fixture.db.run(
    `insert into invitations (id, org_id, email, role, token_hash, invited_by, expires_at)
     values (new_uuid(), $1, $2, 'MEMBER', $3, 'Test', now() + interval '1 day')`,
    [toUuid(fixture.orgId), email, sha256(token)],
  )
  return token
}

async function meOf(visitor: Visitor): Promise<Me> {
  const answer = await visitor.get('/me')
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Me
}

async function signIn(visitor: Visitor, returnTo?: string): Promise<{ at: string }> {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  return { at: await follow(visitor, `${visitor.baseUrl}/app/sign-in/oidc${query}`) }
}

async function link(visitor: Visitor): Promise<string> {
  const answer = await visitor.post('/me/identity', { current: PASSWORD })
  assert.equal(answer.status, 200, answer.text)
  return follow(visitor, (answer.json as { address: string }).address)
}

/** Follows redirects between the product and the provider, and returns where they end. */
async function follow(
  visitor: Visitor,
  start: string,
  { stopAt }: { stopAt?: string } = {},
): Promise<string> {
  const there = new Visitor({ baseUrl: provider.issuer })
  let url = new URL(start)
  for (let hops = 0; hops < HOPS; hops++) {
    if (stopAt !== undefined && url.pathname === stopAt) return url.href
    const isOurs = url.origin === visitor.baseUrl
    if (isOurs && !url.pathname.startsWith('/app/')) return url.href
    const browser = isOurs ? visitor : there
    const path = `${url.pathname}${url.search}`
    const headers = { Origin: undefined, 'Sec-Fetch-Site': 'cross-site' }
    const answer: ApiResponse = await browser.exchange('GET', path, { headers })
    const { location } = answer.headers
    assert.ok(location !== undefined, `${url.href}: ${answer.status} ${answer.text}`)
    url = new URL(location, url)
  }
  throw new Error(`Led round and round to ${url.href}`)
}

const pathOf = (url: string) => url.slice(new URL(url).origin.length)
const problemOf = (url: string) =>
  new URL(url, 'http://x').searchParams.get('problem') ?? `none at ${url}`
