import {
  type Binding,
  type BindingChange,
  type BoundResource,
  MAX_BINDINGS,
  MAX_SOURCES,
} from '../../domain/sources/binding.ts'
import { sql } from '../core/db.ts'
import type { Cipher, SecretLocation } from '../core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type Source = { revision: number; updatedAt: Date }

const FIND = sql`
  select revision, updated_at as "updatedAt" from code_sources where org_id = $1 and name = $2`
const LOCK = sql`
  select revision, updated_at as "updatedAt" from code_sources where org_id = $1 and name = $2 for update`
const COUNT = sql`select count(*)::integer as count from code_sources where org_id = $1`
const NAMES = sql`select name from code_sources where org_id = $1 order by name collate "C" limit $2`
const INSERT = sql`
  insert into code_sources (org_id, name, revision, updated_at) values ($1, $2, 0, $3) on conflict do nothing`
const UPDATE = sql`
  update code_sources set revision = $3, updated_at = $4 where org_id = $1 and name = $2`
const DELETE = sql`delete from code_sources where org_id = $1 and name = $2 returning name`

export async function findSource(tenant: Tenant, name: string): Promise<Source | undefined> {
  const [row] = await tenant.query<Source>(FIND, [tenant.orgId, name])
  return row
}

export async function lockSource(tx: TenantTx, name: string): Promise<Source | undefined> {
  const [row] = await tx.query<Source>(LOCK, [tx.orgId, name])
  return row
}

export async function countSources(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT, [tenant.orgId])
  return row?.count ?? 0
}

export async function listSourceNames(tenant: Tenant): Promise<string[]> {
  const rows = await tenant.query<{ name: string }>(NAMES, [tenant.orgId, MAX_SOURCES])
  return rows.map(({ name }) => name)
}

/** At revision 0. Waits for a transaction that creates the same one. */
export async function insertSource(tx: TenantTx, name: string): Promise<void> {
  await tx.query(INSERT, [tx.orgId, name, tx.now])
}

export async function updateSource(tx: TenantTx, name: string, revision: number): Promise<void> {
  await tx.query(UPDATE, [tx.orgId, name, revision, tx.now])
}

/** False if there is no such source. Its bindings are deleted with it. */
export async function deleteSource(tx: TenantTx, name: string): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, name])).length > 0
}

const LIST = sql`
  select address, prefix, resource_id as uuid, generation, digest
    from code_bindings where org_id = $1 and source = $2 order by address collate "C" limit $3`

type Row = {
  address: string
  prefix: BoundResource['prefix'] | null
  uuid: string | null
  generation: number
  digest: Buffer | null
}

/** By address. */
export async function listBindings(tenant: Tenant, source: string): Promise<Binding[]> {
  const rows = await tenant.query<Row>(LIST, [tenant.orgId, source, MAX_BINDINGS])
  const cipher = rows.some(({ digest }) => digest !== null) ? await tenant.cipher() : undefined
  return inPieces(rows, (row) => toBinding(row, source, cipher))
}

const LIST_GENERATION = sql`
  select address, prefix, resource_id as uuid, generation, null as digest
    from code_bindings where org_id = $1 and source = $2 and generation = $3
   order by address collate "C" limit $4`

/** Those that still have the generation, by address, without digests. */
export async function listGeneration(
  tenant: Tenant,
  source: string,
  generation: number,
): Promise<Binding[]> {
  const values = [tenant.orgId, source, generation, MAX_BINDINGS]
  const rows = await tenant.query<Row>(LIST_GENERATION, values)
  return inPieces(rows, (row) => toBinding(row, source, undefined))
}

function toBinding(row: Row, source: string, cipher: Cipher | undefined): Binding {
  const { address, prefix, uuid, generation, digest } = row
  const resource = prefix !== null && uuid !== null ? { prefix, uuid } : null
  const opened = digest && cipher ? cipher.unseal(digestLocation(source, address), digest) : null
  return { address, resource, generation, digest: opened }
}

const digestLocation = (source: string, address: string): SecretLocation => ({
  table: 'code_bindings',
  row: `${source} ${address}`,
  column: 'digest',
})

const COUNT_ALL = sql`select count(*)::integer as count from code_bindings where org_id = $1`

/** Of all sources. */
export async function countAllBindings(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT_ALL, [tenant.orgId])
  return row?.count ?? 0
}

const REMOVE = sql`
  delete from code_bindings where org_id = $1 and source = $2 and address = any ($3::text[])`
const values = sql`
  unnest($3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::bytea[])
    n (address, prefix, resource_id, generation, digest)`
const ADD = sql`
  insert into code_bindings (org_id, source, address, prefix, resource_id, generation, digest)
  select $1, $2, n.address, n.prefix, n.resource_id, n.generation, n.digest from ${values}`
// No index has these columns, so the new row version can take the place of an older one.
const REFRESH = sql`
  update code_bindings b set generation = n.generation, digest = n.digest
    from ${values}
   where b.org_id = $1 and b.source = $2 and b.address = n.address`

/** Rows that stay as they are are not written. What gets another resource is removed first: two addresses may swap. */
export async function writeBindings(
  tx: TenantTx,
  source: string,
  { known, changed, removed }: Pick<BindingChange, 'changed' | 'removed'> & { known: Binding[] },
): Promise<void> {
  const resources = new Map(known.map(({ address, resource }) => [address, resource]))
  const isRefreshed = ({ address, resource }: Binding) => {
    const old = resources.get(address)
    return old !== undefined && old?.uuid === resource?.uuid && old?.prefix === resource?.prefix
  }
  const added = changed.filter((binding) => !isRefreshed(binding))
  const addresses = added.map(({ address }) => address)
  if (added.length + removed.length > 0)
    await tx.query(REMOVE, [tx.orgId, source, [...removed, ...addresses]])
  if (added.length > 0) await tx.query(ADD, await rowsOf(tx, source, added))
  const refreshed = changed.filter(isRefreshed)
  if (refreshed.length > 0) await tx.query(REFRESH, await rowsOf(tx, source, refreshed))
}

async function rowsOf(
  tx: TenantTx,
  source: string,
  bindings: readonly Binding[],
): Promise<unknown[]> {
  const cipher = await tx.cipher()
  return [
    tx.orgId,
    source,
    bindings.map(({ address }) => address),
    bindings.map(({ resource }) => resource?.prefix ?? null),
    bindings.map(({ resource }) => resource?.uuid ?? null),
    bindings.map(({ generation }) => generation),
    await inPieces(bindings, ({ address, digest }) =>
      digest === null ? null : cipher.seal(digestLocation(source, address), digest),
    ),
  ]
}

const PIECE = 200

/** Thousands of digests are sealed and unsealed: others have their turn between two pieces. */
async function inPieces<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = []
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    mapped.push(...items.slice(at, at + PIECE).map(map))
  }
  return mapped
}

const TABLES: Readonly<Record<BoundResource['prefix'], string>> = {
  mon: 'monitors',
  act: 'alert_contacts',
  tag: 'tags',
  sp: 'status_pages',
  mw: 'maintenance_windows',
  whe: 'webhook_endpoints',
}
const FIND_EXISTING = sql`${{
  text: Object.entries(TABLES)
    .map(
      ([prefix, table], at) =>
        `select id from ${table} where org_id = $1 and '${prefix}' = any ($2::text[]) and id = any ($${at + 3}::uuid[])`,
    )
    .join(' union all '),
}}`

/** Those of the resources that exist in this organization. */
export async function findExisting(
  tenant: Tenant,
  resources: readonly BoundResource[],
): Promise<ReadonlySet<string>> {
  const prefixes = Object.keys(TABLES)
  const byPrefix = prefixes.map((prefix) =>
    resources.flatMap((resource) => (resource.prefix === prefix ? [resource.uuid] : [])),
  )
  const rows = await tenant.query<{ id: string }>(FIND_EXISTING, [
    tenant.orgId,
    [...new Set(resources.map(({ prefix }) => prefix))],
    ...byPrefix,
  ])
  return new Set(rows.map(({ id }) => id))
}

const FIND_ELSEWHERE = sql`
  select source, address from code_bindings
   where org_id = $1 and source <> $2 and resource_id = any ($3::uuid[]) limit 1`
const LIST_PLACES = sql`
  select prefix, resource_id as uuid, source, address from code_bindings
   where org_id = $1 and resource_id = any ($2::uuid[])`

/** Where a resource is bound. */
type Place = { source: string; address: string }

/** A binding of another source to one of these resources. */
export async function findElsewhere(
  tx: TenantTx,
  source: string,
  uuids: readonly string[],
): Promise<Place | undefined> {
  const [row] = await tx.query<Place>(FIND_ELSEWHERE, [tx.orgId, source, uuids])
  return row
}

/** Where these resources are bound. Those that no source manages are left out. */
export async function listPlaces(
  tenant: Tenant,
  uuids: readonly string[],
): Promise<(Place & { resource: BoundResource })[]> {
  if (uuids.length === 0) return []
  const rows = await tenant.query<Place & BoundResource>(LIST_PLACES, [tenant.orgId, uuids])
  return rows.map(({ prefix, uuid, ...place }) => ({ ...place, resource: { prefix, uuid } }))
}
