// What the database itself prevents when every condition on the organization is missing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import {
  fillTenant,
  listTables,
  ownerValue,
  type Tenancy,
  type TenantTable,
} from '../../../test/db-kit/fill-tenant.ts'
import * as incidents from '../incidents/incidents.ts'
import * as monitors from '../monitors/monitors.ts'
import type { Database, Statement } from './db.ts'
import type { Tenant, TenantTx } from './tenants.ts'

// Tables without an owner: limits, the engine's own, and counters that only definer functions use.
const WITHOUT_POLICY = [
  'api_key_windows',
  'bus_authority',
  'database_sizes',
  'deleted_monitors',
  'late_hours',
  'packed_days',
  'packing_progress',
  'ping_outages',
  'ping_receipt',
  'plans',
  'probe_tokens',
  'probes',
  'processes',
  'region_doubts',
  'region_networks',
  'regions',
  'reported_troubles',
  'schedulers',
  'schema_migrations',
  'shards',
  'upkeep_progress',
]
// People belong to no organization. As a tenant, the API reaches only the names of its members.
const OF_PEOPLE = [
  'answered_challenges',
  'identities',
  'mail_windows',
  'operator_log',
  'operators',
  'passkeys',
  'recovery_codes',
  'service_keys',
  'sessions',
  'setup',
  'sign_in_windows',
  'user_tokens',
  'users',
]
const HIDDEN_FROM_APP = [
  'api_key_windows',
  'bus_authority',
  'database_sizes',
  'deleted_monitors',
  'late_hours',
  'packing_progress',
  'probe_tokens',
  'region_networks',
  'upkeep_progress',
]
const DENIED = '42501'

let fixture: DbFixture
let database: TestDatabase
let a: Tenancy
let b: Tenancy
let tables: TenantTable[]

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  a = await fillTenant(database)
  b = await fillTenant(database)
  tables = (await listTables(database.admin)).filter(
    ({ name, isProtected }) => isProtected && !OF_PEOPLE.includes(name),
  )
})
after(() => fixture.stop())

test('every table has row level security, or is on the short list of those that need none', async () => {
  const open = (await listTables(database.admin)).filter(({ isProtected }) => !isProtected)
  assert.deepEqual(
    open.map(({ name }) => name),
    WITHOUT_POLICY,
  )
  assert.ok(tables.length >= 20, `${tables.length} protected tables`)
})

test('every protected table holds rows of both organizations, so that what follows proves something', async () => {
  for (const table of tables) {
    assert.notEqual(table.column, '', `nothing says whose a row of ${table.name} is`)
    for (const owner of [a, b])
      assert.ok(
        (await countOf(database.admin, table, owner)) > 0,
        `fillTenant leaves ${table.name} empty`,
      )
  }
})

test('select without a condition shows the own rows and no other', async () => {
  for (const table of tables) {
    const rows = await asApp(a, `select ${table.column}::text as owner from ${table.name}`)
    const owners = new Set(rows.map((row) => row['owner']))
    assert.deepEqual([...owners], [ownerValue(table, a)], table.name)
    assert.equal(rows.length, await countOf(database.admin, table, a), table.name)
  }
})

test('without an organization nothing is visible at all', async () => {
  for (const scope of [undefined, ''] as const) {
    for (const { name } of tables)
      assert.deepEqual(await asApp(scope, `select 1 from ${name}`), [], name)
  }
})

test('update and delete without a condition reach the own rows and no other', async () => {
  const foreign = await snapshot(b)
  let reached = 0
  for (const { name, column } of tables) {
    for (const change of [
      `update ${name} set ${column} = ${column} returning ${column}::text as owner`,
      `delete from ${name} returning ${column}::text as owner`,
    ]) {
      const owners = await ownersReached(change)
      reached += owners.length
      assert.ok(!owners.includes(b.orgId) && !owners.includes(String(b.monitorNo)), change)
    }
  }
  assert.ok(reached >= tables.length, `only ${reached} own rows were reached`)
  assert.equal(await snapshot(b), foreign)
})

test('a row cannot be handed to another organization, nor inserted for it', async () => {
  for (const table of tables) {
    const { name, column } = table
    const theirs = ownerValue(table, b)
    const { rows } = await database.admin.query(
      `select to_jsonb(t) as row from ${name} t where ${column}::text = $1 limit 1`,
      [theirs],
    )
    await assert.rejects(
      asApp(
        a,
        `insert into ${name} overriding system value
         select (jsonb_populate_record(null::${name}, $1)).*`,
        [rows[0].row],
      ),
      { code: DENIED },
      `insert into ${name}`,
    )
    const handOver = asApp(a, `update ${name} set ${column} = '${theirs}'`)
    await assert.rejects(handOver, { code: DENIED }, `hand over of ${name}`)
  }
})

test("the store's own reads with `org_id = $1` taken out find nothing foreign", async () => {
  const tenant = forgetful(database.tenants.of(a.orgId))
  assert.equal(await monitors.findMonitor(tenant, b.monitorUuid), undefined)
  assert.equal(await incidents.findIncident(tenant, b.incidentUuid), undefined)
  const page = { limit: 100, offset: 0 }
  for (const filter of [page, { ...page, q: 'example' }, { ...page, type: ['HTTP' as const] }]) {
    const found = await monitors.listMonitors(tenant, filter)
    assert.deepEqual([found.total, ...found.monitors.map(({ uuid }) => uuid)], [1, a.monitorUuid])
  }
  const found = await incidents.listIncidents(tenant, page)
  assert.deepEqual([found.total, ...found.incidents.map(({ uuid }) => uuid)], [1, a.incidentUuid])
  const theirs = await incidents.listIncidents(tenant, { ...page, monitorUuid: b.monitorUuid })
  assert.equal(theirs.total, 0)
})

test('the same reads as the engine do find it: only the policies stood in the way', async () => {
  const unprotected = forgetful({ ...database.tenants.of(a.orgId), query: engineQuery() })
  assert.equal((await monitors.findMonitor(unprotected, b.monitorUuid))?.uuid, b.monitorUuid)
  assert.equal((await incidents.findIncident(unprotected, b.incidentUuid))?.uuid, b.incidentUuid)
})

test("the store's own writes with `org_id = $1` taken out change nothing foreign", async () => {
  const foreign = await snapshot(b)
  const monitor = await monitors.findMonitor(database.tenants.of(b.orgId), b.monitorUuid)
  const incident = await incidents.findIncident(database.tenants.of(b.orgId), b.incidentUuid)
  assert.ok(monitor && incident)
  await database.tenants.transaction(a.orgId, async (open) => {
    const tx = forgetful(open)
    assert.equal(await monitors.lockMonitor(tx, b.monitorUuid), undefined)
    assert.equal(await incidents.lockOpenIncident(tx, b.monitorUuid), undefined)
    await monitors.updateSettings(tx, { ...monitor, name: 'Taken over' })
    await monitors.updateState(tx, { ...monitor, state: 'DOWN' }, { samples: true, target: true })
    await incidents.saveResolution(tx, {
      ...incident,
      resolvedAt: open.now,
      resolution: 'RECOVERED',
    })
    const by = { byType: 'API_KEY' as const, byUuid: a.orgId, byName: 'A', note: null }
    assert.equal(await incidents.acknowledge(tx, b.incidentUuid, by), false)
    await monitors.deleteMonitor(tx, b.monitorUuid)
  })
  assert.equal(await snapshot(b), foreign)
})

test('of people a tenant sees who its members are, and nothing else', async () => {
  const visible = await asApp(a, 'select email from users')
  assert.deepEqual(
    visible.map((row) => row['email']),
    [`${a.orgId}@example.com`],
  )
  assert.deepEqual(await asApp(undefined, 'select email from users'), [])
  for (const statement of ['select password_hash from users', 'update users set name = name'])
    await assert.rejects(asApp(a, statement), { code: DENIED }, statement)
  for (const name of OF_PEOPLE.filter((table) => table !== 'users'))
    await assert.rejects(asApp(a, `select 1 from ${name}`), { code: DENIED }, name)
})

test('partitions are reached through their parents only', async () => {
  const { rows } = await database.admin.query<{ name: string; open: boolean }>(`
    select c.relname as name,
           has_table_privilege('upvane_app', c.oid, 'select, insert, update, delete, truncate') as open
      from pg_class c where c.relispartition and c.relkind = 'r'`)
  assert.ok(rows.length >= 4, `${rows.length} partitions`)
  assert.deepEqual(
    rows.filter(({ open }) => open),
    [],
  )
  await assert.rejects(asApp(a, `select 1 from ${rows[0]?.name}`), { code: DENIED })
})

test('tables that no policy protects show the API nothing about anybody', async () => {
  for (const name of HIDDEN_FROM_APP)
    await assert.rejects(asApp(a, `select 1 from ${name}`), { code: DENIED }, name)
  for (const name of WITHOUT_POLICY)
    for (const change of [`delete from ${name}`, `truncate ${name}`])
      await assert.rejects(asApp(a, change), { code: DENIED }, change)
})

test('the engine sees every organization', async () => {
  for (const { name } of tables) {
    const text = `select count(*)::int as count from ${name}`
    const [seen] = await database.engine.query<{ count: number }>({ name: `count ${name}`, text })
    const { rows } = await database.admin.query<{ count: number }>(text)
    assert.equal(seen?.count, rows[0]?.count, name)
  }
})

test('roles: neither owns a table, logs in, or stands above policies', async () => {
  const { rows } = await database.admin.query(`
    select r.rolname from pg_roles r
     where r.rolname in ('upvane_app', 'upvane_engine')
       and not (rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb)
       and not exists (select from pg_class c where c.relowner = r.oid)
     order by 1`)
  assert.deepEqual(
    rows.map((row) => row.rolname),
    ['upvane_app', 'upvane_engine'],
  )
})

test('definer functions: a fixed search path, and nobody may run them by default', async () => {
  const { rows } = await database.admin.query<{ name: string; path: string; open: boolean }>(`
    select p.proname as name,
           (select c from unnest(p.proconfig) c where c like 'search_path=%') as path,
           p.proacl is null or exists (
             select from aclexplode(p.proacl) g where g.grantee = 0 and g.privilege_type = 'EXECUTE') as open
      from pg_proc p
     where p.prosecdef and p.pronamespace = 'public'::regnamespace order by 1`)
  assert.ok(rows.length >= 2)
  for (const { name, path, open } of rows) {
    assert.equal(path, 'search_path=pg_catalog, public, pg_temp', name)
    assert.equal(open, false, `${name} can be run by everybody`)
  }
})

type Row = Record<string, unknown>

/** Runs one statement as upvane_app and commits it, with `app.org` set to the organization or not at all. */
async function asApp(who: Tenancy | '' | undefined, text: string, values: unknown[] = []) {
  const client = await appClient()
  try {
    await client.query('begin')
    if (who !== undefined)
      await client.query(`select set_config('app.org', $1, true)`, [who === '' ? '' : who.orgId])
    const { rows } = await client.query<Row>(text, values)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

/** The owners of the rows that the statement reached. It is rolled back. */
async function ownersReached(text: string): Promise<string[]> {
  const client = await appClient()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.org', $1, true)`, [a.orgId])
    const { rows } = await client.query<{ owner: string }>(text)
    return rows.map(({ owner }) => owner)
  } catch (error) {
    // A missing privilege is just as good, and so is a foreign key that prevents it.
    assert.match(String((error as pg.DatabaseError).code), /^(42501|23503)$/, text)
    return []
  } finally {
    await client.end()
  }
}

async function appClient(): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: fixture.postgres.databaseUrl(database.name),
    options: '-c role=upvane_app',
  })
  await client.connect()
  return client
}

/** Removes every condition on the organization from the store's statements. */
function forgetful<T extends Tenant | TenantTx>(tenant: T): T {
  let forgotten = 0
  const query: Tenant['query'] = (statement, values) => {
    const text = statement.text.replaceAll(/\b(\w+\.)?org_id = \$1(?!\d)/g, () => {
      forgotten += 1
      return '$1::uuid is not null'
    })
    assert.ok(forgotten > 0, `no condition to forget in ${statement.text}`)
    return tenant.query({ name: `forgetful ${statement.name}`, text }, values)
  }
  return { ...tenant, query }
}

function engineQuery(): Database['query'] {
  return (statement: Statement, values) => database.engine.query(statement, values)
}

async function countOf(admin: pg.Client, table: TenantTable, owner: Tenancy): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::int as count from ${table.name} where ${table.column}::text = $1`,
    [ownerValue(table, owner)],
  )
  return rows[0]?.count ?? 0
}

/** All rows of the organization as one text. */
async function snapshot(owner: Tenancy): Promise<string> {
  const parts: string[] = []
  for (const table of tables) {
    const { rows } = await database.admin.query<{ all: string }>(
      `select string_agg(t::text, E'\\n' order by t::text) as all from ${table.name} t
        where ${table.column}::text = $1`,
      [ownerValue(table, owner)],
    )
    parts.push(`${table.name}: ${rows[0]?.all}`)
  }
  return parts.join('\n')
}
