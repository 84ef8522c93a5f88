// Copies the rows of one organization to many others, so that a table is large and next to nothing in it belongs to the
// organization that is looked at.
import type pg from 'pg'
import { listTables, type TenantTable } from './fill-tenant.ts'

const ORGANIZATIONS = 200
// A key opens only for its own organization, and the service checks that when it starts. Rows of receivers are rows of
// the tables that inherit from it. The others have at most one row for an organization, a kind and a day.
const NOT_COPIED = new Set(['organization_keys', 'receivers', 'owner_notices', 'day_usage'])

type Column = { name: string; type: string; makesUnique: boolean; isPartitionKey: boolean }

/** Every table with rows of organizations or monitors gets this many more, if `orgUuid` has one in it. */
export async function multiplyRows(
  admin: pg.Client,
  orgUuid: string,
  count: number,
): Promise<void> {
  // Foreign keys are not checked: the copies refer to nothing.
  await admin.query('set session_replication_role = replica')
  for (const table of await listTables(admin))
    if (table.column !== '' && !NOT_COPIED.has(table.name))
      await multiply(admin, table, orgUuid, count)
  await admin.query('reset session_replication_role')
  await admin.query('vacuum analyze')
}

async function multiply(
  admin: pg.Client,
  { name, column }: TenantTable,
  orgUuid: string,
  count: number,
): Promise<void> {
  const columns = await listColumns(admin, name)
  const owned =
    column === 'monitor_no' ? '(select no from monitors where org_id = $1 limit 1)' : '$1'
  const copies = name === 'organizations' ? ORGANIZATIONS : count
  await admin.query(
    `insert into ${name} (${columns.map((each) => `"${each.name}"`).join(', ')})
     overriding system value
     select ${columns.map((each) => copyOf(each, name)).join(', ')}
       from (select * from ${name} where ${column} = ${owned} limit 1) t, generate_series(1, $2::integer) n
     on conflict do nothing`,
    [orgUuid, copies],
  )
}

async function listColumns(admin: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await admin.query<Column>(
    `select a.attname as name, a.atttypid::regtype::text as type,
            exists (select from pg_index i
                     where i.indrelid = a.attrelid and i.indisunique and a.attnum = any (i.indkey)
                       and not exists (
                         select from pg_attribute other
                          where other.attrelid = a.attrelid and other.attnum = any (i.indkey)
                            and (other.attname = 'monitor_no' or other.atttypid = 'uuid'::regtype)
                            and other.attname <> 'org_id')) as "makesUnique",
            exists (select from pg_partitioned_table p
                     where p.partrelid = a.attrelid and a.attnum = any (p.partattrs)) as "isPartitionKey"
       from pg_attribute a
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
        and (a.attidentity = '' or a.attname = 'no') and a.attgenerated = ''`,
    [table],
  )
  return rows
}

// Ids of a month around now, as the product's sort by time: what is looked at lies among them.
const ID = `(lpad(to_hex((extract(epoch from now()) * 1000 + (random() - 0.5) * 2.6e9)::bigint), 12, '0')
             || substr(md5(random()::text), 1, 20))::uuid`

function copyOf({ name, type, makesUnique, isPartitionKey }: Column, table: string): string {
  const value = `t."${name}"`
  if (name === 'org_id' || (name === 'id' && table === 'organizations'))
    return `md5('org' || n % ${ORGANIZATIONS})::uuid`
  if (name === 'monitor_no' || (name === 'no' && table === 'monitors')) return '1000000 + n'
  const copy = () => {
    if (type === 'uuid') return isPartitionKey ? 'new_uuid()' : ID
    if (makesUnique && type === 'text') return `${value} || n`
    return makesUnique && type === 'bytea' ? `sha256(('${name}' || n)::bytea)` : value
  }
  return `case when ${value} is not null then ${copy()} end`
}
