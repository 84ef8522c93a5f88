import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import type { BaseOperation } from '../../contract/operation.ts'
import { Type } from '../../contract/type.ts'
import { sql } from '../../store/core/db.ts'
import { bind } from './bind.ts'
import { runWrite } from './write.ts'

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const OPERATION: BaseOperation = {
  id: 'lockTwo',
  method: 'POST',
  path: '/api/v1/two',
  reply: { status: 200, body: Type.Object({}) },
}
const LOCK = sql`select pg_advisory_xact_lock($1)`
const [FIRST, SECOND] = [1, 2]

test('a write that another one waits for, while it waits for that one, runs again', async () => {
  const orgId = await database.createOrganization()
  let runs = 0
  const waiting = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const bound = bind(OPERATION, async (_input, { tx }) => {
    runs++
    await tx.query(LOCK, [FIRST])
    waiting.resolve()
    await tx.query(LOCK, [SECOND])
    return {}
  })
  const other = database.engine.transaction(undefined, async (tx) => {
    await tx.query(LOCK, [SECOND])
    held.resolve()
    await waiting.promise
    // PostgreSQL aborts the transaction that has waited longer.
    await delay(500)
    await tx.query(LOCK, [FIRST])
  })
  const actor = { type: 'API_KEY' as const, id: orgId, name: 'key' }
  const caller = { orgId, actor, access: 'FULL' as const, subscriptionActive: true }
  const write = {
    bound,
    input: { params: {} },
    caller,
    requestId: 'req_1',
    needsSubscription: true,
  }
  const { tenants } = database
  await held.promise
  const answer = await runWrite({ tenants, baseUrl: 'https://upvane.example' }, write)
  await other
  assert.equal(answer.status, 200)
  assert.equal(runs, 2)
  const { rows } = await database.admin.query(`select 1 from audit_log where action = 'lockTwo'`)
  assert.equal(rows.length, 1)
})
