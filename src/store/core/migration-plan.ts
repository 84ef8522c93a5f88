// Estimates what the pending migrations lock and for how long, from their SQL and the database catalog.
import type pg from 'pg'
import {
  estimateSeconds,
  isStronger,
  type LockMode,
  readMigrationLocks,
  type WorkKind,
} from '../../domain/operating/migration-locks.ts'

export type TableLock = { table: string; mode: LockMode }

export type PlannedMigration = {
  name: string
  /** Only for tables that already exist; nothing else uses the ones it creates. */
  locks: (TableLock & { blocks: string; rows: number; bytes: number })[]
  /** Approximate time that the locks are held. */
  aboutSeconds: number
}

type Sizes = Map<string, { rows: number; bytes: number }>

/** The locks that a migration takes on tables that exist before it runs. */
export async function findLocks(client: pg.Client, text: string): Promise<TableLock[]> {
  const read = readMigrationLocks(text)
  const { rows: further } = await client.query<{ name: string }>(FURTHER_TABLES, [
    read.droppedIndexes,
    read.droppedTables,
  ])
  const all: TableLock[] = [
    ...read.locks,
    ...further.map(({ name: table }) => ({ table, mode: 'ACCESS EXCLUSIVE' as const })),
  ]
  const sizes = await readSizes(client, all)
  const strongest = new Map<string, LockMode>()
  for (const { table, mode } of all) {
    const known = strongest.get(table)
    if (sizes.has(table) && (known === undefined || isStronger(mode, known)))
      strongest.set(table, mode)
  }
  return [...strongest].map(([table, mode]) => ({ table, mode }))
}

export async function planMigration(
  client: pg.Client,
  { name, text }: { name: string; text: string },
): Promise<PlannedMigration> {
  const locks = await findLocks(client, text)
  const sizes = await readSizes(client, locks)
  const work = readMigrationLocks(text).work.map(({ table, kind }) => ({
    kind: kind satisfies WorkKind,
    bytes: sizes.get(table)?.bytes ?? 0,
  }))
  return {
    name,
    locks: locks.map((lock) => ({
      ...lock,
      blocks: lock.mode === 'ACCESS EXCLUSIVE' ? 'reads and writes' : 'writes',
      rows: sizes.get(lock.table)?.rows ?? 0,
      bytes: sizes.get(lock.table)?.bytes ?? 0,
    })),
    aboutSeconds: estimateSeconds(work),
  }
}

// The table of an index, and the tables that a table references.
const FURTHER_TABLES = `
  select i.indrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relname = any($1::text[])
  union
  select confrelid::regclass::text from pg_constraint
   where contype = 'f' and conrelid::regclass::text = any($2::text[])`

/** Includes partitions. Leaves out tables that do not exist. */
async function readSizes(client: pg.Client, locks: readonly TableLock[]): Promise<Sizes> {
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `select t.name, coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint as rows,
            coalesce(sum(pg_table_size(c.oid)), 0)::bigint as bytes
       from unnest($1::text[]) as t(name), pg_partition_tree(to_regclass('public.' || t.name)) p
       join pg_class c on c.oid = p.relid
      group by t.name
     union all
     select c.relname, greatest(c.reltuples, 0)::bigint, pg_table_size(c.oid)
       from pg_class c
      where c.oid = any(select to_regclass('public.' || name) from unnest($1::text[]) name)
        and c.relkind = 'r' and not c.relispartition`,
    [locks.map(({ table }) => table)],
  )
  return new Map(
    rows.map((row) => [row.name, { rows: Number(row.rows), bytes: Number(row.bytes) }]),
  )
}
