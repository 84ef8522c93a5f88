// Which tables belong to an organization, and in which order they can be filled. Both come from the catalog, so that a new
// table is moved without being named here.
import { orderByReferences, type TableReference } from '../../domain/operating/organization-move.ts'
import { sql } from '../core/db.ts'

/** Each with its reason. */
export const NOT_MOVED: readonly string[] = [
  // The key itself is in the manifest. Every installation wraps it with its own master key.
  'organization_keys',
  // Work for the janitor, which a trigger requests again when results are inserted.
  'late_hours',
  // Moved as results.
  'result_packs',
  // What the probes of the other installation have seen: a region of the same name is another place.
  'region_proofs',
  // Counted again by a trigger when stored responses are inserted.
  'stored_response_usage',
  // What was stored in this installation today.
  'day_usage',
  // They say which monitors this installation cannot check.
  'monitor_notices',
  'owner_notices',
  // Monitors that no longer exist, and belong to nobody.
  'deleted_monitors',
]

/** Columns with a number of `regions`, which differs between installations. */
export const REGION_COLUMNS: Readonly<Record<string, string>> = {
  results: 'region',
  region_results: 'region',
  monitor_states: 'samples_region',
}

export type MovedTable = {
  name: string
  owner: 'org_id' | 'monitor_no' | 'id'
  /** Not partitioned: children that inherit from it are tables of their own. */
  isPlain: boolean
  hasMonitorNo: boolean
  /** Without those that PostgreSQL fills itself. */
  columns: string[]
}

type Query = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>

// Rows of a day that is packed stay for a while in a table of their own.
const TABLES = sql`
  select c.relname::text as name, c.relkind = 'r' as "isPlain",
         bool_or(a.attname = 'monitor_no') as "hasMonitorNo",
         case when c.relname = 'organizations' then 'id'
              when bool_or(a.attname = 'org_id') then 'org_id' else 'monitor_no' end as owner,
         array_agg(a.attname::text order by a.attnum)
           filter (where a.attidentity = '' and a.attgenerated = '') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> all ($1::text[]) and c.relname !~ '^packed_rows_'
   group by c.oid, c.relname, c.relkind
  having c.relname = 'organizations' or bool_or(a.attname in ('org_id', 'monitor_no'))
   order by c.relname`
const REFERENCES = sql`
  select distinct child.relname::text as from, parent.relname::text as to
    from pg_constraint f
    join pg_class child on child.oid = f.conrelid and not child.relispartition
    join pg_class parent on parent.oid = f.confrelid
   where f.contype = 'f' and f.connamespace = 'public'::regnamespace`

/** In an order in which they can be filled. */
export async function listMovedTables(query: Query): Promise<MovedTable[]> {
  const tables = await query<MovedTable>(TABLES.text, [NOT_MOVED])
  const references = await query<TableReference>(REFERENCES.text, [])
  const byName = new Map(tables.map((table) => [table.name, table]))
  // Rows with only a monitor's number have no foreign key, but need the number it gets.
  const implied = tables
    .filter(({ name, hasMonitorNo }) => hasMonitorNo && name !== 'monitors')
    .map(({ name }): TableReference => ({ from: name, to: 'monitors' }))
  return orderByReferences([...byName.keys()], [...references, ...implied]).flatMap(
    (name) => byName.get(name) ?? [],
  )
}
