import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { Database, type Protocol, sql } from '../core/db.ts'
import { bigints } from './batch-values.ts'
import { runPlain } from './plain-query.ts'

const SUM = sql`select sum(n) as sum, current_setting('app.org', true) as org from unnest($1::bigint[]) n`
const SCOPES = sql`select count(*)::int as n from pg_prepared_statements where name = 'scope'`
const SCOPE = `select set_config('app.org', $1, true)`

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

test('plain: nothing but texts and values is given to pg, in four steps for an organization', async () => {
  const client = new pg.Client(fixture.postgres.databaseUrl(database.name))
  await client.connect()
  const given: unknown[][] = []
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
  client.query = ((...args: unknown[]) => {
    given.push(args)
    return query(...args)
  }) as typeof client.query
  const org = await database.createOrganization()
  const own = await runPlain(client, SUM, [bigints([1, 2])], org)
  const none = await runPlain(client, SUM, [bigints([])])
  await client.end()
  assert.deepEqual(own, [{ sum: '3', org }])
  assert.deepEqual(none, [{ sum: null, org: '' }])
  assert.deepEqual(given, [
    ['begin'],
    [SCOPE, [org]],
    [{ ...SUM, values: [[1, 2]] }],
    ['commit'],
    [{ ...SUM, values: [[]] }],
  ])
})

for (const [protocol, scopes] of [
  ['fast', 1],
  ['plain', 0],
] satisfies [Protocol, number][])
  test(`a database with the ${protocol} protocol uses it for reads and in transactions`, async () => {
    const url = fixture.postgres.databaseUrl(database.name)
    const chosen = new Database({ url, protocol, role: 'upvane_app', connections: 1 })
    const org = await database.createOrganization()
    await chosen.of(org).query(SUM, [bigints([1])])
    assert.deepEqual(await chosen.query(SCOPES), [{ n: scopes }])
    assert.deepEqual(
      await chosen
        .admittedBy(async () => () => {})
        .of(org)
        .query(SCOPES),
      [{ n: scopes }],
    )
    const hasCopy = await chosen.transaction(org, async (tx) => tx.copy !== undefined)
    assert.equal(hasCopy, protocol === 'fast')
    await chosen.close()
  })
