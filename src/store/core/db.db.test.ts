import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  PROTOCOL,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { ApiError } from '../../platform/api-error.ts'
import { Database, sql, type Tx } from './db.ts'

const PID = sql`select pg_backend_pid() as pid`
const WRONG = sql`select 1 / 0`

let fixture: DbFixture
let own: TestDatabase
let database: Database

before(async () => {
  fixture = await startDbFixture()
  own = await fixture.openDatabase()
  const url = fixture.postgres.databaseUrl(own.name)
  database = new Database(
    { url, protocol: PROTOCOL, role: 'upvane_engine', connections: 1 },
    () => {},
  )
})
after(async () => {
  await database.close()
  await fixture.stop()
})

const pidOf = async (db: Pick<Tx, 'query'>) => (await db.query<{ pid: number }>(PID))[0]?.pid

async function pidAfter(fail: (tx: Tx) => Promise<unknown>): Promise<(number | undefined)[]> {
  const before = await pidOf(database)
  await assert.rejects(database.transaction(undefined, fail))
  return [before, await pidOf(database)]
}

test('a refusal inside a transaction costs no connection', async () => {
  const [pidBefore, pidNow] = await pidAfter(async (tx) => {
    await pidOf(tx)
    throw new ApiError('conflict', 'No.')
  })
  assert.equal(pidNow, pidBefore)
})

test('neither does a statement that the database refuses', async () => {
  const [pidBefore, pidNow] = await pidAfter((tx) => tx.query(WRONG))
  assert.equal(pidNow, pidBefore)
})

test('a connection that broke is replaced', async () => {
  const [pidBefore, pidNow] = await pidAfter(async (tx) => {
    await own.admin.query('select pg_terminate_backend($1)', [await pidOf(tx)])
    await pidOf(tx)
  })
  assert.notEqual(pidNow, pidBefore)
})

test('what was written before the refusal is gone', async () => {
  const insert = sql`insert into regions (name) values ('nowhere')`
  await pidAfter(async (tx) => {
    await tx.query(insert)
    throw new ApiError('conflict', 'No.')
  })
  const rows = await database.query(sql`select 1 from regions where name = 'nowhere'`)
  assert.deepEqual(rows, [])
})
