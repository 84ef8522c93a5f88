import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { Database } from '../core/db.ts'
import { acquireWatch } from './self-watch.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('of several processes one is the watch, and one that is frozen is not for long', async (t) => {
  const { name } = await fixture.openDatabase()
  const connect = () => {
    const options = { url: fixture.postgres.databaseUrl(name), role: 'upvane_engine' } as const
    const database = new Database({ ...options, connections: 1 })
    t.after(() => database.close())
    return database
  }
  const [one, other] = [connect(), connect()]
  const SILENT_MS = 1_000
  const asks = (database: typeof one) =>
    database.transaction(undefined, (tx) => acquireWatch(tx, SILENT_MS))
  assert.equal(await asks(one), true)
  for (let round = 0; round < 4; round++) {
    await delay(SILENT_MS / 2)
    assert.deepEqual([await asks(one), await asks(other)], [true, false])
  }
  // A frozen process says nothing, and its connection stays open.
  const startMs = performance.now()
  while (!(await asks(other)) && performance.now() - startMs < 5 * SILENT_MS)
    await delay(SILENT_MS / 10)
  const tookMs = performance.now() - startMs
  assert.ok(tookMs > SILENT_MS / 2 && tookMs < 3 * SILENT_MS, `${tookMs} ms`)
  // It asks again, on a new connection, and is not the watch anymore.
  assert.equal(await asks(one).catch(() => asks(one)), false)
})
