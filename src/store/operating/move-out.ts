// Reads everything of an organization from one snapshot, for its move to another installation.
import type pg from 'pg'
import type { MovedRow } from '../../domain/operating/organization-move.ts'
import { openClient } from '../core/connect.ts'
import { selectResults } from './move-results.ts'
import { listMovedTables, type MovedTable, REGION_COLUMNS } from './move-tables.ts'

const BATCH = 500
const UUID = /^[0-9a-f-]{36}$/

type MoveSource = { schema: string; firstDay: string; tables: AsyncGenerator<MovedOutTable> }
type MovedOutTable = { name: string; rows: AsyncGenerator<MovedRow[]> }

const SCHEMA = 'select max(name) as schema from schema_migrations'
// A day earlier: partitions of the outbox go by ids, which are a little older than what they name.
const FIRST_DAY = `
  with own as (select no from monitors where org_id = $1)
  select to_char(least(
           (select min(slot) from results where monitor_no in (select no from own)),
           (select min(p.day)::timestamp at time zone 'UTC' from result_packs p join packed_days d on d.day = p.day
             where p.monitor_no in (select no from own)),
           (select min(at) from heartbeat_calls where monitor_no in (select no from own)),
           (select min(occurred_at) from events where org_id = $1),
           (select min(created_at) from deliveries where org_id = $1),
           now()) at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD') as day`

/** Calls `work` with what was read. Read each table to its end before the next. */
export async function readForMove(
  url: string,
  orgId: string,
  work: (source: MoveSource) => Promise<void>,
): Promise<void> {
  if (!UUID.test(orgId)) throw new TypeError('Not an organization id')
  const options = '-c role=upvane_engine -c timezone=UTC -c datestyle=ISO'
  const client = await openClient({ connectionString: url, options })
  try {
    await client.query('begin isolation level repeatable read read only')
    // Before the snapshot is taken: a day that is packed meanwhile would be in neither place.
    await client.query('lock table results in access share mode')
    const { rows } = await client.query<{ schema: string }>(SCHEMA)
    const days = await client.query<{ day: string }>(FIRST_DAY, [orgId])
    await work({
      schema: rows[0]?.schema ?? '',
      firstDay: days.rows[0]?.day ?? '',
      tables: readTables(client, orgId),
    })
  } finally {
    await client.end()
  }
}

async function* readTables(client: pg.Client, orgId: string): AsyncGenerator<MovedOutTable> {
  const query = async <Row>(text: string, values: readonly unknown[]) =>
    (await client.query(text, [...values])).rows as Row[]
  for (const table of await listMovedTables(query))
    yield { name: table.name, rows: readRows(client, table, orgId) }
}

async function* readRows(
  client: pg.Client,
  table: MovedTable,
  orgId: string,
): AsyncGenerator<MovedRow[]> {
  await client.query(`declare moved no scroll cursor for ${selectOf(table, orgId)}`)
  for (;;) {
    const { rows } = await client.query<MovedRow>(`fetch ${BATCH} from moved`)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) break
  }
  await client.query('close moved')
}

function selectOf(table: MovedTable, orgId: string): string {
  const { name, owner, hasMonitorNo } = table
  const region = REGION_COLUMNS[name]
  const isOwn = owner === 'monitor_no' ? `m.org_id = '${orgId}'` : `t."${owner}" = '${orgId}'`
  if (name === 'results') return selectResults(isOwn)
  return `
    select to_jsonb(t)::text as json,
           ${hasMonitorNo ? 'm.id::text' : 'null'} as monitor,
           ${region === undefined ? 'null' : 'r.name'} as region
      from ${sourceOf(table)}
      ${region === undefined ? '' : `left join regions r on r.no = t."${region}"`}
     where ${isOwn}`
}

/** The rows, `t`, and their monitors, `m`. */
function sourceOf({ name, owner, isPlain, hasMonitorNo }: MovedTable): string {
  const rows = `${isPlain ? 'only ' : ''}"${name}" t`
  if (!hasMonitorNo) return rows
  return `${rows} ${owner === 'monitor_no' ? '' : 'left '}join monitors m on m.no = t.monitor_no`
}
