// Tokens of another tool that lead to a CRON monitor.
import { hash } from 'node:crypto'
import { toAliasName } from '../../domain/monitors/ping-alias.ts'
import { hasRoomForTransitions } from '../../domain/values/day-quota.ts'
import { type DayRow, eventUsageColumns, toDayUsage } from '../core/day-usage.ts'
import { type Db, sql } from '../core/db.ts'
import type { SecretLocation } from '../core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { byteas } from '../wire/batch-values.ts'
import {
  type EngineMonitor,
  type StateRow,
  stateColumns,
  stateTables,
  toEngineMonitor,
} from './states.ts'

/**
 * `isMoving`: its organization is being moved, and must not record anything here. `isDayFull`: its day has no more room for
 * what pings change.
 */
export type PingedMonitor = EngineMonitor & { isMoving: boolean; isDayFull: boolean }
export type PingedRow = StateRow & DayRow & { n: number; isMoving: boolean }

export const toPinged = (row: PingedRow): PingedMonitor =>
  Object.assign(toEngineMonitor(row), {
    isMoving: row.isMoving,
    isDayFull: !hasRoomForTransitions(toDayUsage('EVENTS', row)),
  })

export type PingAlias = { monitorUuid: string; token: string }

const FIND_ID = sql`select id from ping_alias_ids where org_id = $1`
const INSERT_ID = sql`insert into ping_alias_ids (org_id, id) values ($1, $2)`

/** The random id in the URLs of the organization; undefined before its first alias. */
export async function findAliasId(tenant: Tenant): Promise<string | undefined> {
  const [row] = await tenant.query<{ id: Buffer }>(FIND_ID, [tenant.orgId])
  return row && (await tenant.cipher()).unseal(idLocation(tenant.orgId), row.id)
}

export async function insertAliasId(tx: TenantTx, id: string): Promise<void> {
  const sealed = (await tx.cipher()).seal(idLocation(tx.orgId), id)
  await tx.query(INSERT_ID, [tx.orgId, sealed])
}

const idLocation = (orgId: string): SecretLocation => ({
  table: 'ping_alias_ids',
  row: orgId,
  column: 'id',
})

const hashOf = (name: string): Buffer => hash('sha256', name, 'buffer')

const FIND_CRON = sql`
  select id as uuid from monitors where org_id = $1 and id = any ($2::uuid[]) and type = 'CRON' for key share`

/** Which of these are CRON monitors. None of them can be deleted until the transaction ends. */
export async function lockCronMonitors(
  tx: TenantTx,
  uuids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ uuid: string }>(FIND_CRON, [tx.orgId, uuids])
  return new Set(rows.map(({ uuid }) => uuid))
}

// A token that already leads to another monitor now leads to this one.
const INSERT = sql`
  insert into ping_aliases (hash, org_id, monitor_id, created_at)
  select n.hash, $1, n.monitor_id, $4 from unnest($2::bytea[], $3::uuid[]) n (hash, monitor_id)
  on conflict (hash) do update set monitor_id = excluded.monitor_id
   where ping_aliases.org_id = excluded.org_id and ping_aliases.monitor_id <> excluded.monitor_id`

export async function insertAliases(
  tx: TenantTx,
  id: string,
  aliases: readonly PingAlias[],
): Promise<void> {
  const hashes = aliases.map(({ token }) => hashOf(toAliasName(id, token)))
  const monitors = aliases.map(({ monitorUuid }) => monitorUuid)
  await tx.query(INSERT, [tx.orgId, byteas(hashes), monitors, tx.now])
}

const COUNT = sql`
  select count(*)::integer as total,
         coalesce((select max(n) from (select count(*)::integer as n from ping_aliases
                    where org_id = $1 group by monitor_id) of_monitor), 0) as most
    from ping_aliases where org_id = $1`

/** How many there are, and how many the monitor with the most of them has. */
export async function countAliases(tenant: Tenant): Promise<{ total: number; most: number }> {
  const [row] = await tenant.query<{ total: number; most: number }>(COUNT, [tenant.orgId])
  return row ?? { total: 0, most: 0 }
}

const DELETE = sql`
  delete from ping_aliases where org_id = $1 and monitor_id = $2 returning monitor_id`

/** Returns how many there were. */
export async function deleteAliases(tx: TenantTx, monitorUuid: string): Promise<number> {
  return (await tx.query(DELETE, [tx.orgId, monitorUuid])).length
}

const FIND = sql`
  select t.n, ${stateColumns}, o.moved_at is not null as "isMoving", ${eventUsageColumns}
    from unnest($1::bytea[]) with ordinality as t (hash, n), ping_aliases a, ${stateTables}
   where a.hash = t.hash and m.org_id = a.org_id and m.id = a.monitor_id and m.type = 'CRON'`

/** As `findHeartbeats`, by the names of aliases. One lookup in an index for each, whether it exists or not. */
export async function findAliased(
  db: Db,
  names: readonly string[],
): Promise<[name: string, monitor: PingedMonitor][]> {
  if (names.length === 0) return []
  const rows = await db.query<PingedRow>(FIND, [byteas(names.map(hashOf))])
  return rows.map((row) => [names[row.n - 1] ?? '', toPinged(row)])
}
