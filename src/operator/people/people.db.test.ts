import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { Database } from '../../store/core/db.ts'
import { insertSession } from '../../store/people/sessions.ts'
import { insertUser } from '../../store/people/users.ts'
import {
  createPersonResetLink,
  invitePerson,
  listPeople,
  removePersonSecondFactor,
  switchPerson,
} from './people.ts'

const BASE_URL = 'https://upvane.example'

let fixture: DbFixture
let database: TestDatabase
let people: Database

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  const url = fixture.postgres.databaseUrl(database.name)
  people = new Database({ url, role: 'upvane_people', connections: 2 }, () => {})
})
after(async () => {
  await people.close()
  await fixture.stop()
})

test('person list: who they are and where they belong, and none of their secrets', async () => {
  const orgId = await database.createOrganization()
  const uuid = await addPerson('list@example.com')
  await database.admin.query(`insert into members values ($1, $2, 'ADMIN')`, [orgId, uuid])
  const found = (await listPeople(people)).find(({ email }) => email === 'list@example.com')
  const { createdAt, ...rest } = found ?? {}
  assert.ok(createdAt instanceof Date)
  assert.deepEqual(rest, {
    id: toPublicId('usr', uuid),
    email: 'list@example.com',
    name: 'Person',
    hasPassword: true,
    isLinked: false,
    secondFactor: false,
    organizations: [{ id: toPublicId('org', orgId), name: 'Test', role: 'ADMIN' }],
    disabledAt: null,
  })
})

test('person reset-link: ends the older ones; none for a closed account', async () => {
  const flags = { email: ' Reset@Example.com' }
  const uuid = await addPerson('reset@example.com')
  const links = [
    await createPersonResetLink(people, flags, BASE_URL),
    await createPersonResetLink(people, flags, BASE_URL),
  ]
  for (const { link } of links)
    assert.match(link, /^https:\/\/upvane\.example\/reset-password#[\w-]{43}$/)
  const { rows } = await database.admin.query(
    'select used_at is null as good from user_tokens where user_id = $1 order by created_at',
    [uuid],
  )
  assert.deepEqual(
    rows.map(({ good }) => good),
    [false, true],
  )
  await switchPerson(people, flags, 'disable')
  await assert.rejects(createPersonResetLink(people, flags, BASE_URL), /Enable it first/)
})

test('person disable: sessions end; enable lets them in again', async () => {
  const uuid = await addPerson('closed@example.com')
  const tokenHash = Buffer.alloc(32, 7)
  await people.transaction(undefined, (tx) =>
    insertSession(tx, {
      uuid: tx.newUuid(),
      tokenHash,
      userUuid: uuid,
      complete: true,
      address: '',
      agent: '',
      expiresAt: new Date(tx.now.getTime() + 60_000),
    }),
  )
  const flags = { email: 'closed@example.com' }
  assert.deepEqual(await switchPerson(people, flags, 'disable'), { ...flags, done: 'disable' })
  const count = async (sql: string) => (await database.admin.query(sql, [uuid])).rowCount
  assert.equal(await count('select from sessions where user_id = $1'), 0)
  assert.equal(await count('select from users where id = $1 and disabled_at is not null'), 1)
  await switchPerson(people, flags, 'enable')
  assert.equal(await count('select from users where id = $1 and disabled_at is null'), 1)
})

test('person remove-second-factor: nothing of it is left', async () => {
  const uuid = await addPerson('lost@example.com')
  await database.admin.query(
    `update users set totp_seed = '\\x00', totp_confirmed_at = now(), totp_last_step = 1 where id = $1`,
    [uuid],
  )
  await database.admin.query(
    `insert into recovery_codes (user_id, hash) values ($1, sha256('x'))`,
    [uuid],
  )
  await database.admin.query(
    `with counted as (update users set passkey_count = 1 where id = $1)
     insert into passkeys (id, user_id, name, credential_id, public_key, signatures)
     values (gen_random_uuid(), $1, 'Laptop', '\\x00', '\\x00', 0)`,
    [uuid],
  )
  await removePersonSecondFactor(people, { email: 'lost@example.com' })
  const { rows } = await database.admin.query(
    `select totp_seed, totp_confirmed_at, totp_last_step, passkey_count,
            (select count(*)::int from passkeys where user_id = $1) as passkeys,
            (select count(*)::int from recovery_codes where user_id = $1) as codes from users where id = $1`,
    [uuid],
  )
  assert.deepEqual(rows, [
    {
      totp_seed: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      passkey_count: 0,
      passkeys: 0,
      codes: 0,
    },
  ])
})

test('person invite: an owner by default; what is wrong is said', async () => {
  const orgId = await database.createOrganization()
  const org = toPublicId('org', orgId)
  const invited = await invitePerson(people, { org, email: 'boss@example.com' }, BASE_URL)
  assert.equal(invited.role, 'OWNER')
  assert.match(invited.link, /^https:\/\/upvane\.example\/invitation#[\w-]{43}$/)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ email: 'a@example.com' }, /--org is needed/],
    [{ org: 'acme', email: 'a@example.com' }, /starts with org_/],
    [{ org, email: 'nobody' }, /must be an e-mail address/],
    [{ org, email: 'a@example.com', role: 'KING' }, /--role must be one of/],
    [
      { org: toPublicId('org', '01940000-0000-7000-8000-000000000000'), email: 'a@example.com' },
      /no such organization/,
    ],
  ]
  for (const [flags, problem] of wrong)
    await assert.rejects(invitePerson(people, flags, BASE_URL), problem)
  await assert.rejects(
    switchPerson(people, { email: 'x@example.com' }, 'disable'),
    /no such person/,
  )
})

async function addPerson(email: string): Promise<string> {
  return people.transaction(undefined, async (tx) => {
    const uuid = tx.newUuid()
    await insertUser(tx, { uuid, email, name: 'Person', passwordHash: 'x' })
    return uuid
  })
}
