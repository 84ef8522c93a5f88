import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DbFixture,
  PROTOCOL,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { UnreplicatedError } from '../wire/unreplicated.ts'
import { Database, sql } from './db.ts'

const INSERT = sql`insert into regions (name) values ($1)`
const POLL_MS = 50
const GIVE_UP_MS = 10_000
// No statement timeout ends the wait of a commit. An operator can.
const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event = 'SyncRep'`

let fixture: DbFixture
let own: TestDatabase
let database: Database

before(async () => {
  fixture = await startDbFixture({ own: true })
  own = await fixture.openDatabase()
  // The fixture commits without waiting; the service never does.
  await own.admin.query(`alter database ${own.name} set synchronous_commit = 'on'`)
  const url = fixture.postgres.databaseUrl(own.name)
  database = new Database({ url, protocol: PROTOCOL, role: 'upvane_engine', connections: 1 })
})
after(async () => {
  await setStandby('')
  await database.close()
  await fixture.stop()
})

async function setStandby(name: string): Promise<void> {
  await own.admin.query(`alter system set synchronous_standby_names = '${name}'`)
  await own.admin.query('select pg_reload_conf(), pg_sleep(0.5)')
}

/** Cancels the wait of the first commit that waits for a standby. */
async function cancelWait(): Promise<void> {
  const deadlineMs = performance.now() + GIVE_UP_MS
  while ((await own.admin.query(CANCEL)).rows.length === 0) {
    assert.ok(performance.now() < deadlineMs, 'no commit waits')
    await sleep(POLL_MS)
  }
}

test('a commit without a standby that is required fails, in a transaction and alone', async () => {
  await setStandby('nobody')
  const insert = (name: string) => database.transaction(undefined, (tx) => tx.query(INSERT, [name]))
  await assert.rejects(Promise.all([insert('lost'), cancelWait()]), UnreplicatedError)
  await assert.rejects(
    Promise.all([database.query(INSERT, ['lost-too']), cancelWait()]),
    UnreplicatedError,
  )
  await setStandby('')
})

test('later commits on the same connection succeed', async () => {
  await database.transaction(undefined, (tx) => tx.query(INSERT, ['kept']))
  await database.query(INSERT, ['kept-too'])
  const { rows } = await own.admin.query(`select name from regions where name like 'kept%'`)
  assert.equal(rows.length, 2)
})
