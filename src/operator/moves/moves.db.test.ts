// An organization moves between two databases with different master keys, regions and monitor numbers. Tables come from the
// catalog: one that is new and not moved, or not filled before the move, fails the first tests.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, listTables, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import {
  insertDay,
  midnight,
  packAll,
  passMidnight,
  rollUpTo,
  type StoredResult,
} from '../../../test/db-kit/packed-days.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import {
  MOVE_FORMAT,
  type MovedRow,
  type MoveManifest,
} from '../../domain/operating/organization-move.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { sealFile } from '../../platform/crypto/sealed-file.ts'
import { packResults } from '../../store/history/packing.ts'
import { findMonitor } from '../../store/monitors/monitors.ts'
import { findSchema } from '../../store/operating/move-in.ts'
import {
  listMovedTables,
  type MovedTable,
  NOT_MOVED,
  REGION_COLUMNS,
} from '../../store/operating/move-tables.ts'
import { CommandContext } from '../cli/command.ts'
import { readCommandLine } from '../cli/command-line.ts'
import { UsageError } from '../cli/flags.ts'
import { MOVE_COMMANDS } from './commands.ts'
import { toLines } from './lines.ts'

const KEY = randomBytes(32)
const FILES = mkdtempSync(join(tmpdir(), 'upvane-moves-'))
const KEY_FILE = join(FILES, 'key')
const FILE = join(FILES, 'acme.move')
// Numbers of monitors and regions differ, the others are set by the import.
const CHANGED = ['no', 'monitor_no', 'region', 'samples_region', 'due_unread']
// The account of a member who has another one here.
const ANA = '01920000-0000-7000-8000-0000000000aa'
const CHANGED_IN: Readonly<Record<string, string[]>> = {
  organizations: ['deleted_at', 'moved_at', 'private_targets', 'home_region', 'home_chosen_at'],
  members: ['user_id'],
}

let fixture: DbFixture
let source: TestDatabase
let target: TestDatabase
let tenancy: Tenancy
let tables: MovedTable[]
let secretMonitor = ''

before(async () => {
  writeFileSync(KEY_FILE, KEY.toString('base64'))
  fixture = await startDbFixture()
  await passMidnight()
  source = await fixture.openDatabase()
  target = await fixture.openDatabase()
  await fillSource()
  await fillTarget()
  tables = await listMovedTables(
    async <Row>(text: string, values: readonly unknown[]) =>
      (await source.admin.query(text, [...values])).rows as Row[],
  )
})
after(async () => {
  await fixture.stop()
  rmSync(FILES, { recursive: true })
})

async function fillSource(): Promise<void> {
  tenancy = await fillTenant(source)
  const { admin, tenants } = source
  // Nothing is being sent, or the export would wait for it.
  await admin.query(`update attempts set outcome = 'SUCCEEDED' where outcome is null`)
  await admin.query(`insert into regions (name) values ('eu'), ('us')`)
  await admin.query(`select ensure_partitions((now() at time zone 'UTC')::date - 21, 21)`)
  await admin.query(
    `insert into results (monitor_no, slot, kind, verdict, region)
     select $1, now() - interval '20 days', 0, 0, no from regions where name = 'us'`,
    [tenancy.monitorNo],
  )
  await fillHistory()
  // Besides webhook endpoints, which are rows of a child table.
  await admin.query(
    `insert into receivers (id, org_id, channel) values (new_uuid(), $1, 'EMAIL')`,
    [tenancy.orgId],
  )
  const settings = { ...sampleSettings(), requestHeaders: { Authorization: 'Bearer hunter2' } }
  const monitor = await tenants.transaction(tenancy.orgId, (tx) => createMonitor(tx, settings))
  secretMonitor = monitor.uuid
}

// Days ago: packed on both sides, only at the source, and only at the target.
const [BOTH, SOURCE_ONLY, TARGET_ONLY] = [6, 5, 4]
const PER_DAY = 1440
const PLENTY = 1_000_000

/** A whole day every minute, with values at the edges of what a pack holds, in both regions. */
function dayOfResults(): StoredResult[] {
  return Array.from({ length: PER_DAY }, (_, minute) => ({
    us: minute * 60_000_000 + minute,
    kind: minute % 2,
    verdict: minute % 5,
    responseMs: minute % 7 === 0 ? null : minute * 1000,
    statusCode: minute % 11 === 0 ? null : 100 + (minute % 500),
    region: [1, 2, null][minute % 3] ?? null,
    detail: minute % 13 === 0 ? null : minute * 1_000_003 - 2 ** 29,
  }))
}

async function fillHistory(): Promise<void> {
  const { admin, engine } = source
  await admin.query(`delete from results where slot > now() - interval '1 hour'`)
  for (const daysAgo of [BOTH, SOURCE_ONLY])
    await insertDay(admin, tenancy.monitorNo, midnight(daysAgo), dayOfResults())
  await rollUpTo(source, TARGET_ONLY)
  assert.ok((await packAll(engine)) > 0)
  await insertDay(admin, tenancy.monitorNo, midnight(TARGET_ONLY), dayOfResults())
  await insertDay(admin, tenancy.monitorNo, midnight(0), dayOfResults().slice(0, 10))
}

/** Another organization, so that numbers differ, and a person with the same address as one who moves. */
async function fillTarget(): Promise<void> {
  await target.admin.query(`insert into regions (name) values ('us')`)
  const other = await target.createOrganization()
  await target.tenants.transaction(other, async (tx) => {
    for (let i = 0; i < 3; i++) await createMonitor(tx, sampleSettings())
  })
  await target.admin.query(`insert into users (id, email, name) values ($1, $2, 'Ana elsewhere')`, [
    ANA,
    `${tenancy.orgId}@example.com`,
  ])
  await packTarget()
}

/** Packs two days, and a third one that is not published yet. */
async function packTarget(): Promise<void> {
  const { admin, engine } = target
  const { rows } = await admin.query<{ no: number }>('select min(no)::int as no from monitors')
  const no = rows[0]?.no ?? 0
  await rollUpTo(target, 2)
  const insert = (daysAgo: number) => insertDay(admin, no, midnight(daysAgo), dayOfResults())
  for (const daysAgo of [BOTH, TARGET_ONLY]) await insert(daysAgo)
  assert.equal(await packAll(engine), 2 * PER_DAY)
  await insert(SOURCE_ONLY)
  await packResults(engine, PLENTY)
  assert.equal((await packResults(engine, PLENTY)).results, PER_DAY)
}

async function run(database: TestDatabase, words: string[]): Promise<unknown> {
  const [[kid, key] = []] = [...database.masterKeys.byId]
  const { command, flags, args } = readCommandLine(MOVE_COMMANDS, words)
  const context = new CommandContext(flags, args, {
    DATABASE_URL: fixture.postgres.databaseUrl(database.name),
    MIGRATE_DATABASE_URL: fixture.postgres.databaseUrl(database.name, 'upvane_owner'),
    MASTER_KEYS: `${kid}:${key?.toString('base64')}`,
  })
  return command.run(context).finally(() => context.close())
}
const org = () => toPublicId('org', tenancy.orgId)
const moveOut = (file: string) =>
  run(source, ['org', 'move', 'export', org(), '--file', file, '--key-file', KEY_FILE])
const moveIn = (file: string, keyFile = KEY_FILE, flags = ['--trust-source']) =>
  run(target, ['org', 'move', 'import', file, '--key-file', keyFile, ...flags])

test('every table with rows of an organization is moved, or named with a reason', async () => {
  const owned = (await listTables(source.admin)).filter(({ column }) => column !== '')
  assert.deepEqual(
    tables.map(({ name }) => name).toSorted(),
    owned
      .map(({ name }) => name)
      .filter((name) => !NOT_MOVED.includes(name))
      .toSorted(),
  )
})

test('every column with a number of a region is translated', async () => {
  const { rows } = await source.admin.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name like '%region%' and data_type not in ('text', 'jsonb', 'ARRAY')
        and table_name = any ($1::text[])`,
    [tables.map(({ name }) => name)],
  )
  assert.deepEqual(
    Object.fromEntries(rows.map(({ table, column }) => [table, column])),
    REGION_COLUMNS,
  )
})

test('export: freezes the organization, and the file shows nothing', async () => {
  const done = (await moveOut(FILE)) as { rows: number; sha256: string }
  assert.ok(done.rows > tables.length)
  assert.match(done.sha256, /^[0-9a-f]{64}$/)
  assert.equal(statSync(FILE).mode & 0o777, 0o600)
  const bytes = readFileSync(FILE)
  for (const shown of ['organizations', 'hunter2', 'example.com', 'Test'])
    assert.ok(!bytes.includes(shown), shown)
  const { rows } = await source.admin.query(
    'select deleted_at is not null and moved_at is not null as frozen from organizations where id = $1',
    [tenancy.orgId],
  )
  assert.deepEqual(rows, [{ frozen: true }])
  await assert.rejects(moveOut(FILE), /cannot be created/, 'an existing file is never overwritten')
})

test('import: refuses a wrong key, and says that nothing was imported', async () => {
  const other = join(FILES, 'other-key')
  writeFileSync(other, randomBytes(32).toString('base64'))
  await isRefused(moveIn(FILE, other), /wrong\. Nothing was imported/)
})

test('import: refuses any damaged or shortened file', async () => {
  const bytes = readFileSync(FILE)
  const file = join(FILES, 'damaged.move')
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.boolean(), async (at, isCut) => {
      const damaged = isCut ? bytes.subarray(0, at) : Buffer.from(bytes)
      if (!isCut) damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(file, damaged)
      await isRefused(moveIn(file), /Nothing was imported/)
    }),
    { numRuns: 25 },
  )
})

test('import: every row of every table arrives', async () => {
  const done = (await moveIn(FILE)) as { id: string }
  assert.equal(done.id, org())
  for (const table of tables.filter(({ name }) => name !== 'results')) {
    const [there, here] = [await rowsOf(source, table), await rowsOf(target, table)]
    assert.ok(there.length > 0, `${table.name} has no row: fill it in test/db-kit/fill-tenant.ts`)
    assert.deepEqual(here, there, table.name)
  }
})

test('import: the organization works here, and secrets open with the master key of this installation', async () => {
  const { rows } = await target.admin.query(
    'select deleted_at, moved_at, private_targets from organizations where id = $1',
    [tenancy.orgId],
  )
  assert.deepEqual(rows, [{ deleted_at: null, moved_at: null, private_targets: false }])
  const monitor = await findMonitor(target.tenants.of(tenancy.orgId), secretMonitor)
  assert.deepEqual(monitor?.requestHeaders, { Authorization: 'Bearer hunter2' })
})

test('import: a refused file leaves no account behind', async () => {
  const { rows } = await target.admin.query('select count(*)::int as n from users')
  assert.deepEqual(rows, [{ n: 1 }], 'only the one that was there')
})

test('import: every result arrives in its region, whether its day is packed there, here, or on both sides', async () => {
  const [there, here] = [await resultsOf(source), await resultsOf(target)]
  // The days of fillHistory, and the one of fillSource.
  assert.equal(there.length, 3 * PER_DAY + 10 + 1)
  assert.deepEqual(here, there)
  const packed = await packAll(target.engine)
  assert.equal(packed, 2 * PER_DAY + 1, 'also of a day that was being packed')
  assert.deepEqual(await resultsOf(target), there)
})

test('import: a member is the person with the same address here', async () => {
  const { rows } = await target.admin.query('select user_id, role from members where org_id = $1', [
    tenancy.orgId,
  ])
  assert.deepEqual(rows, [{ user_id: ANA, role: 'OWNER' }])
})

test('import: schedulers are notified of every slot', async () => {
  const { rows } = await target.admin.query(
    'select count(*)::int as n from monitor_states where org_id = $1 and not due_unread',
    [tenancy.orgId],
  )
  assert.deepEqual(rows, [{ n: 0 }])
})

test('import: refuses an organization that is here already', async () => {
  await isRefused(moveIn(FILE), /is in this installation already/, 2)
})

test('undo: the organization works at its source again, and only once', async () => {
  await run(source, ['org', 'move', 'undo', org(), '--yes'])
  const { rows } = await source.admin.query(
    'select deleted_at, moved_at from organizations where id = $1',
    [tenancy.orgId],
  )
  assert.deepEqual(rows, [{ deleted_at: null, moved_at: null }])
  await assert.rejects(run(source, ['org', 'move', 'undo', org(), '--yes']), /is not being moved/)
})

const STRANGER = '01920000-0000-7000-8000-00000000000a'

type Crafted = { manifest?: Partial<MoveManifest>; tables: [name: string, rows: MovedRow[]][] }
const row = (json: object, monitor: string | null = null): MovedRow => ({
  monitor,
  region: null,
  json: JSON.stringify(json),
})
const organization = {
  id: STRANGER,
  name: 'Stranger',
  plan: 'FREE',
  limit_overrides: {},
  private_targets: true,
  created_at: new Date(0).toISOString(),
  requires_second_factor: false,
}

const TODAY = new Date().toISOString().slice(0, 10)
const NO_VALUES = { kind: [], verdict: [], response_ms: [], status_code: [], detail: [] }
const ONE_VALUE = { kind: [0], verdict: [0], response_ms: [1], status_code: [200], detail: [null] }

/** A whole organization with a monitor and these lines of results. */
async function withResults(...lines: object[]): Promise<Crafted> {
  const { rows } = await target.admin.query<{ monitor: object }>(
    `select to_jsonb(m) - 'no' as monitor from monitors m where id = $1`,
    [secretMonitor],
  )
  const id = randomUuid()
  return {
    tables: [
      ['organizations', [row(organization)]],
      ['monitors', [row({ ...rows[0]?.monitor, id, org_id: STRANGER })]],
      ['results', lines.map((line) => row(line, id))],
    ],
  }
}

// Sealed with the right key: what somebody could write who has it.
const HOSTILE: [what: string, refusal: RegExp, make: () => Promise<Crafted> | Crafted][] = [
  ['another version', /same version/, () => ({ manifest: { schema: '0001' }, tables: [] })],
  [
    'a table of people',
    /no table "users"/,
    () => ({ tables: [['users', [row({ id: STRANGER })]]] }),
  ],
  [
    'a table that does not exist',
    /no table/,
    () => ({ tables: [['x"; drop table monitors; --', [row({})]]] }),
  ],
  [
    'a row of another organization',
    /belongs to another organization/,
    async () => {
      const { rows } = await target.admin.query<{ id: string }>(
        `select id from organizations where id <> $1 limit 1`,
        [tenancy.orgId],
      )
      const tag = { id: STRANGER, org_id: rows[0]?.id, name: 'x', key: 'x' }
      return {
        tables: [
          ['organizations', [row(organization)]],
          ['tags', [row(tag)]],
        ],
      }
    },
  ],
  [
    'another organization than that of the manifest',
    /belongs to another organization/,
    () => ({ tables: [['organizations', [row({ ...organization, id: randomUuid() })]]] }),
  ],
  [
    'history of a monitor of another organization',
    /unknown monitor/,
    () => ({
      tables: [
        ['organizations', [row(organization)]],
        ['results', [row({ slot: new Date().toISOString(), kind: 0, verdict: 0 }, secretMonitor)]],
      ],
    }),
  ],
  ...[
    { day: '2026-13-01', us: [], ...NO_VALUES },
    { day: TODAY, us: [-1], ...ONE_VALUE },
    { day: TODAY, us: [86_400_000_000], ...ONE_VALUE },
    { day: TODAY, us: [0.5], ...ONE_VALUE },
    { day: TODAY, us: [0], ...NO_VALUES },
    { day: TODAY, us: 'all', ...ONE_VALUE },
    { day: TODAY, us: [0, 0], ...NO_VALUES },
  ].map((line): (typeof HOSTILE)[number] => [
    `results such as ${JSON.stringify(line).slice(0, 60)}`,
    /result of the file is not valid/,
    () => withResults(line),
  ]),
  [
    'results whose values do not fit',
    /not valid here/,
    () => withResults({ day: TODAY, us: [0], ...ONE_VALUE, kind: [1e9] }),
  ],
  [
    'a result twice',
    /in use here already/,
    () => {
      const line = { day: TODAY, us: [0], ...ONE_VALUE }
      return withResults(line, line)
    },
  ],
  [
    'a row that is no JSON',
    /not valid here/,
    () => ({ tables: [['organizations', [{ monitor: null, region: null, json: '{broken' }]]] }),
  ],
  [
    'a row without what it needs',
    /not valid here/,
    () => ({
      tables: [
        ['organizations', [row(organization)]],
        ['tags', [row({ id: STRANGER, org_id: STRANGER })]],
      ],
    }),
  ],
  [
    'history that starts in 1970',
    /too long ago/,
    () => ({ manifest: { firstDay: '1970-01-01' }, tables: [] }),
  ],
]
for (const [what, refusal, make] of HOSTILE)
  test(`import: refuses ${what}`, async () => {
    const crafted = await make()
    const file = join(FILES, 'hostile.move')
    writeFileSync(file, await craft(crafted))
    await isRefused(moveIn(file), refusal, 2)
  })

async function craft({ manifest = {}, tables: given }: Crafted): Promise<Buffer> {
  const whole: MoveManifest = {
    format: MOVE_FORMAT,
    schema: await findSchema(target.engine),
    orgId: STRANGER,
    name: 'Stranger',
    key: KEY.toString('base64'),
    frozenAt: new Date().toISOString(),
    firstDay: new Date().toISOString().slice(0, 10),
    people: [],
    ...manifest,
  }
  const pieces: Buffer[] = []
  const lines = toLines(whole, tablesOf(given), () => {})
  for await (const piece of sealFile({ kind: 'KEY', bytes: KEY }, lines)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* tablesOf(given: Crafted['tables']) {
  for (const [name, rows] of given) yield { name, rows: batchesOf(rows) }
}
async function* batchesOf(rows: MovedRow[]) {
  yield rows
}

const randomUuid = () => crypto.randomUUID()

/** With the number of organizations that the target has before and after. */
async function isRefused(
  work: Promise<unknown>,
  message: RegExp,
  organizations = 1,
): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof UsageError, String(error))
    assert.match(error.message, message)
    return true
  })
  const { rows } = await target.admin.query('select count(*)::int as n from organizations')
  assert.deepEqual(rows, [{ n: organizations }])
}

/** However they are stored. Numbers of regions differ. */
async function resultsOf({ admin }: TestDatabase): Promise<unknown[]> {
  const { rows } = await admin.query(
    `select r.slot::text, r.kind, r.verdict, r.response_ms, r.status_code, r.detail, g.name as region
       from monitors m
      cross join lateral (select * from results where monitor_no = m.no
                          union all select * from packed_results(m.no, '-infinity', 'infinity')) r
       left join regions g on g.no = r.region
      where m.org_id = $1 order by m.id, r.slot`,
    [tenancy.orgId],
  )
  return rows
}

/** Each row as text, without what the import sets, and without the lines that both sides wrote about the move. */
async function rowsOf({ admin }: TestDatabase, table: MovedTable): Promise<string[]> {
  const { name, owner, isPlain } = table
  const more = CHANGED_IN[name] ?? []
  const ignored = [...CHANGED, ...more]
  const isOwn =
    owner === 'monitor_no'
      ? 'monitor_no in (select no from monitors where org_id = $1)'
      : `"${owner}" = $1`
  const isMoved =
    name === 'audit_log' ? `action not in ('exportForMove', 'importFromMove')` : 'true'
  const { rows } = await admin.query<{ row: string }>(
    `select (to_jsonb(t) - $2::text[])::text as row from ${isPlain ? 'only ' : ''}"${name}" t
      where ${isOwn} and ${isMoved} order by 1`,
    [tenancy.orgId, ignored],
  )
  return rows.map(({ row: text }) => text)
}
