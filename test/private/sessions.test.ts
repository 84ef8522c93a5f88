// How long people stay signed in, what ends a session, and the second factor.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Visitor } from '../kit/private-client.ts'
import { type AppFixture, PASSWORD, sha256, startAppFixture, stepNow, totp } from './fixture.ts'

const NEW_PASSWORD = 'a better staple than before'

let fixture: AppFixture

before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

test('sessions: twelve hours without a request end one, and a request starts them over', async () => {
  const visitor = await fixture.enter(await fixture.addPerson())
  await shift(visitor, { seen: '11 hours 59 minutes' })
  assert.equal((await visitor.get('/me')).status, 200)
  await shift(visitor, { seen: '11 hours 59 minutes' })
  assert.equal((await visitor.get('/me')).status, 200, 'it was seen a moment ago')
  await shift(visitor, { seen: '12 hours 1 second' })
  assert.equal((await visitor.get('/me')).status, 401)
  assert.equal(await visitor.step(), 'SIGN_IN')
})

test('sessions: thirty days end one, however busy it is', async () => {
  const person = await fixture.addPerson()
  const visitor = fixture.visitor()
  await visitor.signIn(person.email, PASSWORD)
  await shift(visitor, { ends: '29 days 23 hours 59 minutes' })
  assert.equal((await visitor.get('/me')).status, 200)
  await shift(visitor, { ends: '1 minute' })
  assert.equal((await visitor.get('/me')).status, 401)
})

test('sessions: using one does not write a row each time', async () => {
  const visitor = await fixture.enter(await fixture.addPerson())
  const version = () => fixture.db.one<{ xmin: string }>(ROW_VERSION, [hashOf(visitor)])
  const first = await version()
  for (let i = 0; i < 5; i++) await visitor.get('/me')
  assert.deepEqual(await version(), first)
  await shift(visitor, { seen: '61 seconds' })
  await visitor.get('/me')
  const [row] = await fixture.db.run<{ ago: number }>(
    'select extract(epoch from now() - seen_at)::int as ago from sessions where token_hash = $1',
    [hashOf(visitor)],
  )
  assert.ok((row?.ago ?? 99) < 30)
})

test('listSessions: shows the own ones, and endSession ends one of them and no other', async () => {
  const person = await fixture.addPerson()
  const stranger = await fixture.enter(await fixture.addPerson())
  const [here, there] = [fixture.visitor(), fixture.visitor()]
  await here.signIn(person.email, PASSWORD)
  await there.signIn(person.email, PASSWORD)
  await fixture.enter(person, { complete: false })

  const lines = await sessionsOf(here)
  assert.equal(lines.length, 2, 'half-open ones are none')
  assert.deepEqual(lines.map(({ current }) => current).toSorted(), [false, true])
  assert.deepEqual(
    lines.map(({ agent }) => agent),
    ['Tests/1', 'Tests/1'],
  )
  assert.ok(lines.every(({ address }) => address.startsWith('10.')))
  const other = lines.find(({ current }) => !current)?.id ?? ''

  assert.equal((await stranger.delete(`/me/sessions/${other}`)).status, 404)
  assert.equal((await there.get('/me')).status, 200)
  assert.equal((await here.delete(`/me/sessions/${other}`)).status, 200)
  assert.equal((await there.get('/me')).status, 401)
  assert.equal((await here.delete(`/me/sessions/${other}`)).status, 404)
  assert.equal((await here.get('/me')).status, 200)
})

test('sessions: nobody has more than a hundred', async () => {
  const person = await fixture.addPerson()
  await fixture.db.run(
    `insert into sessions (id, token_hash, user_id, complete, address, agent, seen_at, expires_at)
     select new_uuid(), sha256(i::text::bytea || $1::uuid::text::bytea), $1::uuid, true, '', '', now() - make_interval(secs => i),
            now() + interval '1 day' from generate_series(1, 100) i`,
    [person.uuid],
  )
  const visitor = fixture.visitor()
  await visitor.signIn(person.email, PASSWORD)
  assert.equal(await fixture.db.count('sessions', 'user_id = $1', [person.uuid]), 100)
  assert.equal((await visitor.get('/me')).status, 200)
})

test('changePassword: the new one works, the old one does not, and every other session is over', async () => {
  const person = await fixture.addPerson()
  const [here, there] = [await fixture.enter(person), await fixture.enter(person)]
  const before = here.cookies.get('upvane')
  const change = (current: string, password: string) =>
    here.post('/me/password', { current, password })

  assert.deepEqual((await change('not it', NEW_PASSWORD)).paths, ['current'])
  assert.deepEqual((await change(PASSWORD, 'short')).paths, ['password'])
  assert.equal((await there.get('/me')).status, 200)

  assert.equal((await change(PASSWORD, NEW_PASSWORD)).status, 200)
  assert.equal((await there.get('/me')).status, 401)
  assert.equal((await here.get('/me')).status, 200)
  assert.notEqual(here.cookies.get('upvane'), before, 'its own token is another one')
  const old = fixture.visitor()
  old.cookies.set('upvane', before ?? '')
  assert.equal((await old.get('/me')).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, PASSWORD)).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, NEW_PASSWORD)).status, 200)
})

test('changePassword: a stolen session cannot guess the password, nor choose one where there is none', async () => {
  const person = await fixture.addPerson()
  const thief = await fixture.enter(person)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      thief.post('/me/password', { current: `guess ${i}`, password: NEW_PASSWORD }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
    ...Array<number>(5).fill(400),
    ...Array<number>(15).fill(429),
  ])
  const without = await fixture.enter(await fixture.addPerson({ password: false }))
  const chosen = await without.post('/me/password', { password: NEW_PASSWORD })
  assert.equal(chosen.status, 409, chosen.text)
})

test('second factor: set up, asked for at every sign-in, and each code is good once', async () => {
  const person = await fixture.addPerson()
  const [here, there] = [await fixture.enter(person), await fixture.enter(person)]
  assert.deepEqual((await here.post('/me/second-factor', { current: 'x' })).paths, ['current'])
  const { secret, codes, step } = await setUpFactor(here)
  assert.equal(codes.length, 10)
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[2-9a-z]{5}-[2-9a-z]{5}$/)
  assert.equal((await there.get('/me')).status, 401, 'others signed in with less')
  assert.equal((await here.post('/me/second-factor', { current: PASSWORD })).status, 409)

  const visitor = fixture.visitor()
  const half = await visitor.signIn(person.email, PASSWORD)
  assert.equal((half.json as { step: string }).step, 'SECOND_FACTOR')
  const halfToken = visitor.cookies.get('upvane')
  assert.equal((await visitor.get('/me')).status, 401, 'half a session is none')
  assert.equal(await visitor.step(), 'SECOND_FACTOR')
  const minutes = await minutesLeft(visitor)
  assert.ok(minutes <= 10 && minutes > 9.5, `${minutes} min`)

  // The code that confirmed it is used up, and so are all before it.
  assert.equal((await give(visitor, totp(secret, step))).status, 401)
  assert.equal((await give(visitor, totp(secret, step - 1))).status, 401)
  const next = totp(secret, step + 1)
  assert.equal((await give(visitor, `${next.slice(0, 3)} ${next.slice(3)}`)).status, 200)
  assert.equal(await visitor.step(), 'SIGNED_IN')
  assert.notEqual(visitor.cookies.get('upvane'), halfToken, 'the half session is not made whole')

  const replay = fixture.visitor()
  await replay.signIn(person.email, PASSWORD)
  assert.equal((await give(replay, next)).status, 401, 'somebody who looked over the shoulder')
  assert.equal((await give(replay, codes[0]?.toUpperCase() ?? '')).status, 200)
  const again = fixture.visitor()
  await again.signIn(person.email, PASSWORD)
  assert.equal((await give(again, codes[0] ?? '')).status, 401)
  const { person: seen } = (await replay.get('/me')).json as { person: Record<string, unknown> }
  assert.equal(seen['recoveryCodesLeft'], 9)
  assert.equal(seen['secondFactor'], true)
})

test('second factor: one code is spent once, also by ten at the same time', async () => {
  const person = await fixture.addPerson()
  const { codes } = await setUpFactor(await fixture.enter(person))
  const halves = await Promise.all(
    Array.from({ length: 5 }, () => fixture.enter(person, { complete: false })),
  )
  const answers = await Promise.all(halves.map((half) => give(half, codes[3] ?? '')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('second factor: guessing ends after five tries, over all the ways to give one', async () => {
  const person = await fixture.addPerson()
  const here = await fixture.enter(person)
  const { secret } = await setUpFactor(here)
  const half = await fixture.enter(person, { complete: false })
  const answers = [
    ...(await Promise.all(Array.from({ length: 20 }, (_, i) => give(half, String(100_000 + i))))),
    await here.post('/me/second-factor/remove', { code: '123456' }),
    await give(half, totp(secret, stepNow() + 1)),
  ]
  const counts = answers.map(({ status }) => status)
  assert.equal(counts.filter((status) => status === 401).length, 5)
  assert.equal(counts.filter((status) => status === 429).length, 17)

  const other = await fixture.addPerson()
  const visitor = await fixture.enter(other)
  await visitor.post('/me/second-factor', { current: PASSWORD })
  const guesses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      visitor.post('/me/second-factor/confirm', { code: String(200_000 + i) }),
    ),
  )
  assert.equal(guesses.filter(({ status }) => status === 400).length, 5)
  assert.equal(guesses.filter(({ status }) => status === 429).length, 15)
})

test('second factor: removing it takes a code, and then none is asked for', async () => {
  const person = await fixture.addPerson()
  const here = await fixture.enter(person)
  const { codes } = await setUpFactor(here)
  const there = await fixture.enter(person)
  assert.deepEqual((await here.post('/me/second-factor/remove', { code: 'wrong' })).paths, ['code'])
  assert.equal((await here.post('/me/second-factor/remove', { code: codes[1] })).status, 200)
  assert.equal((await there.get('/me')).status, 401)
  const visitor = fixture.visitor()
  assert.equal((await visitor.signIn(person.email, PASSWORD)).status, 200)
  assert.equal(await visitor.step(), 'SIGNED_IN')
  assert.equal(await fixture.db.count('recovery_codes', 'user_id = $1', [person.uuid]), 0)
})

test('second factor: the seed is encrypted, and codes are hashed', async () => {
  const person = await fixture.addPerson()
  const { secret, codes } = await setUpFactor(await fixture.enter(person))
  const rows = JSON.stringify(
    await fixture.db.run(
      `select u::text as u, (select string_agg(c::text, ' ') from recovery_codes c where c.user_id = u.id) as c
         from users u where id = $1`,
      [person.uuid],
    ),
  )
  assert.doesNotMatch(rows, new RegExp([secret, ...codes].join('|'), 'i'))
  // Ten characters can be brute-forced: an unkeyed hash would reveal them.
  const bare = codes.map((code) => sha256(code.replace('-', '')))
  const known = await fixture.db.count('recovery_codes', 'hash = any ($1)', [bare])
  assert.equal(known, 0)
})

test('second factor: codes from before they were hashed with a key are keyed at the next start, and work once', async () => {
  const person = await fixture.addPerson()
  const here = await fixture.enter(person)
  await setUpFactor(here)
  const old = ['abcde-23456', 'fghjk-78923']
  for (const code of old)
    await fixture.db.run(
      'insert into recovery_codes (user_id, hash, keyed) values ($1, $2, false)',
      [person.uuid, sha256(code.replace('-', ''))],
    )
  const remove = (code: string | undefined) => here.post('/me/second-factor/remove', { code })
  const half = await fixture.enter(person, { complete: false })
  assert.equal((await give(half, old[0] ?? '')).status, 200, 'before the restart')
  await fixture.stack.start('api')
  const bare = old.map((code) => sha256(code.replace('-', '')))
  assert.equal(await fixture.db.count('recovery_codes', 'hash = any ($1)', [bare]), 0)
  const other = await fixture.enter(person, { complete: false })
  assert.equal((await give(other, old[0] ?? '')).status, 401, 'it was used')
  assert.equal((await remove(old[1])).status, 200)
})

test('second factor: half a session ends after ten minutes, and with a new password', async () => {
  const person = await fixture.addPerson()
  const whole = await fixture.enter(person)
  const { secret, codes } = await setUpFactor(whole)
  const [late, early] = [fixture.visitor(), fixture.visitor()]
  for (const half of [late, early]) await half.signIn(person.email, PASSWORD)
  await shift(late, { ends: '10 minutes' })
  assert.equal((await give(late, codes[0] ?? '')).status, 401)
  assert.equal(await late.step(), 'SIGN_IN')

  const change = { current: PASSWORD, password: NEW_PASSWORD }
  assert.equal((await whole.post('/me/password', change)).status, 200)
  assert.equal((await give(early, codes[0] ?? '')).status, 401)
  assert.equal((await give(fixture.visitor(), totp(secret, stepNow() + 1))).status, 401)
  const again = fixture.visitor()
  await again.signIn(person.email, NEW_PASSWORD)
  assert.equal((await give(again, codes[0] ?? '')).status, 200, 'the code was never looked at')
})

test('people: a closed account is out with the next request', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'OWNER')
  const paths = ['/me', '/me/sessions', `/organizations/${fixture.orgId}/monitors`]
  for (const path of paths) assert.equal((await visitor.get(path)).status, 200)
  await fixture.db.run('update users set disabled_at = now() where id = $1', [person.uuid])
  for (const path of paths) assert.equal((await visitor.get(path)).status, 401, path)
})

test('updateMe: a new name, at once and everywhere', async () => {
  const visitor = await fixture.enter(await fixture.addPerson())
  const answer = await visitor.patch('/me', { name: 'Ada' })
  assert.equal((answer.json as { name: string }).name, 'Ada')
  const { person } = (await visitor.get('/me')).json as { person: { name: string } }
  assert.equal(person.name, 'Ada')
})

test('updateMe: the time zone of emails, which a dashboard of the previous version leaves as it is', async () => {
  const visitor = await fixture.enter(await fixture.addPerson())
  const change = (body: object) => visitor.patch('/me', { name: 'Ada', ...body })
  const zoneOf = ({ json }: { json: unknown }) => (json as { timezone?: string | null }).timezone
  assert.equal(zoneOf(await change({})), null)
  assert.equal(zoneOf(await change({ timezone: 'Asia/Kolkata' })), 'Asia/Kolkata')
  assert.equal(zoneOf(await change({})), 'Asia/Kolkata')
  for (const wrong of ['Mars/Olympus', '+05:30', '', 5])
    assert.deepEqual((await change({ timezone: wrong })).paths, ['timezone'], String(wrong))
  assert.equal(zoneOf(await change({ timezone: null })), null)
})

const ROW_VERSION = 'select xmin::text from sessions where token_hash = $1'
const hashOf = (visitor: Visitor) => sha256(visitor.cookies.get('upvane') ?? '')
const give = (visitor: Visitor, code: string) => visitor.post('/session/second-factor', { code })

/** Moves a session's times into the past. */
async function shift(
  visitor: Visitor,
  { seen = '0', ends = '0' }: { seen?: string; ends?: string },
): Promise<void> {
  await fixture.db.run(
    `update sessions set seen_at = seen_at - $2::interval, expires_at = expires_at - $3::interval
      where token_hash = $1`,
    [hashOf(visitor), seen, ends],
  )
}

async function minutesLeft(visitor: Visitor): Promise<number> {
  const { left } = await fixture.db.one<{ left: number }>(
    'select extract(epoch from expires_at - now())::float8 / 60 as left from sessions where token_hash = $1',
    [hashOf(visitor)],
  )
  return left
}

type Line = { id: string; address: string; agent: string; current: boolean }

async function sessionsOf(visitor: Visitor): Promise<Line[]> {
  return ((await visitor.get('/me/sessions')).json as { data: Line[] }).data
}

async function setUpFactor(
  visitor: Visitor,
): Promise<{ secret: string; codes: string[]; step: number }> {
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  assert.equal(begun.status, 200, begun.text)
  const { secret, address } = begun.json as { secret: string; address: string }
  assert.match(address, new RegExp(`^otpauth://totp/Upvane:.*secret=${secret}&issuer=Upvane$`))
  const step = stepNow()
  const confirmed = await visitor.post('/me/second-factor/confirm', { code: totp(secret, step) })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { secret, codes: (confirmed.json as { recoveryCodes: string[] }).recoveryCodes, step }
}
