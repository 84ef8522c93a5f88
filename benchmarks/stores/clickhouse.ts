// ClickHouse inside this process (chdb): a table sorted by monitor and slot, with the codecs its documentation recommends
// for times and slowly changing numbers.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, type Reads, type ResultLine } from './store.ts'

type Session = {
  query(text: string, format: string): string
  queryAsync(text: string, options: { format: string }): Promise<{ text(): string }>
  close(): void
}

const TABLE = `
  create table results (
    monitor_no UInt64 codec(Delta, ZSTD(3)), slot DateTime64(3) codec(DoubleDelta, ZSTD(3)),
    verdict UInt8 codec(ZSTD(3)), response_ms Nullable(UInt32) codec(Delta, ZSTD(3)), status_code UInt16 codec(ZSTD(3)),
    region UInt16 codec(ZSTD(3)), detail Int32 codec(ZSTD(3)))
  engine = MergeTree partition by toYYYYMMDD(slot) order by (monitor_no, slot)`

export class ClickHouse implements Reads {
  readonly #session: Session
  readonly #directory: string
  readonly #fromMs: number

  /** `folder` holds node_modules/chdb. Reads are about the day that begins at `fromMs`. */
  constructor(folder: string, fromMs: number) {
    const { Session } = createRequire(join(folder, 'package.json'))('chdb') as {
      Session: new (path: string) => Session
    }
    this.#directory = mkdtempSync(join(tmpdir(), 'upvane-chdb-'))
    this.#session = new Session(this.#directory)
    this.#session.query(`set session_timezone = 'UTC'`, 'Null')
    this.#session.query(TABLE, 'Null')
    this.#fromMs = fromMs
  }

  version(): string {
    return JSON.parse(this.#session.query('select version()', 'JSONCompactColumns'))[0][0]
  }

  async insert(lines: readonly ResultLine[]): Promise<void> {
    await this.#session.queryAsync(`insert into results format TSV\n${lines.join('\n')}\n`, {
      format: 'Null',
    })
  }

  /** Merges all parts, which the server otherwise does in the background. */
  async merge(): Promise<void> {
    await this.#session.queryAsync('optimize table results final', { format: 'Null' })
  }

  /** On disk, with the index. */
  size(): { bytes: number; results: number } {
    const text = this.#session.query(
      `select sum(bytes_on_disk) as bytes, sum(rows) as results from system.parts where table = 'results' and active`,
      'JSONEachRow',
    )
    const { bytes, results } = JSON.parse(text) as { bytes: string; results: string }
    return { bytes: Number(bytes), results: Number(results) }
  }

  newest(monitorNo: number): Promise<number> {
    return this.#rows(
      `select slot, verdict, response_ms, status_code, region, detail from results
        where monitor_no = ${monitorNo} and slot < ${this.#time(DAY_MS)} order by slot desc limit 50`,
    )
  }

  chart(monitorNo: number): Promise<number> {
    return this.#rows(
      `select slot, verdict, response_ms from results where monitor_no = ${monitorNo}
          and slot >= ${this.#time(0)} and slot < ${this.#time(DAY_MS)} order by slot`,
    )
  }

  summary(): Promise<number> {
    return this.#rows(
      `select monitor_no, count(), countIf(verdict = 2), sum(response_ms) from results
        where slot >= ${this.#time(0)} and slot < ${this.#time(DAY_MS)} group by monitor_no`,
    )
  }

  close(): void {
    this.#session.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async #rows(text: string): Promise<number> {
    const reply = await this.#session.queryAsync(text, { format: 'JSONCompactEachRow' })
    return reply
      .text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown).length
  }

  #time(afterMs: number): string {
    return `fromUnixTimestamp64Milli(toInt64(${this.#fromMs + afterMs}))`
  }
}
