import type { Secret } from '../../domain/events/signature.ts'
import {
  ENDPOINT_SETTINGS,
  type EndpointSettings,
  type WebhookEndpoint,
} from '../../domain/events/webhook-endpoint.ts'
import { columnsOf, parametersOf, selectFields } from '../core/columns.ts'
import { type Db, sql } from '../core/db.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'
import { pageOf, readPage } from '../core/page.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { cancelAllPending } from './queue.ts'

const columns = sql`
  e.id as uuid, ${selectFields('e', ENDPOINT_SETTINGS)},
  e.disabled_reason as "disabledReason", e.last_success_at as "lastSuccessAt",
  e.last_failure_at as "lastFailureAt", e.created_at as "createdAt", e.updated_at as "updatedAt",
  (select json_agg(json_build_array(s.hint, s.replaced_at)) from webhook_secrets s
    where s.endpoint_id = e.id and (s.replaced_at is null or s.replaced_at > now() - interval '24 hours'))
    as "storedSecrets"`

type Row = Omit<WebhookEndpoint, 'secrets'> & { storedSecrets: [string, string | null][] | null }

function toEndpoint({ storedSecrets, ...row }: Row): WebhookEndpoint {
  const secrets = (storedSecrets ?? []).map(([hint, replacedAt]) => ({
    hint,
    replacedAt: replacedAt === null ? null : new Date(replacedAt),
  }))
  return { ...row, secrets }
}

const FIND = sql`select ${columns} from webhook_endpoints e where e.org_id = $1 and e.id = $2`

export async function findEndpoint(
  tenant: Tenant,
  uuid: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  return row && toEndpoint(row)
}

const LOCK = sql`
  select 1 as one from webhook_endpoints where org_id = $1 and id = $2 for no key update`
const LOCK_TO_DELETE = sql`
  select 1 as one from webhook_endpoints where org_id = $1 and id = $2 for update`

/** Uses two statements: only a snapshot taken after the lock sees what was committed while it waited. */
export async function lockEndpoint(
  tx: TenantTx,
  uuid: string,
): Promise<WebhookEndpoint | undefined> {
  const rows = await tx.query(LOCK, [tx.orgId, uuid])
  return rows.length === 0 ? undefined : findEndpoint(tx, uuid)
}

const matching = sql`org_id = $1 and ($4::boolean is null or enabled = $4)`
const PAGE = pageOf({ table: 'webhook_endpoints e', matching, columns })

export type EndpointFilter = { limit: number; offset: number; enabled?: boolean | undefined }

export async function listEndpoints(tenant: Tenant, filter: EndpointFilter) {
  const { limit, offset, enabled } = filter
  const values = [tenant.orgId, limit, offset, enabled]
  const { total, rows } = await readPage<Row>(tenant, PAGE, values)
  return { total, endpoints: rows.map(toEndpoint) }
}

const COUNT = sql`select count(*) as endpoints from webhook_endpoints where org_id = $1`

/** Call it while holding the plan's lock. */
export async function countEndpoints(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ endpoints: number }>(COUNT, [tx.orgId])
  return row?.endpoints ?? 0
}

const COLUMNS = columnsOf(ENDPOINT_SETTINGS)
const written = parametersOf(
  COLUMNS.map(({ column }) => column),
  5,
)
const INSERT = sql`
  insert into webhook_endpoints (org_id, id, created_at, updated_at, disabled_reason, ${written.columns})
  values ($1, $2, $3, $3, $4, ${written.values})`
const UPDATE = sql`
  update webhook_endpoints set updated_at = $3, disabled_reason = $4, ${written.assignments}
   where org_id = $1 and id = $2`

const settingsValues = (settings: EndpointSettings): unknown[] =>
  COLUMNS.map(({ name }) => settings[name])

export async function insertEndpoint(
  tx: TenantTx,
  uuid: string,
  settings: EndpointSettings,
): Promise<void> {
  const disabledReason = settings.enabled ? null : 'MANUAL'
  await tx.query(INSERT, [tx.orgId, uuid, tx.now, disabledReason, ...settingsValues(settings)])
}

export async function updateEndpoint(tx: TenantTx, endpoint: WebhookEndpoint): Promise<void> {
  const { uuid, updatedAt, disabledReason } = endpoint
  await tx.query(UPDATE, [tx.orgId, uuid, updatedAt, disabledReason, ...settingsValues(endpoint)])
}

const RESET_FAILURES = sql`
  update webhook_endpoints
     set failures_in_a_row = 0, failing_since = null, next_probe_at = null, probe_seconds = null,
         warned_at = null
   where org_id = $1 and id = $2`

/** Enabling an endpoint clears the failures counted against it. */
export async function resetFailures(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(RESET_FAILURES, [tx.orgId, uuid])
}

const DELETE = sql`delete from webhook_endpoints where org_id = $1 and id = $2`

/**
 * Cancels pending deliveries; the log is kept for its usual time. False if the endpoint does not exist. The lock waits
 * for events that are being queued, so that their deliveries are canceled too.
 */
export async function deleteEndpoint(tx: TenantTx, uuid: string): Promise<boolean> {
  const rows = await tx.query(LOCK_TO_DELETE, [tx.orgId, uuid])
  if (rows.length === 0) return false
  await cancelAllPending(tx, uuid)
  await tx.query(DELETE, [tx.orgId, uuid])
  return true
}

const INSERT_SECRET = sql`
  insert into webhook_secrets (id, org_id, endpoint_id, secret, hint, created_at)
  values ($1, $2, $3, $4, $5, $6)`
const REPLACE_SECRET = sql`
  update webhook_secrets set replaced_at = $3
   where org_id = $1 and endpoint_id = $2 and replaced_at is null`
const DELETE_OLD_SECRETS = sql`
  delete from webhook_secrets
   where org_id = $1 and endpoint_id = $2 and replaced_at <= $3::timestamptz - interval '24 hours'`

const HINT_LENGTH = 4

/** The new secret signs first. The previous one stays valid for another 24 hours. */
export async function addSecret(tx: TenantTx, endpointUuid: string, secret: string): Promise<void> {
  await tx.query(REPLACE_SECRET, [tx.orgId, endpointUuid, tx.now])
  await tx.query(DELETE_OLD_SECRETS, [tx.orgId, endpointUuid, tx.now])
  const uuid = tx.newUuid()
  const cipher = await tx.cipher()
  const sealed = cipher.seal(secretLocation(uuid), secret)
  const hint = secret.slice(-HINT_LENGTH)
  await tx.query(INSERT_SECRET, [uuid, tx.orgId, endpointUuid, sealed, hint, tx.now])
}

const FIND_TARGETS = sql`
  select s.id, s.org_id as "orgId", s.endpoint_id as "endpointUuid", s.secret,
         s.replaced_at as "rotatedAt", e.url, o.private_targets as "privateTargets"
    from webhook_secrets s
    join webhook_endpoints e on e.id = s.endpoint_id
    join organizations o on o.id = s.org_id
   where s.endpoint_id = any ($1::uuid[])`

/** Where an endpoint's events are sent, and the secrets that sign them. */
export type EndpointTarget = { url: string; secrets: Secret[]; privateTargets: boolean }

/** For the dispatcher: endpoints of any organization, by endpoint id. */
export async function findEndpointTargets(
  db: Db,
  secrets: OrganizationSecrets,
  endpointUuids: readonly string[],
): Promise<Map<string, EndpointTarget>> {
  type SecretRow = {
    id: string
    orgId: string
    endpointUuid: string
    secret: Buffer
    rotatedAt: Date | null
    url: string
    privateTargets: boolean
  }
  const rows = await db.query<SecretRow>(FIND_TARGETS, [endpointUuids])
  const targets = new Map<string, EndpointTarget>()
  for (const { id, orgId, endpointUuid, secret, rotatedAt, ...target } of rows) {
    const cipher = await secrets.cipherOf(db, orgId)
    const one = { secret: cipher.unseal(secretLocation(id), secret), rotatedAt }
    const others = targets.get(endpointUuid)?.secrets ?? []
    targets.set(endpointUuid, { ...target, secrets: [...others, one] })
  }
  return targets
}

const secretLocation = (uuid: string) => ({ table: 'webhook_secrets', row: uuid, column: 'secret' })
