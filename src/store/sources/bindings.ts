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

const COUNT_BINDINGS = sql`
  select count(*)::integer as count from code_bindings where org_id = $1 and source = $2`

export async function countBindings(tenant: Tenant, source: string): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT_BINDINGS, [tenant.orgId, source])
  return row?.count ?? 0
}

/** By address. */
export async function listBindings(tenant: Tenant, source: string): Promise<Binding[]> {
  const rows = await tenant.query<Row>(LIST, [tenant.orgId, source, MAX_BINDINGS])
  const cipher = rows.some(({ digest }) => digest !== null) ? await tenant.cipher() : undefined
  return rows.map((row) => toBinding(row, source, cipher))
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

const REMOVE = sql`
  delete from code_bindings where org_id = $1 and source = $2 and address = any ($3::text[])`
const ADD = sql`
  insert into code_bindings (org_id, source, address, prefix, resource_id, generation, digest)
  select $1, $2, n.address, n.prefix, n.resource_id, n.generation, n.digest
    from unnest($3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::bytea[])
      n (address, prefix, resource_id, generation, digest)`

/** Removes what changes before it adds anything: two addresses may swap their resources. */
export async function writeBindings(
  tx: TenantTx,
  source: string,
  { changed, removed }: BindingChange,
): Promise<void> {
  const addresses = changed.map(({ address }) => address)
  if (changed.length + removed.length > 0)
    await tx.query(REMOVE, [tx.orgId, source, [...removed, ...addresses]])
  if (changed.length === 0) return
  const cipher = await tx.cipher()
  await tx.query(ADD, [
    tx.orgId,
    source,
    addresses,
    changed.map(({ resource }) => resource?.prefix ?? null),
    changed.map(({ resource }) => resource?.uuid ?? null),
    changed.map(({ generation }) => generation),
    changed.map(({ address, digest }) =>
      digest === null ? null : cipher.seal(digestLocation(source, address), digest),
    ),
  ])
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
