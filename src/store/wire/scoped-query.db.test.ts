// The rows that a query sees must never depend on who used the connection before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sql } from '../core/db.ts'

const SETTING = sql`select current_setting('app.org', true) as org`
const VISIBLE = sql`select id, current_org() as org, pg_backend_pid() as pid from organizations`
const SLOWLY = sql`select id, pg_sleep($1) as slept from organizations`
const FAILS = sql`select 1 / (select count(*) - count(*) from organizations) as never`
const ECHO = sql`select $1::text as text, $2::int as number, $3::text[] as list, null as nothing`

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('the setting ends with its query, its transaction, and with either one failing', async () => {
  const { database, a } = await twoOrganizations(1)
  const left = async () => (await database.app.query<{ org: string | null }>(SETTING))[0]?.org

  await database.app.of(a).query(VISIBLE)
  assert.ok(!(await left()), 'after a query')
  await database.app.transaction(a, async (tx) => {
    assert.equal((await tx.query<{ org: string }>(SETTING))[0]?.org, a)
  })
  assert.ok(!(await left()), 'after a transaction')
  await assert.rejects(database.app.of(a).query(FAILS), { code: '22012' })
  assert.ok(!(await left()), 'after a query that failed')
  await assert.rejects(
    database.app.transaction(a, (tx) => tx.query(FAILS)),
    { code: '22012' },
  )
  assert.ok(!(await left()), 'after a transaction that failed')
})

test('200 interleaved reads of two organizations on three connections: each sees its own', async () => {
  const { database, a, b } = await twoOrganizations(3)
  const pids = new Set<number>()
  const asked = Array.from({ length: 200 }, async (_, index) => {
    const org = index % 2 === 0 ? a : b
    // Some take longer, so that connections do not become free in the order of the queries.
    if (index % 7 === 0) {
      const rows = await database.app.of(org).query<{ id: string }>(SLOWLY, [0.01])
      return assert.deepEqual(
        rows.map(({ id }) => id),
        [org],
      )
    }
    const rows = await database.app.of(org).query<{ id: string; org: string; pid: number }>(VISIBLE)
    assert.deepEqual(
      rows.map((row) => [row.id, row.org]),
      [[org, org]],
    )
    return pids.add(rows[0]?.pid ?? 0)
  })
  await Promise.all(asked)
  assert.ok(pids.size <= 3, `${pids.size} connections`)
})

test('reads, transactions and failures mixed on three connections: still each sees its own', async () => {
  const { database, a, b } = await twoOrganizations(3)
  const work = Array.from({ length: 150 }, async (_, index) => {
    const org = index % 2 === 0 ? a : b
    if (index % 5 === 0) return assert.rejects(database.app.of(org).query(FAILS))
    if (index % 3 === 0) {
      const seen = await database.app.transaction(org, (tx) => tx.query<{ id: string }>(VISIBLE))
      return assert.deepEqual(
        seen.map(({ id }) => id),
        [org],
      )
    }
    if (index % 4 === 0) return assert.deepEqual(await database.app.query(VISIBLE), [])
    const rows = await database.app.of(org).query<{ id: string }>(VISIBLE)
    return assert.deepEqual(
      rows.map(({ id }) => id),
      [org],
    )
  })
  await Promise.all(work)
  assert.equal(database.app.stats.waiting, 0)
})

test('values go through unchanged, also when the statement is already prepared', async () => {
  const { database, a } = await twoOrganizations(1)
  for (const text of ["it's", '', '💡', '\\', '$1']) {
    const rows = await database.app.of(a).query(ECHO, [text, 7, ['a,b', '"', 'null']])
    assert.deepEqual(rows, [{ text, number: 7, list: ['a,b', '"', 'null'], nothing: null }])
  }
})

test('what is not an organization id never reaches the database as one', async () => {
  const { database } = await twoOrganizations(1)
  const bad = "x'; drop table organizations; --"
  await assert.rejects(
    database.app.transaction(bad, async () => {}),
    /Not an organization id/,
  )
  await assert.rejects(database.app.of(bad).query(VISIBLE), { code: '22P02' })
  assert.deepEqual(await database.app.query(VISIBLE), [])
})

async function twoOrganizations(connections: number) {
  const database: TestDatabase = await fixture.openDatabase({ connections })
  const [a, b] = [await database.createOrganization(), await database.createOrganization()]
  return { database, a, b }
}
