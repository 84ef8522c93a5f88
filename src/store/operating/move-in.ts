// Writes the rows of an organization that comes from another installation, in the caller's transaction.
import { type MovedRow, withPeople } from '../../domain/operating/organization-move.ts'
import { type Db, type Statement, sql, type Tx } from '../core/db.ts'
import { MoveInError } from './move-in-error.ts'
import type { MovedMembers } from './move-members.ts'
import { MovedResults } from './move-results.ts'
import { listMovedTables, type MovedTable, REGION_COLUMNS } from './move-tables.ts'

const SCHEMA = sql`select max(name) as schema from schema_migrations`
const EXISTS = sql`select 1 as one from organizations where id = $1`
const REGIONS = sql`select no::integer as no, name from regions order by no limit 1000`
const ADD_REGION = sql`
  insert into regions (name) values ($1) on conflict (name) do nothing returning no::integer as no`
const ENSURE = sql`select ensure_partitions($1::date, $2) as made`

const MAX_MONITORS = 1_000_000
const MAX_REGIONS = 1000
const DAYS_AT_ONCE = 30
// Longer than any retention.
const MAX_DAYS = 1500
const DAY_MS = 86_400_000

export async function findSchema(db: Db): Promise<string> {
  const [row] = await db.query<{ schema: string }>(SCHEMA)
  return row?.schema ?? ''
}

export async function hasOrganization(db: Db, orgId: string): Promise<boolean> {
  return (await db.query(EXISTS, [orgId])).length > 0
}

/** Outside of the transaction that fills them: attaching a partition locks its table until the commit. */
export async function preparePartitions(db: Db, firstDay: string, now: Date): Promise<void> {
  const firstMs = Date.parse(firstDay)
  const days = Math.ceil((now.getTime() - firstMs) / DAY_MS) + 1
  if (!(days <= MAX_DAYS)) throw new MoveInError(`The history starts too long ago: ${firstDay}.`)
  for (let done = 0; done < days; done += DAYS_AT_ONCE) {
    const day = new Date(firstMs + done * DAY_MS).toISOString().slice(0, 10)
    await db.query(ENSURE, [day, Math.min(DAYS_AT_ONCE, days - done)])
  }
}

type Target = {
  orgId: string
  /** Ids of the file and those here, if they differ. */
  newPeople: ReadonlyMap<string, string>
  members: MovedMembers
}

export class MoveInWriter {
  readonly #tx: Tx
  readonly #target: Target
  readonly #tables: ReadonlyMap<string, MovedTable>
  readonly #regions: Map<string, number>
  readonly #monitorNos = new Map<string, number>()
  #results: MovedResults | undefined

  private constructor(tx: Tx, target: Target, found: { tables: MovedTable[]; regions: Region[] }) {
    this.#tx = tx
    this.#target = target
    this.#tables = new Map(found.tables.map((table) => [table.name, table]))
    this.#regions = new Map(found.regions.map(({ name, no }) => [name, no]))
  }

  static async open(tx: Tx, target: Target): Promise<MoveInWriter> {
    const query = <Row>(text: string, values: readonly unknown[]) =>
      tx.query<Row>(sql`${{ text }}`, values)
    const tables = await listMovedTables(query)
    return new MoveInWriter(tx, target, { tables, regions: await tx.query<Region>(REGIONS) })
  }

  /** Every row must belong to the organization, or to one of its monitors. */
  async write(tableName: string, rows: readonly MovedRow[]): Promise<void> {
    const table = this.#tables.get(tableName)
    if (table === undefined) throw new MoveInError(`There is no table "${tableName}" to fill.`)
    const kept = this.#target.members.filter(tableName, rows)
    const written = await this.#writeRows(table, kept)
    if (written !== kept.length)
      throw new MoveInError(`A row of "${tableName}" belongs to another organization.`)
  }

  async #writeRows(table: MovedTable, rows: readonly MovedRow[]): Promise<number> {
    const monitors = rows.map(({ monitor }) => (monitor === null ? null : this.#monitorNo(monitor)))
    const regions = await this.#regionNos(rows)
    if (table.name === 'results') {
      this.#results ??= await MovedResults.open(this.#tx)
      return this.#results.write(rows, { monitors, regions })
    }
    const jsons = rows.map(({ json }) => this.#withPeople(table, json))
    const values = [jsons, monitors, regions, this.#target.orgId]
    return table.name === 'monitors'
      ? this.#writeMonitors(table, values)
      : this.#count(table, values)
  }

  /** History names no people, and is by far the most. */
  #withPeople({ owner }: MovedTable, json: string): string {
    return owner === 'monitor_no' ? json : withPeople(json, this.#target.newPeople)
  }

  async #count(table: MovedTable, values: readonly unknown[]): Promise<number> {
    const statement = sql`
      with added as (${insertOf(table)} returning 1) select count(*)::integer as count from added`
    const [row] = await this.#tx.query<{ count: number }>(statement, values)
    return row?.count ?? 0
  }

  async #writeMonitors(table: MovedTable, values: readonly unknown[]): Promise<number> {
    const statement = sql`${insertOf(table)} returning id as uuid, no`
    const rows = await this.#tx.query<{ uuid: string; no: number }>(statement, values)
    for (const { uuid, no } of rows) this.#monitorNos.set(uuid, no)
    if (this.#monitorNos.size > MAX_MONITORS) throw new MoveInError('There are too many monitors.')
    return rows.length
  }

  #monitorNo(uuid: string): number {
    const no = this.#monitorNos.get(uuid)
    if (no === undefined) throw new MoveInError(`A row belongs to an unknown monitor, ${uuid}.`)
    return no
  }

  async #regionNos(rows: readonly MovedRow[]): Promise<(number | null)[]> {
    for (const { region } of rows)
      if (region !== null && !this.#regions.has(region)) await this.#addRegion(region)
    return rows.map(({ region }) => (region === null ? null : (this.#regions.get(region) ?? null)))
  }

  async #addRegion(name: string): Promise<void> {
    if (this.#regions.size >= MAX_REGIONS) throw new MoveInError('There are too many regions.')
    const [added] = await this.#tx.query<{ no: number }>(ADD_REGION, [name])
    if (added === undefined) throw new MoveInError('A region was added meanwhile. Try again.')
    this.#regions.set(name, added.no)
  }
}

type Region = { no: number; name: string }

/** Names of tables and columns come from the catalog of this database, never from the file. */
function insertOf({ name, owner, columns }: MovedTable): Statement {
  const list = columns.map((column) => `"${column}"`).join(', ')
  const values = columns.map((column) => valueOf(name, column)).join(', ')
  const isOwn =
    owner === 'monitor_no'
      ? 'given.monitor_no is not null and $4::uuid is not null'
      : `g."${owner}" = $4::uuid`
  const text = `
    insert into public."${name}" (${list})
    select ${values}
      from unnest($1::text[], $2::bigint[], $3::smallint[]) as given (json, monitor_no, region)
     cross join lateral jsonb_populate_record(null::public."${name}", given.json::jsonb) as g
     where ${isOwn}`
  return sql`${{ text }}`
}

function valueOf(table: string, column: string): string {
  if (column === 'monitor_no') return 'given.monitor_no'
  if (REGION_COLUMNS[table] === column) return 'given.region'
  // So that the owners of the shards read the slots.
  if (table === 'monitor_states' && column === 'due_unread') return 'true'
  return `g."${column}"`
}
