// Finished days of results that appear while the service runs, as if it had run for weeks: the janitor packs those within
// retention, and drops the others.
import assert from 'node:assert/strict'
import pg from 'pg'

/** `sum` is a checksum over every column of every result, in any order. */
type Written = { day: string; results: number; sum: string; writtenMs: number }

const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
const CONNECT_TIMEOUT_MS = 10_000

const FILL = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select m.no, $1::date::timestamp at time zone 'UTC' + n * $2 * interval '1 minute' + m.no % 600 * interval '1 second',
         0, case when random() < 0.002 then 2 else 0 end, 40 + (random() * 60 + m.no % 200)::integer, 200, 1,
         (random() * 1000000)::integer
    from generate_series(0, ${DAY_MINUTES} / $2::integer - 1) n, monitors m where m.type <> 'CRON'`
const SUM = 'count(*)::integer as results, sum(hashtextextended(r::text, 0)::numeric)::text as sum'
const ROWS = `
  select ${SUM} from results r where r.slot >= $1::date::timestamp at time zone 'UTC'
     and r.slot < ($1::date + 1)::timestamp at time zone 'UTC'`
const PACKED = `
  select ${SUM} from monitors m
   cross join lateral packed_results(m.no, $1::date::timestamp at time zone 'UTC',
                                     ($1::date + 1)::timestamp at time zone 'UTC') r`

export class PastDays {
  readonly #url: string
  readonly #stepMinutes: number
  readonly #todayMs = Date.now()
  readonly #written: Written[] = []

  /** As a superuser, who may write history without marking it as late. Every monitor has a result every `stepMinutes`. */
  constructor(url: string, stepMinutes: number) {
    this.#url = url
    this.#stepMinutes = stepMinutes
  }

  /** All results of the day that was so many days ago, in one transaction. */
  async write(daysAgo: number): Promise<void> {
    const day = new Date(this.#todayMs - daysAgo * DAY_MS).toISOString().slice(0, 10)
    const row = await this.#connected(async (client) => {
      await client.query('begin')
      await client.query('select ensure_partitions($1::date, 1)', [day])
      await client.query('set local session_replication_role = replica')
      await client.query(FILL, [day, this.#stepMinutes])
      const { rows } = await client.query<Pick<Written, 'results' | 'sum'>>(ROWS, [day])
      await client.query('commit')
      return rows[0]
    })
    assert.ok(row !== undefined && row.results > 0, 'no day was written')
    this.#written.push({ day, ...row, writtenMs: Date.now() })
  }

  /** Days of which rows are still attached: neither packed nor dropped. */
  async pending(): Promise<string[]> {
    return this.#connected(async (client) => {
      const { rows } = await client.query<{ day: string }>(
        `select d as day from unnest($1::text[]) d
          where exists (select from pg_inherits where inhrelid = to_regclass('results_' || replace(d, '-', '')))`,
        [this.#written.map(({ day }) => day)],
      )
      return rows.map(({ day }) => day)
    })
  }

  /** How many results were packed and are the same, and how many days are gone, because they were `expired`. */
  async judge(keepDays: number, rowsGoneMs: number): Promise<{ packed: number; expired: number }> {
    return this.#connected(async (client) => {
      let [packed, expired] = [0, 0]
      for (const { day, results, sum, writtenMs } of this.#written) {
        const { rows } = await client.query<Pick<Written, 'results' | 'sum'>>(PACKED, [day])
        const isExpired = Date.parse(day) < this.#todayMs - (keepDays + 1) * DAY_MS
        const expected = isExpired ? { results: 0, sum: null } : { results, sum }
        assert.deepEqual({ ...rows[0] }, expected, `results of ${day}`)
        const isOld = Date.now() - writtenMs > rowsGoneMs
        if (isExpired || isOld)
          assert.ok(await isGone(client, day), `the rows of ${day} are still there`)
        if (isExpired) expired += 1
        else packed += results
      }
      return { packed, expired }
    })
  }

  async #connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

async function isGone(client: pg.Client, day: string): Promise<boolean> {
  const { rows } = await client.query<{ gone: boolean }>(
    `select to_regclass('results_' || $1) is null as gone`,
    [day.replaceAll('-', '')],
  )
  return rows[0]?.gone === true
}
