// Files that their sender edited: decrypted, rows changed, checksum and seal made again. What this installation decides is not
// taken from them, whatever they say.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import {
  type MovedRow,
  type MoveManifest,
  parseManifest,
  parseMoveLine,
} from '../../domain/operating/organization-move.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { openFile, sealFile } from '../../platform/crypto/sealed-file.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import { listMovedTables } from '../../store/operating/move-tables.ts'
import { CommandContext } from '../cli/command.ts'
import { readCommandLine } from '../cli/command-line.ts'
import { UsageError } from '../cli/flags.ts'
import { MOVE_COMMANDS } from './commands.ts'
import { readLines, toLines } from './lines.ts'

const KEY = randomBytes(32)
const FILES = mkdtempSync(join(tmpdir(), 'upvane-hostile-moves-'))
const KEY_FILE = join(FILES, 'key')
const FILE = join(FILES, 'acme.move')
const EDITED = join(FILES, 'edited.move')
const SECRET = { kind: 'KEY', bytes: KEY } as const
// Somebody who has an account here and was not asked.
const VICTIM = '01920000-0000-7000-8000-0000000000bb'
const KNOWN_TOKEN = 'a-token-that-the-sender-knows'
const HASH = `\\x${hashToken(KNOWN_TOKEN).toString('hex')}`

type Row = Record<string, unknown>
type Edit = (table: string, row: Row) => Row
type Outcome = { reset: string[]; invited?: { email: string; role: string; link: string }[] }

let fixture: DbFixture
let source: TestDatabase
let target: TestDatabase
let tenancy: Tenancy

before(async () => {
  writeFileSync(KEY_FILE, KEY.toString('base64'))
  fixture = await startDbFixture()
  source = await fixture.openDatabase()
  tenancy = await fillTenant(source)
  await fillMore()
  const flags = ['--file', FILE, '--key-file', KEY_FILE]
  await run(source, ['org', 'move', 'export', toPublicId('org', tenancy.orgId), ...flags])
})
after(async () => {
  await fixture.stop()
  rmSync(FILES, { recursive: true })
})

async function fillMore(): Promise<void> {
  const { admin } = source
  await admin.query(`update attempts set outcome = 'SUCCEEDED' where outcome is null`)
  await admin.query('delete from push_devices')
  await admin.query(
    `with receiver as (
       insert into receivers (id, org_id, channel) values (new_uuid(), $1, 'EMAIL') returning id)
     insert into deliveries (id, org_id, endpoint_id, channel, message, next_attempt_at, created_at)
     select new_uuid(), $1, id, 'EMAIL', '\\x00', now(), now() from receiver`,
    [tenancy.orgId],
  )
  // A member's own contact, with a device, that alerts of a monitor go to.
  await admin.query(
    `with contact as (
       insert into alert_contacts (id, org_id, name, channel, settings, owner_id)
       select new_uuid(), org_id, 'Ana', 'WEB_PUSH', '\\x00', user_id from members where org_id = $1
       returning id, org_id),
     link as (
       insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
       select c.org_id, m.id, c.id from contact c join monitors m using (org_id))
     insert into push_devices (id, org_id, contact_id, name, endpoint_hash, subscription)
     select new_uuid(), org_id, id, 'Browser', sha256(id::text::bytea), '\\x00' from contact`,
    [tenancy.orgId],
  )
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

/** What the review did: opens the file, changes rows, and seals it again. */
async function edit(change: Edit, manifestChange: Partial<MoveManifest> = {}): Promise<void> {
  let manifest: MoveManifest | undefined
  const tables: { name: string; rows: MovedRow[] }[] = []
  for await (const line of readLines(openFile(SECRET, createReadStream(FILE)))) {
    if (manifest === undefined) {
      manifest = parseManifest(line)
      continue
    }
    const parsed = parseMoveLine(line)
    if (parsed?.kind === 'TABLE') tables.push({ name: parsed.table, rows: [] })
    if (parsed?.kind !== 'ROW') continue
    const { name = '', rows } = tables.at(-1) ?? {}
    const json = JSON.stringify(change(name, JSON.parse(parsed.row.json) as Row))
    rows?.push({ ...parsed.row, json })
  }
  assert.ok(manifest)
  const pieces: Buffer[] = []
  const lines = toLines({ ...manifest, ...manifestChange }, batches(tables), () => {})
  for await (const piece of sealFile(SECRET, lines)) pieces.push(piece)
  writeFileSync(EDITED, Buffer.concat(pieces))
}

async function* batches(tables: readonly { name: string; rows: MovedRow[] }[]) {
  for (const { name, rows } of tables) yield { name, rows: once(rows) }
}
async function* once(rows: MovedRow[]) {
  yield rows
}

const only =
  (wanted: string, change: (row: Row) => Row): Edit =>
  (table, row) =>
    table === wanted ? { ...row, ...change(row) } : row
const asIs: Edit = (_, row) => row

/** Into an installation of its own, where the victim has an account. */
async function importEdited(flags: string[] = []): Promise<Outcome> {
  target = await fixture.openDatabase()
  await target.admin.query(
    `insert into users (id, email, name) values ($1, 'demo@example.com', 'Demo')`,
    [VICTIM],
  )
  await target.admin.query(`insert into regions (name) values ('first'), ('second')`)
  const words = ['org', 'move', 'import', EDITED, '--key-file', KEY_FILE, ...flags]
  return (await run(target, words)) as Outcome
}

async function one(text: string): Promise<Row> {
  const { rows } = await target.admin.query<Row>(text, [tenancy.orgId])
  return rows[0] ?? {}
}

const LATER = '2100-01-01T00:00:00Z'
const PAST = '2026-01-01T00:00:00Z'

type Case = {
  column: string
  change: Edit
  read: string
  reset: Row
  /** With this flag, the file is believed. */
  flag: string[]
  kept: Row
}

const CASES: Case[] = [
  {
    column: 'organizations.plan',
    change: only('organizations', () => ({ plan: 'UNLIMITED' })),
    read: 'select plan as value from organizations where id = $1',
    reset: { value: 'FREE' },
    flag: ['--trust-source'],
    kept: { value: 'UNLIMITED' },
  },
  {
    column: 'organizations.plan, if the operator names one',
    change: only('organizations', () => ({ plan: 'UNLIMITED' })),
    read: 'select plan as value from organizations where id = $1',
    reset: { value: 'FREE' },
    flag: ['--trust-source', '--plan', 'PRO'],
    kept: { value: 'PRO' },
  },
  {
    column: 'organizations.limit_overrides',
    change: only('organizations', () => ({ limit_overrides: { monitors: 1_000_000 } })),
    read: 'select limit_overrides as value from organizations where id = $1',
    reset: { value: {} },
    flag: ['--keep-limits'],
    kept: { value: { monitors: 1_000_000 } },
  },
  {
    column: 'organizations.private_targets',
    change: only('organizations', () => ({ private_targets: true })),
    read: 'select private_targets as value from organizations where id = $1',
    reset: { value: false },
    flag: ['--private-targets'],
    kept: { value: true },
  },
  {
    column: 'organizations.home_region of a region that is not here',
    change: only('organizations', () => ({ home_region: 'elsewhere' })),
    read: 'select home_region as value from organizations where id = $1',
    reset: { value: null },
    flag: ['--trust-source'],
    kept: { value: null },
  },
  {
    column: 'region_settings.regions of regions that are not here, and more than the plan has',
    change: only('region_settings', () => ({ regions: ['elsewhere', 'second', 'first'] })),
    read: 'select regions as value from region_settings where org_id = $1',
    reset: { value: ['second'] },
    flag: ['--plan', 'UNLIMITED'],
    kept: { value: ['second', 'first'] },
  },
  {
    column: 'subscriptions.status',
    change: only('subscriptions', () => ({ status: 'TRIALING' })),
    read: 'select status as value from subscriptions where org_id = $1',
    reset: { value: 'ACTIVE' },
    flag: ['--trust-source'],
    kept: { value: 'TRIALING' },
  },
  {
    column: 'organization_usage.monitors',
    change: only('organization_usage', () => ({ monitors: 0 })),
    read: 'select monitors as value from organization_usage where org_id = $1',
    reset: { value: 1 },
    flag: ['--trust-source'],
    kept: { value: 1 },
  },
  {
    column: 'monitors.interval_seconds',
    change: only('monitors', () => ({ interval_seconds: 30 })),
    read: `select m.interval_seconds = p.fastest_interval_seconds as value
             from monitors m, plans p where m.org_id = $1 and p.name = 'FREE'`,
    reset: { value: true },
    flag: ['--plan', 'UNLIMITED'],
    kept: { value: false },
  },
  {
    column: 'status_pages.custom_domain_status',
    change: only('status_pages', () => ({
      custom_domain: 'status.bank.example',
      custom_domain_status: 'ACTIVE',
      custom_domain_checked_at: LATER,
    })),
    read: `select custom_domain_status as value, custom_domain_checked_at is null as due
             from status_pages where org_id = $1`,
    reset: { value: 'PENDING', due: true },
    flag: ['--keep-domains'],
    kept: { value: 'ACTIVE', due: false },
  },
  {
    column: 'alert_contacts.confirmed_at, and the token of an open link',
    change: only('alert_contacts', ({ channel }) =>
      channel === 'EMAIL'
        ? { confirmed_at: PAST, confirm_token_hash: HASH, confirm_expires_at: LATER }
        : {},
    ),
    read: `select confirmed_at is null as unconfirmed, confirm_token_hash is null as closed
             from alert_contacts where org_id = $1 and channel = 'EMAIL'`,
    reset: { unconfirmed: true, closed: true },
    flag: ['--keep-confirmed'],
    kept: { unconfirmed: false, closed: false },
  },
  {
    column: 'page_subscribers.confirmed_at, and the token of its links',
    change: only('page_subscribers', () => ({ confirmed_at: PAST, token_hash: HASH })),
    read: `select confirmed_at is null as unconfirmed, token_hash <> '${HASH}' as renewed
             from page_subscribers where org_id = $1`,
    reset: { unconfirmed: true, renewed: true },
    flag: ['--keep-confirmed'],
    kept: { unconfirmed: false, renewed: false },
  },
  {
    column: 'deliveries: emails of any content to anyone',
    change: asIs,
    read: `select status as value, (select status from deliveries where org_id = $1 and channel = 'WEBHOOK') as webhook
             from deliveries where org_id = $1 and channel = 'EMAIL'`,
    reset: { value: 'FAILED', webhook: 'PENDING' },
    flag: ['--keep-queue'],
    kept: { value: 'PENDING', webhook: 'PENDING' },
  },
  {
    column: 'subscriber_notices.completed_at',
    change: only('subscriber_notices', () => ({ completed_at: null })),
    read: 'select completed_at is null as open from subscriber_notices where org_id = $1',
    reset: { open: false },
    flag: ['--keep-queue'],
    kept: { open: true },
  },
  {
    column: 'idempotency_records.expires_at',
    change: only('idempotency_records', () => ({ expires_at: LATER })),
    read: `select expires_at <= now() + interval '1 day' as soon from idempotency_records where org_id = $1`,
    reset: { soon: true },
    flag: ['--trust-source'],
    kept: { soon: true },
  },
  {
    column: 'invitations.token_hash',
    change: only('invitations', () => ({ token_hash: HASH, expires_at: LATER })),
    read: `select count(*)::int as value from invitations where org_id = $1 and token_hash = '${HASH}'`,
    reset: { value: 0 },
    flag: ['--keep-members'],
    kept: { value: 1 },
  },
  {
    column: 'alert_contacts.owner_id, push_devices: contacts of members',
    change: asIs,
    read: `select (select count(*)::int from push_devices where org_id = $1) as devices,
                  (select count(*)::int from alert_contacts where org_id = $1) as contacts,
                  (select count(*)::int from monitor_alert_contacts where org_id = $1) as links`,
    reset: { devices: 0, contacts: 1, links: 1 },
    flag: ['--keep-members'],
    kept: { devices: 1, contacts: 2, links: 2 },
  },
]

// One file has all edits, so that no import reads a second one for the same flags.
const ALL: Edit = (table, row) => CASES.reduce((edited, { change }) => change(table, edited), row)

describe('without flags', () => {
  before(async () => {
    await edit(ALL)
    await importEdited()
  })
  for (const { column, read, reset } of CASES)
    test(`import: ${column}: not taken from the file`, async () => {
      assert.deepEqual(await one(read), reset)
    })
})

for (const [flags, cases] of Map.groupBy(CASES, ({ flag }) => flag.join(' ')))
  describe(`with ${flags}`, () => {
    before(async () => {
      await edit(ALL)
      await importEdited(flags.split(' '))
    })
    for (const { column, read, kept } of cases)
      test(`import ${flags}: ${column}`, async () => assert.deepEqual(await one(read), kept))
  })

const withVictim = (role: string): [Edit, Partial<MoveManifest>] => [
  (table, row) => {
    if (table === 'members') return { ...row, user_id: VICTIM, role }
    return row['owner_id'] ? { ...row, owner_id: VICTIM } : row
  },
  { people: [{ uuid: VICTIM, email: 'Demo@example.com', name: 'Demo' }] },
]
const COUNTS = `
  select (select count(*)::int from members where org_id = $1) as members,
         (select count(*)::int from users) as users,
         (select string_agg(email || ' ' || role, ', ') from invitations where org_id = $1) as invited`

test('import: somebody with an account here is invited, not made an owner', async () => {
  await edit(...withVictim('OWNER'))
  const { invited = [], reset } = await importEdited()
  assert.deepEqual(await one(COUNTS), { members: 0, users: 1, invited: 'demo@example.com OWNER' })
  assert.deepEqual(
    invited.map(({ email, role }) => [email, role]),
    [['demo@example.com', 'OWNER']],
  )
  const token = invited[0]?.link.split('#')[1] ?? ''
  const { rows } = await target.admin.query(
    'select 1 from invitations where token_hash = $1 and expires_at > now()',
    [hashToken(token)],
  )
  assert.equal(rows.length, 1, 'the link works')
  assert.ok(reset.some((line) => /plan is FREE/.test(line)) || reset.length > 0)
})

test('import: nobody gets an account because the file names them', async () => {
  await edit(asIs)
  await importEdited()
  assert.deepEqual((await one(COUNTS))['users'], 1)
})

test('import --keep-members: a member of the file is the person with that address here', async () => {
  await edit(...withVictim('OWNER'))
  await importEdited(['--keep-members'])
  const { rows } = await target.admin.query('select user_id, role from members')
  assert.deepEqual(rows, [{ user_id: VICTIM, role: 'OWNER' }])
})

for (const flags of [[], ['--keep-members'], ['--trust-source']])
  test(`import ${flags.join(' ')}: an id of somebody here, under no address, is refused`, async () => {
    await edit(only('members', () => ({ user_id: VICTIM, role: 'OWNER' })))
    await isRefused(importEdited(flags), /not among the people of its manifest/)
  })

test('import: a member without a valid address is refused', async () => {
  const [change] = withVictim('OWNER')
  await edit(change, { people: [{ uuid: VICTIM, email: 'nobody', name: 'x' }] })
  await isRefused(importEdited(), /no valid address or role/)
})

test('import: more monitors than the plan has are refused, and the flag that helps is named', async () => {
  await edit(only('organizations', () => ({ limit_overrides: { monitors: 0 } })))
  await isRefused(
    importEdited(['--keep-limits']),
    /1 monitors, and the plan FREE allows 0\. Give another --plan/,
  )
})

// Each would cost minutes of a core, or gigabytes, for every visitor who types a password.
for (const cost of ['m=4194304,t=2,p=1', 'm=19456,t=100000,p=1', 'm=19456,t=2,p=64'])
  test(`import: a page's password of the cost ${cost} is refused`, async () => {
    const hash = `$argon2id$v=19$${cost}$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA`
    await edit(only('status_pages', () => ({ password_hash: hash })))
    await isRefused(importEdited(['--trust-source']), /password of a status page/)
  })

test('import: the outcome says what was reset, and by which flag it is kept', async () => {
  await edit((table, row) => {
    if (table === 'organizations') return { ...row, plan: 'PRO', private_targets: true }
    if (table === 'page_subscribers') return { ...row, confirmed_at: PAST }
    return row
  })
  const { reset } = await importEdited()
  const text = reset.join('\n')
  for (const part of [
    'The plan is FREE, in the file it was PRO (--plan).',
    '(--private-targets)',
    '1 email contacts must be confirmed again (--keep-confirmed).',
    '1 subscribers of status pages must confirm again (--keep-confirmed).',
    '1 queued emails and notifications are not sent (--keep-queue).',
    '1 contacts with browser notifications were left out (--keep-members).',
  ])
    assert.ok(text.includes(part), `${part}\nis not in\n${text}`)
  await edit(asIs)
  const trusted = await importEdited(['--trust-source', '--private-targets'])
  assert.deepEqual(trusted.reset, [])
})

const GUIDE = join(import.meta.dirname, '../../../docs/operating/moving-organizations.md')

test('the guide decides about every column of every table that moves', async () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const documented = new Map<string, string[]>()
  for (const [, table = '', cells = ''] of guide.matchAll(/^\| `([a-z_]+)` \|(.*)\|$/gm)) {
    const columns = [...cells.matchAll(/`([a-z0-9_]+)`/g)].map(([, column = '']) => column)
    documented.set(table, columns.toSorted())
  }
  const tables = await listMovedTables(
    async <R>(text: string, values: readonly unknown[]) =>
      (await source.admin.query(text, [...values])).rows as R[],
  )
  assert.deepEqual([...documented.keys()].toSorted(), tables.map(({ name }) => name).toSorted())
  for (const { name, columns } of tables)
    assert.deepEqual(documented.get(name), columns.toSorted(), name)
})

async function isRefused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof UsageError, String(error))
    assert.match(error.message, message)
    assert.match(error.message, /Nothing was imported/)
    return true
  })
  const { rows } = await target.admin.query('select 1 from organizations')
  assert.deepEqual(rows, [])
}
