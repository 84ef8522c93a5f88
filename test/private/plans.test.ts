// No request reads a large table as a whole: in an installation with many organizations it would take as long as all of
// them together. PostgreSQL itself reports the plan of every statement.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { countRows, logLength, logPlans, readPlans } from '../../benchmarks/query-plans.ts'
import { listScreens } from '../../benchmarks/screen-load.ts'
import { exerciseApi, searchByText } from '../../benchmarks/traffic.ts'
import { parseMasterKeys } from '../../src/platform/crypto/encryption.ts'
import { Database } from '../../src/store/core/db.ts'
import { OrganizationSecrets } from '../../src/store/core/organization-secrets.ts'
import { Tenants } from '../../src/store/core/tenants.ts'
import { fillTenant } from '../db-kit/fill-tenant.ts'
import { multiplyRows } from '../db-kit/multiply-rows.ts'
import { EXT_OPERATIONS } from '../kit/ext-replies.ts'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { follow } from './follower.ts'
import { APP_OPERATIONS, pathOf } from './operations.ts'
import { createTeam, type Team } from './screens.ts'

// Large enough that planning for one organization prefers an index, small enough to be filled in seconds.
const ROWS = 5_000

let fixture: AppFixture
let client: pg.Client
let team: Team

before(async () => {
  fixture = await startAppFixture({}, { own: true })
  const { stack, service } = fixture
  client = new pg.Client(stack.databaseUrl)
  await client.connect()
  await fillOthers()
  team = await createTeam(fixture)
  await team.createMonitor({ name: 'Job', type: 'CRON' })
  // Only new connections report their plans.
  await logPlans(client, true)
  await service.stop()
  await stack.start('api', { port: Number(new URL(service.baseUrl).port) })
})
after(async () => {
  await client?.end()
  await fixture?.stop()
})

/** One row in every table of one organization, and thousands of copies that belong to others. */
async function fillOthers(): Promise<void> {
  const { DATABASE_URL: url = '', MASTER_KEYS = '' } = fixture.stack.env
  const masterKeys = parseMasterKeys(MASTER_KEYS)
  if (typeof masterKeys === 'string') throw new Error(masterKeys)
  const app = new Database({ url, role: 'upvane_app', connections: 1 }, () => {})
  const { orgId } = await fillTenant({
    admin: client,
    tenants: new Tenants(app, new OrganizationSecrets(masterKeys)),
    createOrganization: async () => (await fixture.createOrganization()).uuid,
  })
  await app.close()
  await multiplyRows(client, orgId, ROWS)
}

// The installation watches itself twice a minute, for everybody, whatever is requested meanwhile: src/store/operating/self-watch.ts
// and the age of the oldest due delivery.
const SELF_WATCH =
  /^(select exists \(select from schedulers|select distinct shard from monitor_states|with days as materialized \( select today|with recursive walk as \( \(select d\.endpoint_id|select coalesce\(region, ''\) as region, count\(\*\))/

/** Fails if a statement meanwhile reads a large table from one end, but for `allowed`. */
async function assertNoWholeScan(exercise: () => Promise<unknown>, allowed = /^$/): Promise<void> {
  const { postgres } = fixture.stack
  const rowsOf = await countRows(client)
  const from = logLength(postgres)
  await exercise()
  const plans = readPlans(postgres, from, rowsOf, ROWS)
  const touched = plans.filter(({ scans }) => scans.some((scan) => / monitor/.test(scan)))
  assert.ok(touched.length > 0, 'no plan of a large table was seen')
  const whole = plans.filter(
    ({ statement, wholeScans }) =>
      wholeScans.length > 0 && !allowed.test(statement) && !SELF_WATCH.test(statement),
  )
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
    'select count(*) from monitor_states where last_response_ms > 0',
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
  await assertNoWholeScan(async () => {
    await exerciseApi(service.baseUrl, keys.full)
    await searchByText(service.baseUrl, keys.full)
  })
})

test('the extension API', async () => {
  const regions = '/api/ext/v1/organization/regions'
  const [name] = await fixture.db.run<{ name: string }>('select name from regions limit 1')
  assert.equal((await fixture.api.put(regions, { regions: [name?.name] })).status, 200)
  await assertNoWholeScan(async () => {
    const reads = EXT_OPERATIONS.filter(({ method, path }) => method === 'GET' && !/\{/.test(path))
    assert.ok(reads.length > 5)
    for (const { path } of reads) assert.equal((await fixture.api.get(path)).status, 200, path)
  })
})

test('every screen of the dashboard', () =>
  assertNoWholeScan(async () => {
    const { orgId, owner } = team
    for (const { name, path } of await listScreens(fixture.db, toUuid(orgId))) {
      const { status } = await owner.get(`/organizations/${orgId}${path(0)}`)
      assert.ok(status === 200 || status === 404, `${name}: ${status}`)
    }
    for (const operation of APP_OPERATIONS)
      if (operation.method === 'GET' && operation.stream === undefined)
        await owner.get(pathOf(operation, orgId))
    ;(await follow(owner, orgId)).close()
  }))

// Deliveries and attempts have no index by organization: their ids are walked, one range at a time.
const WALKED =
  /^with gone as \( delete from (attempts where delivery_id|deliveries where id) > \$1 /

test('the deletion of an organization', () =>
  assertNoWholeScan(() => fixture.operate(['org', 'delete', team.orgId, '--yes']), WALKED))
