// PostgreSQL as Upvane uses it: rows for the last days, one row of arrays for each monitor and finished day.
import type pg from 'pg'
import { DAY_MS, type Reads, type ResultLine } from './store.ts'

const LINES = `
  select concat_ws(E'\\t', monitor_no, (extract(epoch from slot) * 1000)::bigint, verdict,
                   coalesce(response_ms::text, '\\N'), status_code, region, detail) as line
    from results where monitor_no = $1 and slot >= $2 and slot < $3 order by slot`

/** All results of a day, of monitor after monitor. */
export async function* readLines(client: pg.Client, fromMs: number): AsyncGenerator<ResultLine[]> {
  const monitors = await client.query<{ no: string }>('select no from monitors order by no')
  for (const { no } of monitors.rows) {
    const { rows } = await client.query<{ line: string }>(LINES, [
      no,
      new Date(fromMs),
      new Date(fromMs + DAY_MS),
    ])
    yield rows.map(({ line }) => line)
  }
}

const COLUMNS = 'slot, verdict, response_ms, status_code, region, detail'

/** Reads rows from the table, or from packs. */
export class Postgres implements Reads {
  readonly #client: pg.Client
  readonly #isPacked: boolean
  readonly #day: [Date, Date]

  constructor(client: pg.Client, isPacked: boolean, fromMs: number) {
    this.#client = client
    this.#isPacked = isPacked
    this.#day = [new Date(fromMs), new Date(fromMs + DAY_MS)]
  }

  newest(monitorNo: number): Promise<number> {
    return this.#rows(
      `select ${COLUMNS} from ${this.#source('$3::bigint')} order by slot desc limit 50`,
      [monitorNo],
    )
  }

  chart(monitorNo: number): Promise<number> {
    return this.#rows(
      `select slot, verdict, response_ms from ${this.#source('$3::bigint')} order by slot`,
      [monitorNo],
    )
  }

  summary(): Promise<number> {
    return this.#rows(
      `select m.no, s.* from monitors m cross join lateral (
         select count(*), count(*) filter (where verdict = 2) as failed, sum(response_ms) as ms
           from ${this.#source('m.no')}) s`,
      [],
    )
  }

  #source(monitorNo: string): string {
    return this.#isPacked
      ? `packed_results(${monitorNo}, $1, $2) r`
      : `results r where monitor_no = ${monitorNo} and slot >= $1 and slot < $2`
  }

  async #rows(text: string, values: number[]): Promise<number> {
    const name = `${this.#isPacked}${text.length}${text.slice(0, 20)}`
    const { rows } = await this.#client.query({ name, text, values: [...this.#day, ...values] })
    return rows.length
  }
}
