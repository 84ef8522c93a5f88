// One token admits one probe, whatever happens concurrently.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { newAuthority } from '../../bus/authority.ts'
import { newSeed, publicKeyOf } from '../../bus/nats-jwt.ts'
import { listRevokedKeys } from '../../store/operating/probes.ts'
import { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { ensureAuthority, findAuthority } from './bus-authority.ts'
import { createProbeToken } from './create-token.ts'
import { joinProbe } from './join.ts'
import { recordRevocation } from './revoke.ts'
import { revokeProbeToken } from './revoke-token.ts'

const SEEDS = newAuthority()
const REFUSED = /unknown, expired or already used/

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const newKey = () => publicKeyOf(newSeed('user'))
const create = (region: string, name: string | null = null) =>
  database.engine.transaction(undefined, (tx) =>
    createProbeToken(tx, SEEDS, { region, name, seconds: 60, url: 'tls://a:4222', ca: '' }),
  )
const ask = ({ id, secret }: { id: string; secret: string }, publicKey = newKey()) =>
  joinProbe(database.engine, async () => SEEDS, { id, secret, publicKey })
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    nats: { pub: { allow: string[] }; sub: { allow: string[] } }
  }

test('of twenty that use one token at the same moment, one joins', async () => {
  const token = await create('eu-west')
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => ask(token)))
  const joined = outcomes.filter(({ status }) => status === 'fulfilled')
  assert.equal(joined.length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.match(String(outcome.reason), REFUSED)
  const { rows } = await database.admin.query(`select name from probes where region = 'eu-west'`)
  assert.deepEqual(rows, [{ name: 'eu-west-1' }])
})

test('claims name the region and the probe, and permit nothing else', async () => {
  const { jwt } = await ask(await create('us-east', 'nyc-1'))
  const { pub, sub } = claimsOf(jwt).nats
  assert.deepEqual(pub.allow, ['upvane.probes.us-east.nyc-1'])
  assert.deepEqual(sub.allow, ['upvane.jobs.us-east probes', 'upvane.inbox.nyc-1.>'])
})

test('the same key may ask again, and is the same probe', async () => {
  const token = await create('eu-west')
  const key = newKey()
  const first = await ask(token, key)
  const again = await ask(token, key)
  assert.deepEqual([again.name, again.region], [first.name, first.region])
})

test('refused: expired, another secret, an id that is none, a name that is taken', async () => {
  const token = await create('eu-west')
  await assert.rejects(ask({ ...token, secret: 'guessed' }), REFUSED)
  await assert.rejects(ask({ ...token, id: "' or true" }), REFUSED)
  await database.admin.query(`update probe_tokens set expires_at = now() where id = $1`, [token.id])
  await assert.rejects(ask(token), REFUSED)
  await assert.rejects(ask(await create('us-east', 'nyc-1')), /already a probe named nyc-1/)
})

test('a revoked probe does not come back with its token', async () => {
  const token = await create('eu-west', 'ber-1')
  const key = newKey()
  await ask(token, key)
  const done = await recordRevocation(database.engine, 'ber-1', async () => {})
  assert.equal(done?.region, 'eu-west')
  assert.ok((await listRevokedKeys(database.engine)).has(key))
  await assert.rejects(ask(token, key), /revoked/)
  assert.equal(await recordRevocation(database.engine, 'nobody', async () => {}), undefined)
})

test('a used token is revoked with its probe and without, once its response has arrived', async () => {
  const [used, unused] = [await create('eu-west'), await create('eu-west')]
  await ask(used)
  const keyOf = ({ seed }: { seed: string }) => publicKeyOf(seed)
  const age = (seconds: number) =>
    database.admin.query(
      `update probe_tokens set used_at = now() - make_interval(secs => $2) where id = $1`,
      [used.id, seconds],
    )
  assert.ok(!(await listRevokedKeys(database.engine)).has(keyOf(used)))
  await age(2)
  const revoked = await listRevokedKeys(database.engine)
  assert.ok(revoked.has(keyOf(used)))
  assert.ok(!revoked.has(keyOf(unused)))
  // Claims that were issued before the date are refused, and NATS counts in seconds.
  const { rows } = await database.admin.query<{ at: Date }>(
    'select created_at as at from probe_tokens where id = $1',
    [used.id],
  )
  assert.ok((revoked.get(keyOf(used)) ?? 0) >= (rows[0]?.at ?? Number.NaN))
  await database.admin.query(
    `update probe_tokens set expires_at = now() - interval '1 second' where id = $1`,
    [used.id],
  )
  assert.ok(!(await listRevokedKeys(database.engine)).has(keyOf(used)), 'NATS refuses it by itself')
})

test('a revoked token: NATS learns of it at once, and it is refused whoever has its secret', async () => {
  const token = await create('eu-west')
  const key = publicKeyOf(token.seed)
  assert.deepEqual(await revokeProbeToken(database.engine, token.id), { region: 'eu-west' })
  const revoked = await listRevokedKeys(database.engine)
  assert.ok(revoked.has(key))
  await assert.rejects(ask(token), REFUSED)
  assert.equal(await revokeProbeToken(database.engine, token.id), undefined, 'recorded once')
  assert.equal(await revokeProbeToken(database.engine, "' or true"), undefined)
  const { rows } = await database.admin.query(
    `select action, detail from operator_log where detail->>'token' = $1`,
    [token.id],
  )
  const detail = { region: 'eu-west', token: token.id }
  assert.deepEqual(rows, [{ action: 'probe token revoked', detail }])
})

test('the keys are created once, and only the master keys open them', async () => {
  const secrets = new PeopleSecrets(database.masterKeys)
  const [first, second] = await Promise.all([
    ensureAuthority(database.engine, secrets),
    ensureAuthority(database.engine, secrets),
  ])
  assert.deepEqual(first, second)
  assert.deepEqual(await findAuthority(database.engine, secrets), first)
  const { rows } = await database.admin.query<{ sealed: Buffer }>(
    'select sealed from bus_authority',
  )
  assert.ok(!rows[0]?.sealed.toString('latin1').includes(first.account))
})
