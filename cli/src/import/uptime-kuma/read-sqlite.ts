// Reads kuma.db, of versions 1 and 2. Uptime Kuma may go on running: everything is read in one transaction.
import type { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../command.ts'
import { flagOf, jsonOf, numberOf, type SourceRow, textOf } from '../common/values.ts'
import { groupBy, type KumaData, type KumaGroup } from './data.ts'

const MAX_ROWS = 100_000
const MAX_TABLE_CHARACTERS = 100_000_000
const TABLES = [
  'monitor',
  'notification',
  'monitor_notification',
  'tag',
  'monitor_tag',
  'status_page',
  'status_page_cname',
  'group',
  'monitor_group',
  'maintenance',
  'monitor_maintenance',
  'maintenance_status_page',
  'incident',
  'setting',
] as const
type Table = (typeof TABLES)[number]
type Tables = Readonly<Record<Table, readonly SourceRow[]>>

export async function readKumaDatabase(path: string): Promise<KumaData> {
  const tables = await readTables(path)
  return {
    monitors: tables.monitor,
    notifications: tables.notification,
    notificationsOf: groupBy(tables.monitor_notification, of('monitor_id'), of('notification_id')),
    tags: tables.tag,
    tagsOf: tagsOf(tables),
    pages: pagesOf(tables),
    maintenances: maintenancesOf(tables),
    incidents: tables.incident,
    settings: new Map(tables.setting.map((row) => [textOf(row, 'key'), jsonOf(row, 'value')])),
  }
}

const of =
  (column: string) =>
  (row: SourceRow): string =>
    textOf(row, column)

async function readTables(path: string): Promise<Tables> {
  // Only here: loading it prints a warning on some versions of Node.
  const { DatabaseSync: Database } = await import('node:sqlite').catch(() => {
    const own = process.versions.node
    throw new CommandError(1, `reading kuma.db needs Node 22.13 or newer, and this is Node ${own}.`)
  })
  let database: DatabaseSync | undefined
  try {
    database = new Database(path, { readOnly: true })
    database.exec('begin')
    const known = tablesIn(database)
    if (!known.has('monitor'))
      throw new CommandError(1, `${path} is an SQLite database, but not the one of Uptime Kuma.`)
    const opened = database
    const entries = TABLES.map((table): [Table, SourceRow[]] => [
      table,
      known.has(table) ? readTable(opened, table) : [],
    ])
    // Safe because the entries are made from the list of tables.
    return Object.fromEntries(entries) as Record<Table, SourceRow[]>
  } catch (error) {
    if (error instanceof CommandError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      1,
      `${path} cannot be read as an SQLite database (${message}). If Uptime Kuma runs, copy kuma.db with kuma.db-wal and kuma.db-shm, and import the copy.`,
    )
  } finally {
    database?.close()
  }
}

/** Plain tables only: a view or a computed column could run for ever. */
function tablesIn(database: DatabaseSync): Set<string> {
  const rows = database
    .prepare(
      `select name from sqlite_schema
        where type = 'table' and upper(ltrim(sql)) like 'CREATE TABLE%'
          and not exists (select 1 from pragma_table_xinfo(sqlite_schema.name) where hidden > 1)`,
    )
    .all()
  return new Set(rows.map((row) => String(row['name'])))
}

function readTable(database: DatabaseSync, table: Table): SourceRow[] {
  const rows: SourceRow[] = []
  let characters = 0
  for (const row of database.prepare(`select * from "${table}"`).iterate()) {
    characters += sizeOf(row)
    if (characters > MAX_TABLE_CHARACTERS)
      throw new CommandError(1, `The table "${table}" is larger than 100 MB.`)
    if (rows.length === MAX_ROWS)
      throw new CommandError(1, `The table "${table}" has more than ${MAX_ROWS} rows.`)
    rows.push(row)
  }
  return rows
}

const sizeOf = (row: SourceRow): number =>
  Object.values(row).reduce<number>(
    (sum, cell) => sum + (typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8),
    0,
  )

function tagsOf({ tag, monitor_tag }: Tables): Map<string, SourceRow[]> {
  const names = new Map(tag.map((row) => [textOf(row, 'id'), textOf(row, 'name')]))
  return groupBy(monitor_tag, of('monitor_id'), (row) => ({
    name: names.get(textOf(row, 'tag_id')) ?? '',
    value: textOf(row, 'value'),
  }))
}

const byWeight = (a: SourceRow, b: SourceRow): number =>
  (numberOf(a, 'weight') ?? 0) - (numberOf(b, 'weight') ?? 0)

function pagesOf(tables: Tables): KumaData['pages'] {
  const monitors = groupBy(
    tables.monitor_group.toSorted(byWeight),
    of('group_id'),
    of('monitor_id'),
  )
  const groups = groupBy(
    tables.group.toSorted(byWeight),
    of('status_page_id'),
    (row): KumaGroup => ({
      name: textOf(row, 'name'),
      monitors: monitors.get(textOf(row, 'id')) ?? [],
    }),
  )
  const domains = groupBy(tables.status_page_cname, of('status_page_id'), of('domain'))
  const pageOf = new Map(
    tables.group.map((row) => [textOf(row, 'id'), textOf(row, 'status_page_id')]),
  )
  const links = groupBy(
    tables.monitor_group.filter(
      (row) => flagOf(row, 'send_url') === true || textOf(row, 'custom_url') !== '',
    ),
    (row) => pageOf.get(textOf(row, 'group_id')) ?? '',
    of('monitor_id'),
  )
  return tables.status_page.map((row) => {
    const id = textOf(row, 'id')
    return {
      row,
      domains: domains.get(id) ?? [],
      groups: groups.get(id) ?? [],
      links: links.get(id)?.length ?? 0,
    }
  })
}

function maintenancesOf(tables: Tables): KumaData['maintenances'] {
  const monitors = groupBy(tables.monitor_maintenance, of('maintenance_id'), of('monitor_id'))
  const pages = groupBy(tables.maintenance_status_page, of('maintenance_id'), of('status_page_id'))
  return tables.maintenance.map((row) => {
    const id = textOf(row, 'id')
    return { row, monitors: monitors.get(id) ?? [], pages: pages.get(id) ?? [] }
  })
}
