// Reads all data of an organization from one snapshot, in batches. Tables and columns come from the catalog, so that a
// new table is not forgotten. Encrypted, hashed and secret values are left out.
import type pg from 'pg'
import { openClient } from '../core/connect.ts'
import { recorded } from '../history/recorded.ts'

export type ExportedTable = { name: string; rows: AsyncGenerator<Record<string, unknown>[]> }

const BATCH = 500
const UUID = /^[0-9a-f-]{36}$/
const NOT_EXPORTED = [
  'idempotency_records',
  'organization_keys',
  'organization_usage',
  'page_mail_secrets',
  // Exported as results.
  'result_packs',
  'webhook_secrets',
]
/** Encrypted columns that hold addresses and no secrets. The caller decrypts them. */
export const SEALED_ADDRESSES: Readonly<Record<string, string>> = {
  alert_contacts: 'settings',
  page_subscribers: 'email',
}

// Packed or not.
const ALL_RESULTS = recorded({
  monitorNo: { text: 'm.no' },
  from: { text: `'-infinity'::timestamptz` },
  before: { text: `'infinity'::timestamptz` },
})

type Table = {
  name: string
  owner: 'org_id' | 'monitor_no' | 'id'
  isPlain: boolean
  columns: string[]
}

const TABLES = `
  select c.relname as name, c.relkind = 'r' as "isPlain",
         case when c.relname = 'organizations' then 'id'
              when bool_or(a.attname = 'org_id') then 'org_id' else 'monitor_no' end as owner,
         array_agg(a.attname::text order by a.attnum)
           filter (where a.atttypid <> 'bytea'::regtype and a.attname !~ '(hash|secret|token)') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> all ($1::text[]) and c.relname !~ '^packed_rows_'
   group by c.oid, c.relname, c.relkind
  having c.relname = 'organizations' or bool_or(a.attname in ('org_id', 'monitor_no'))
   order by c.relname <> 'organizations', c.relname`

/** Calls `work` with one table after another. Read each to its end before the next. */
export async function exportOrganization(
  url: string,
  orgId: string,
  work: (tables: AsyncGenerator<ExportedTable>) => Promise<void>,
): Promise<void> {
  if (!UUID.test(orgId)) throw new TypeError('Not an organization id')
  const options = '-c role=upvane_engine -c timezone=UTC'
  const client = await openClient({ connectionString: url, options })
  try {
    await client.query('begin isolation level repeatable read read only')
    // Before the snapshot is taken: a day that is packed meanwhile would be in neither place.
    await client.query('lock table results in access share mode')
    await work(readTables(client, orgId))
  } finally {
    await client.end()
  }
}

async function* readTables(client: pg.Client, orgId: string): AsyncGenerator<ExportedTable> {
  const { rows } = await client.query<Table>(TABLES, [NOT_EXPORTED])
  for (const table of rows) {
    const sealed = SEALED_ADDRESSES[table.name]
    const columns = sealed === undefined ? table.columns : [...table.columns, sealed]
    yield { name: table.name, rows: readRows(client, { ...table, columns }, orgId) }
  }
}

async function* readRows(
  client: pg.Client,
  table: Table,
  orgId: string,
): AsyncGenerator<Record<string, unknown>[]> {
  const list = table.columns.map((column) => `"${column}"`).join(', ')
  await client.query(
    `declare exported no scroll cursor for select ${list} from ${sourceOf(table, orgId)}`,
  )
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${BATCH} from exported`)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query('close exported')
}

function sourceOf({ name, owner, isPlain }: Table, orgId: string): string {
  const own = `(select no from monitors where org_id = '${orgId}')`
  if (name === 'results') return `${own} m cross join lateral ${ALL_RESULTS.text} r`
  // "only", because the parent table of webhook endpoints would include them.
  const rows = `${isPlain ? 'only ' : ''}"${name}"`
  return `${rows} where ${owner === 'monitor_no' ? `monitor_no in ${own}` : `${owner} = '${orgId}'`}`
}
