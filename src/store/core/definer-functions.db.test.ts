// Functions that run with the owner's rights: a caller must not be able to choose what they read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { MIGRATED } from '../../../tools/migrated-postgres.ts'

const DENIED = '42501'
const SAFE_PATH = 'search_path=pg_catalog, public, pg_temp'

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

async function withClient<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: fixture.postgres.databaseUrl(name) })
  await client.connect()
  return work(client).finally(() => client.end())
}

test('every definer function searches temporary tables last, and is not open to everybody', async () => {
  const { rows } = await database.admin.query<{ name: string; config: string[]; isOpen: boolean }>(
    `select p.oid::regprocedure::text as name, coalesce(p.proconfig, '{}') as config,
            has_function_privilege('public', p.oid, 'execute') as "isOpen"
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(rows.length >= 8, `only ${rows.length} were found`)
  for (const { name, config, isOpen } of rows) {
    assert.ok(config.includes(SAFE_PATH), `${name} has ${config.join(', ') || 'no search_path'}`)
    assert.equal(isOpen, false, `${name} may be called by everybody`)
  }
})

// A clone of the migrated database has the server's default privileges again, which allow temporary tables.
test('a temporary table of the same name is not what a definer function reads', async () => {
  const found = await withClient(database.name, async (client) => {
    await client.query('set role upvane_app')
    await client.query(
      `create temp table status_pages as
       select gen_random_uuid() as id, gen_random_uuid() as org_id, true as published, 'planted' as slug,
              'planted.example' as custom_domain, 'ACTIVE' as custom_domain_status`,
    )
    await client.query('grant all on pg_temp.status_pages to public')
    return client.query(`select * from find_public_page('planted', 'planted.example')`)
  })
  assert.deepEqual(found.rows, [])
})

test('after a migration the service may not create temporary tables', async () => {
  for (const role of ['upvane_app', 'upvane_engine', 'upvane_people'])
    await withClient(MIGRATED, async (client) => {
      await client.query(`set role ${role}`)
      await assert.rejects(client.query('create temp table api_keys (id uuid)'), { code: DENIED })
    })
})
