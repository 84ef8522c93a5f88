// What the upvane_people role can reach, whatever its statements ask for.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  PROTOCOL,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, listTables } from '../../../test/db-kit/fill-tenant.ts'
import { Database } from './db.ts'

// Its own tables, and the two that people and organizations share.
const OWN = [
  'answered_challenges',
  'identities',
  'invitations',
  'members',
  'passkeys',
  'recovery_codes',
  'service_keys',
  'sessions',
  'setup',
  'sign_in_windows',
  'user_tokens',
  'users',
]
// Names and plans of organizations, and what every role may read.
const READABLE = ['organizations', 'subscriptions']
// Who is an operator: given and taken by the operator's commands, with the engine's role.
const ONLY_READABLE = ['operators']
const CREATED_WITH_AN_ORGANIZATION = [
  'organization_keys',
  'organization_usage',
  'audit_log',
  'operator_log',
]
const DENIED = '42501'

let fixture: DbFixture
let database: TestDatabase
let people: Database
let others: string[]

before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  await fillTenant(database)
  const url = fixture.postgres.databaseUrl(database.name)
  people = new Database(
    { url, protocol: PROTOCOL, role: 'upvane_people', connections: 2 },
    () => {},
  )
  const names = (await listTables(database.admin)).map(({ name }) => name)
  others = names.filter((name) => !OWN.includes(name) && name !== 'schema_migrations')
})
after(async () => {
  await people.close()
  await fixture.stop()
})

test('it reads nothing that is in an organization', async () => {
  assert.ok(others.length > 30, `${others.length} tables`)
  for (const name of others.filter((table) => ![...READABLE, ...ONLY_READABLE].includes(table)))
    await assert.rejects(ask(`select 1 from ${name}`), { code: DENIED }, name)
  for (const column of ['private_targets', 'name', 'plan'])
    assert.ok((await ask(`select ${column} from organizations`)).length > 0)
  await assert.rejects(ask('select * from organizations'), { code: DENIED })
})

test('it changes and removes nothing of it', async () => {
  for (const name of others)
    for (const statement of [`delete from ${name}`, `truncate ${name}`])
      await assert.rejects(ask(statement), { code: DENIED }, statement)
  for (const name of ['organizations', 'subscriptions'])
    await assert.rejects(ask(`update ${name} set ${firstColumn(name)} = null`), { code: DENIED })
})

test('it adds an organization with what belongs to it, and a line about who joined; nothing else', async () => {
  const addable = new Set([...READABLE, ...CREATED_WITH_AN_ORGANIZATION])
  const { rows } = await database.admin.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
        and has_any_column_privilege('upvane_people', c.oid, 'insert') order by 1`,
  )
  const found = rows.map(({ name }) => name).filter((name) => !OWN.includes(name))
  assert.deepEqual(found, [...addable].toSorted())
})

test('the roles of tenants and of the engine do not read passwords, and it is no more than they are', async () => {
  const { rows } = await database.admin.query(`
    select r.rolname, rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb as mighty,
           exists (select from pg_class c where c.relowner = r.oid) as owns,
           has_column_privilege(r.oid, 'users', 'password_hash', 'select') as reads
      from pg_roles r where r.rolname in ('upvane_app', 'upvane_engine', 'upvane_people') order by 1`)
  assert.deepEqual(rows, [
    { rolname: 'upvane_app', mighty: false, owns: false, reads: false },
    { rolname: 'upvane_engine', mighty: false, owns: false, reads: false },
    { rolname: 'upvane_people', mighty: false, owns: false, reads: true },
  ])
})

const firstColumn = (table: string) => (table === 'organizations' ? 'name' : 'status')
const ask = (text: string) => people.query({ name: text.slice(0, 60), text })
