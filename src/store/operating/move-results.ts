// Results move in columns, one line for each day and region of a monitor, however they are stored: which days are packed
// differs between installations, and packs contain numbers of regions.
import type { MovedRow } from '../../domain/operating/organization-move.ts'
import { sql, type Tx } from '../core/db.ts'
import { lockPacking, mergeLate, mergeOf } from '../history/late-results.ts'
import { MoveInError } from './move-in-error.ts'

const DAY_MICROS = 86_400_000_000
const DAY = /^\d{4}-\d\d-\d\d$/
// More than a monitor can have in a day.
const MAX_RESULTS = 1_000_000

// In the order of the statements, after the monitor and the slot.
const VALUES = ['kind', 'verdict', 'response_ms', 'status_code', 'detail'] as const

/** The results of the monitors `m` with the name of their region, `region`: lines that MovedResults reads. */
export const selectResults = (isOwn: string): string => `
  select json_build_object('day', t.day, 'us', t.us, ${VALUES.map((name) => `'${name}', t.${name}`).join(', ')})::text as json,
         m.id::text as monitor, g.name as region
    from monitors m
   cross join lateral (
     select s.day, s.region, array_agg(s.us) as us, ${VALUES.map((name) => `array_agg(s.${name}) as ${name}`).join(', ')}
       from (
         select to_char(r.slot at time zone 'UTC', 'YYYY-MM-DD') as day, r.region,
                (date_part('epoch', r.slot - date_trunc('day', r.slot, 'UTC')) * 1000000)::bigint as us,
                ${VALUES.map((name) => `r.${name}`).join(', ')}
           from (
             select * from results where monitor_no = m.no
             union all
             select * from packed_results(m.no, '-infinity', 'infinity')) r
          order by r.slot) s
      group by s.day, s.region) t
    left join regions g on g.no = t.region
   where ${isOwn}`

const PACKED_DAYS = sql`
  select day::timestamp at time zone 'UTC' as midnight from packed_days order by day desc limit 4000`
// The day that is being packed may lack the monitors that are new here, so it starts over.
const START_OVER = sql`update packing_progress set day = null, after_monitor_no = 0`
const INSERT = sql`
  with added as (
    insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
    select u.* from unnest($1::bigint[], $2::timestamptz[], $3::smallint[], $4::smallint[], $5::integer[],
                           $6::smallint[], $7::smallint[], $8::integer[])
        as u (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
     where not exists (select from packed_days d where d.day = (u.slot at time zone 'UTC')::date)
    returning 1)
  select count(*)::integer as count from added`
const MERGE = mergeOf({ text: 'true' })

type Line = Record<'day' | 'us' | (typeof VALUES)[number], unknown>
/** Columns in the order of the statements: monitor, slot, kind, verdict, response time, status code, region, detail. */
type Columns = unknown[][]
type ResultNumbers = {
  monitors: readonly (number | null)[]
  regions: readonly (number | null)[]
}

/** No day is packed or published until the transaction ends. */
export class MovedResults {
  readonly #tx: Tx
  readonly #packedMs: ReadonlySet<number>

  private constructor(tx: Tx, packedMs: ReadonlySet<number>) {
    this.#tx = tx
    this.#packedMs = packedMs
  }

  static async open(tx: Tx): Promise<MovedResults> {
    await lockPacking(tx)
    await tx.query(START_OVER)
    const days = await tx.query<{ midnight: Date }>(PACKED_DAYS)
    return new MovedResults(tx, new Set(days.map(({ midnight }) => midnight.getTime())))
  }

  /** Returns how many lines were written: as rows, or into the packs of their days. None if a result was not. */
  async write(lines: readonly MovedRow[], { monitors, regions }: ResultNumbers): Promise<number> {
    const byDay = Map.groupBy(
      lines.map(({ json }, at) => {
        return toDay(json, { monitor: monitors[at] ?? null, region: regions[at] ?? null })
      }),
      ({ midnightMs }) => midnightMs,
    )
    let [expected, written] = [0, 0]
    for (const [midnightMs, days] of byDay) {
      const columns = join(days.map((day) => day.columns))
      expected += columns[0]?.length ?? 0
      written += this.#packedMs.has(midnightMs)
        ? await mergeLate(this.#tx, MERGE, [new Date(midnightMs)], columns)
        : await this.#insert(columns)
    }
    return written === expected ? lines.length : 0
  }

  async #insert(columns: Columns): Promise<number> {
    const [added] = await this.#tx.query<{ count: number }>(INSERT, columns)
    return added?.count ?? 0
  }
}

type Owner = { monitor: number | null; region: number | null }

/** One line. PostgreSQL refuses values that do not fit into their columns. */
function toDay(json: string, { monitor, region }: Owner): { midnightMs: number; columns: Columns } {
  const line = parse(json)
  const midnightMs = DAY.test(String(line.day)) ? Date.parse(String(line.day)) : Number.NaN
  const { us } = line
  if (Number.isNaN(midnightMs) || !isMicros(us)) throw invalid()
  const [kind, verdict, responseMs, statusCode, detail] = VALUES.map((name) => {
    const values = line[name]
    if (!Array.isArray(values) || values.length !== us.length) throw invalid()
    return values
  })
  const repeated = (value: unknown) => us.map(() => value)
  const slots = us.map((micros) => toSlot(midnightMs, micros))
  const before = [repeated(monitor), slots, kind, verdict, responseMs, statusCode]
  return {
    midnightMs,
    columns: [...before, repeated(region), detail].map((column) => column ?? []),
  }
}

function isMicros(given: unknown): given is number[] {
  if (!Array.isArray(given) || given.length > MAX_RESULTS) return false
  return given.every((us) => Number.isInteger(us) && us >= 0 && us < DAY_MICROS)
}

function toSlot(midnightMs: number, us: number): string {
  const text = new Date(midnightMs + Math.floor(us / 1000)).toISOString()
  return `${text.slice(0, -1)}${String(us % 1000).padStart(3, '0')}Z`
}

/** The same columns of several days, one after the other. */
function join(days: readonly Columns[]): Columns {
  const [first = []] = days
  return first.map((_, at) => days.flatMap((columns) => columns[at] ?? []))
}

function parse(json: string): Line {
  try {
    return JSON.parse(json) as Line
  } catch {
    throw invalid()
  }
}

const invalid = () => new MoveInError('A result of the file is not valid.')
