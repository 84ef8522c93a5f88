// No request reads a large table as a whole: in an installation with many organizations it would take as long as all of
// them together. PostgreSQL itself reports the plan of every statement.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { fillRows, openBigOrganization } from '../../benchmarks/million-rows.ts'
import { countRows, logLength, logPlans, readPlans } from '../../benchmarks/query-plans.ts'
import { listScreens } from '../../benchmarks/screen-load.ts'
import { exerciseApi, searchByText } from '../../benchmarks/traffic.ts'
import { EXT_OPERATIONS } from '../kit/ext-replies.ts'
import type { Visitor } from '../kit/private-client.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { follow } from './follower.ts'
import { APP_OPERATIONS, pathOf } from './operations.ts'

// Large enough that planning for one organization prefers an index, small enough to be filled in seconds.
const SIZE = { monitors: 20_000, organizations: 200, incidents: 12_000 }

let fixture: AppFixture
let client: pg.Client
let big: Awaited<ReturnType<typeof openBigOrganization>>
let owner: Visitor

before(async () => {
  fixture = await startAppFixture()
  const { stack, service } = fixture
  client = new pg.Client(stack.databaseUrl)
  await client.connect()
  await fillRows(client, SIZE)
  big = await openBigOrganization(client, stack.env)
  owner = (await fixture.join(big.id, 'OWNER')).visitor
  // Only new connections report their plans.
  await logPlans(client, true)
  await service.stop()
  await stack.start('api', { port: Number(new URL(service.baseUrl).port) })
})
after(async () => {
  await client?.end()
  await fixture?.stop()
})

/** Fails if a statement meanwhile reads a large table from one end. */
async function assertNoWholeScan(exercise: () => Promise<unknown>): Promise<void> {
  const { postgres } = fixture.stack
  const tableRows = await countRows(client)
  const from = logLength(postgres)
  await exercise()
  const plans = readPlans(postgres, from, tableRows)
  const touched = plans.filter(({ scans }) => scans.some((scan) => / monitor/.test(scan)))
  assert.ok(touched.length > 0, 'no plan of a large table was seen')
  const whole = plans.filter(({ wholeScans }) => wholeScans.length > 0)
  assert.deepEqual(
    whole.map(({ statement, wholeScans }) => `${wholeScans}: ${statement}`),
    [],
  )
}

test('a plan that reads a whole table is noticed', async () => {
  const read = async (text: string) => {
    const other = new pg.Client(fixture.stack.databaseUrl)
    await other.connect()
    await other.query(text)
    await other.end()
  }
  for (const text of [
    'select count(*) from monitor_states where response_ms > 0'.replace(
      'response',
      'last_response',
    ),
    'select no from monitors order by no limit 100',
  ])
    await assert.rejects(
      assertNoWholeScan(() => read(text)),
      assert.AssertionError,
      text,
    )
})

test('the public API', async () => {
  const { service, keys } = fixture
  for (const key of [keys.full, big.key])
    await assertNoWholeScan(async () => {
      await exerciseApi(service.baseUrl, key)
      await searchByText(service.baseUrl, key)
    })
})

test('the extension API', () =>
  assertNoWholeScan(async () => {
    const reads = EXT_OPERATIONS.filter(({ method, path }) => method === 'GET' && !/\{/.test(path))
    assert.ok(reads.length > 5)
    for (const { path } of reads) assert.equal((await fixture.api.get(path)).status, 200, path)
  }))

test('every screen of the dashboard', () =>
  assertNoWholeScan(async () => {
    const base = `/organizations/${big.id}`
    for (const { name, path } of await listScreens(fixture.db, big.uuid)) {
      const { status } = await owner.get(`${base}${path(0)}`)
      assert.ok(status === 200 || status === 404, `${name}: ${status}`)
    }
    for (const operation of APP_OPERATIONS)
      if (operation.method === 'GET' && operation.stream === undefined)
        await owner.get(pathOf(operation, big.id))
    ;(await follow(owner, big.id)).close()
  }))

test('the deletion of an organization', () =>
  assertNoWholeScan(() => fixture.operate(['org', 'delete', big.id, '--yes'])))
