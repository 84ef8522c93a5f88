// Results move as rows, however they are stored: which days are packed differs between installations, and packs contain
// numbers of regions.
import type { MovedRow } from '../../domain/operating/organization-move.ts'
import { sql, type Tx } from '../core/db.ts'
import { lockPacking, mergeLate, mergeOf } from '../history/late-results.ts'
import { MoveInError } from './move-in-error.ts'

const DAY_MS = 86_400_000

/** All results of the monitors `m`, as rows of `results`. */
export const ALL_RESULTS = `lateral (
  select r.* from results r where r.monitor_no = m.no
  union all
  select p.* from packed_results(m.no, '-infinity', 'infinity') p)`

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
// In the order of the statements.
const COLUMNS = [
  'monitor',
  'slot',
  'kind',
  'verdict',
  'response_ms',
  'status_code',
  'region',
  'detail',
] as const

type Result = Record<(typeof COLUMNS)[number], unknown>
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

  /** Returns how many were written: as rows, or into the packs of their days. */
  async write(rows: readonly MovedRow[], { monitors, regions }: ResultNumbers): Promise<number> {
    const results = rows.map(({ json }, at): Result => {
      return { ...parse(json), monitor: monitors[at] ?? null, region: regions[at] ?? null }
    })
    const byDay = Map.groupBy(results, ({ slot }) => toDay(slot) * DAY_MS)
    const unpacked = [...byDay]
      .filter(([ms]) => !this.#packedMs.has(ms))
      .flatMap(([, some]) => some)
    let written = unpacked.length === 0 ? 0 : await this.#insert(unpacked)
    for (const [ms, some] of byDay)
      if (this.#packedMs.has(ms))
        written += await mergeLate(this.#tx, MERGE, [new Date(ms)], toValues(some))
    return written
  }

  async #insert(results: readonly Result[]): Promise<number> {
    const [added] = await this.#tx.query<{ count: number }>(INSERT, toValues(results))
    return added?.count ?? 0
  }
}

/** NaN for what is no time: PostgreSQL refuses it then. */
const toDay = (slot: unknown): number => Math.floor(Date.parse(String(slot)) / DAY_MS)

const toValues = (results: readonly Result[]): unknown[][] =>
  COLUMNS.map((column) => results.map((result) => result[column] ?? null))

function parse(json: string): Result {
  try {
    return JSON.parse(json) as Result
  } catch {
    throw new MoveInError('A result of the file is not valid.')
  }
}
