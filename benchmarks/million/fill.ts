// Fills a database with organizations and monitors by COPY. Every row is made by the product's own code: settings that
// the API would accept, columns and encryption of the store, slots of the schedule. All constraints and indexes apply.
import type pg from 'pg'
import { newHeartbeatToken } from '../../src/actions/monitors/heartbeat-token.ts'
import { heartbeatDueAt, startClock } from '../../src/domain/monitors/heartbeat.ts'
import type { MonitorSettings } from '../../src/domain/monitors/monitor.ts'
import { monitorProblems } from '../../src/domain/monitors/rules.ts'
import { nextSlotAt, shardOf } from '../../src/domain/monitors/schedule.ts'
import {
  newOrganizationKey,
  parseMasterKeys,
  wrapKey,
} from '../../src/platform/crypto/encryption.ts'
import type { Db } from '../../src/store/core/db.ts'
import { newUuid } from '../../src/store/core/new-uuid.ts'
import { OrganizationSecrets } from '../../src/store/core/organization-secrets.ts'
import { settingsParameters, settingsValues } from '../../src/store/monitors/columns.ts'
import { copyText } from './copy-text.ts'
import { missingTypes, type Ports, settingsOf } from './kinds.ts'
import { organizationOf, type RunSize, sizeOf } from './plan.ts'

export type Filled = {
  /** By number, as counted in plan.ts. */
  organizations: string[]
  firstNo: number
  lastNo: number
  /** Tokens of the CRON monitors, except those of the two big organizations. */
  tokens: string[]
}

type Filling = {
  client: pg.Client
  size: RunSize
  ports: Ports
  /** The first slots are due then. */
  startAt: Date
  db: Db
  secrets: OrganizationSecrets
  organizations: string[]
  tokens: string[]
}

const CHUNK = 10_000
const DAY_MS = 86_400_000
const AGE_MS = 90 * DAY_MS
// One whole cycle of the kinds.
const VALIDATED = 1000
const MONITOR_COLUMNS = `no, org_id, id, created_at, updated_at, ${settingsParameters(1).columns.text}`
const STATE_COLUMNS = `monitor_no, org_id, shard, state, epoch, next_due_at, last_slot, last_checked_at,
  last_status_changed_at, last_response_ms, samples, heartbeat`
const TABLES = 'organizations, subscriptions, organization_keys, organization_usage, monitors'

/** Runs as the database's superuser; `masterKeys` are the installation's. */
export async function fillMonitors(
  client: pg.Client,
  masterKeys: string,
  about: Pick<Filling, 'size' | 'ports' | 'startAt'>,
): Promise<Filled> {
  const missing = missingTypes()
  if (missing.length > 0) throw new Error(`No monitor has the type ${missing}`)
  const keys = parseMasterKeys(masterKeys)
  if (typeof keys === 'string') throw new Error(`MASTER_KEYS ${keys}`)
  const filling: Filling = {
    ...about,
    client,
    db: plainDb(client),
    secrets: new OrganizationSecrets(keys),
    organizations: Array.from({ length: about.size.organizations }, (_, n) =>
      newUuid(new Date(Date.now() - AGE_MS + n)),
    ),
    tokens: [],
  }
  // Consistent by construction, so foreign keys need not be checked a million times.
  await client.query('set session_replication_role = replica')
  await fillOrganizations(filling, (orgId) => wrapKey(keys, orgId, newOrganizationKey()))
  const firstNo = await nextNo(client)
  for (let from = 0; from < about.size.monitors; from += CHUNK)
    await fillChunk(filling, firstNo, from)
  const lastNo = firstNo + about.size.monitors - 1
  await client.query(`select setval(pg_get_serial_sequence('monitors', 'no'), $1)`, [lastNo])
  await client.query('reset session_replication_role')
  await client.query(`vacuum analyze ${TABLES}, monitor_states, state_spans`)
  const { organizations, tokens } = filling
  return { organizations, firstNo, lastNo, tokens }
}

type Wrapped = ReturnType<typeof wrapKey>

async function fillOrganizations(
  { client, size, organizations }: Filling,
  keyOf: (orgId: string) => Wrapped,
): Promise<void> {
  const rows = organizations.map((id, n) => ({ id, name: `Organization ${n}`, n, ...keyOf(id) }))
  await copyText(
    client,
    'organizations',
    'id, name, plan, private_targets',
    rows.map(({ id, name }) => [id, name, 'UNLIMITED', true]),
  )
  await copyText(
    client,
    'subscriptions',
    'org_id, status',
    rows.map(({ id }) => [id, 'ACTIVE']),
  )
  await copyText(
    client,
    'organization_keys',
    'org_id, kid, wrapped',
    rows.map(({ id, kid, wrapped }) => [id, kid, wrapped]),
  )
  await copyText(
    client,
    'organization_usage',
    'org_id, monitors',
    rows.map(({ id, n }) => [id, sizeOf(n, size)]),
  )
}

async function nextNo(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ no: string }>(
    'select coalesce(max(no), 0) + 1 as no from monitors',
  )
  return Number(rows[0]?.no)
}

async function fillChunk(filling: Filling, firstNo: number, from: number): Promise<void> {
  const { client, size, startAt } = filling
  const count = Math.min(CHUNK, size.monitors - from)
  const made: Rows[] = []
  for (let i = 0; i < count; i++) made.push(await rowsOf(filling, firstNo, from + i))
  const rows = (read: (one: Rows) => unknown[]) => made.map(read)
  await copyText(
    client,
    'monitors',
    MONITOR_COLUMNS,
    rows(({ monitor }) => monitor),
  )
  await copyText(
    client,
    'monitor_states',
    STATE_COLUMNS,
    rows(({ state }) => state),
  )
  const since = new Date(startAt.getTime() - DAY_MS)
  await copyText(
    client,
    'state_spans',
    'monitor_no, started_at, state',
    made.map((_, i) => [firstNo + from + i, since, 'UP']),
  )
}

type Rows = { monitor: unknown[]; state: unknown[] }

/** The rows of one monitor, counted from 0. */
async function rowsOf(filling: Filling, firstNo: number, monitor: number): Promise<Rows> {
  const { size, ports, startAt, db, secrets, organizations } = filling
  const { monitors, intervalSeconds } = size
  const organization = organizationOf(monitor, size)
  const orgId = organizations[organization] ?? ''
  const createdAt = new Date(Date.now() - AGE_MS + Math.floor((monitor * DAY_MS) / monitors))
  const uuid = newUuid(createdAt)
  const settings = settingsOf(monitor, { uuid, intervalSeconds }, ports)
  if (monitor < VALIDATED) assertValid(settings)
  const isCron = settings.type === 'CRON'
  const heartbeatToken = isCron ? newHeartbeatToken() : null
  if (heartbeatToken !== null && organization > 1) filling.tokens.push(heartbeatToken)
  const tenant = { orgId, query: db.query, cipher: () => secrets.cipherOf(db, orgId) }
  const stored = await settingsValues(tenant, { uuid, ...settings, heartbeatToken })
  const clock = isCron ? startClock(startAt) : null
  const dueAt = clock
    ? heartbeatDueAt(settings, clock)
    : nextSlotAt({ uuid, intervalSeconds }, new Date(startAt.getTime() - 1))
  const since = new Date(startAt.getTime() - DAY_MS)
  const no = firstNo + monitor
  const last = isCron ? [null, null, since, null, '{}'] : [since, since, since, 12, '{11,13,12}']
  return {
    monitor: [no, orgId, uuid, createdAt, createdAt, ...stored],
    state: [no, orgId, shardOf(uuid), 'UP', 0, dueAt, ...last, clock],
  }
}

function assertValid(settings: MonitorSettings): void {
  const [problem] = monitorProblems(settings)
  if (problem !== undefined) throw new Error(`${settings.type}: ${problem.path} ${problem.message}`)
}

/** Safe because a superuser needs no scope, and a plain query returns the same rows. */
function plainDb(client: pg.Client): Db {
  return {
    query: async ({ text }: { text: string }, values: unknown[]) =>
      (await client.query(text, values)).rows,
  } as unknown as Db
}
