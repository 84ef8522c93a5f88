// Direct access to the product's database: for what only the check engine or the passing of time would create, and for
// what no response shows.
import assert from 'node:assert/strict'
import pg from 'pg'
import { toId, toUuid } from './ids.ts'
import { assertMonitor, type Monitor } from './shapes.ts'

const CONNECTIONS = 4

type Row = Record<string, unknown>
export type Event = {
  id: string
  type: string
  timestamp: string
  apiVersion: string
  organizationId: string
  data: {
    monitor: Monitor
    changedFields?: string[]
    incident?: Record<string, unknown>
  }
}
type StoredMonitorStatus = {
  state: string
  epoch: number
  next_due_at: Date | null
  samples: number[]
  dns_baseline: unknown
}

export class Database {
  readonly #pool: pg.Pool

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
    // Tests that stop the server lose idle connections; the next statement opens another.
    this.#pool.on('error', () => {})
  }

  async run<R = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#pool.query(text, [...values])).rows as R[]
  }

  async one<R = Row>(text: string, values: readonly unknown[] = []): Promise<R> {
    const [row, ...more] = await this.run<R>(text, values)
    assert.ok(row !== undefined && more.length === 0, `one row was expected from ${text}`)
    return row
  }

  async count(table: string, where: string, values: readonly unknown[]): Promise<number> {
    const text = `select count(*)::int as n from ${table} where ${where}`
    return (await this.one<{ n: number }>(text, values)).n
  }

  /** Runs `work` while a transaction of ours holds the locks taken by `statement`. */
  async holding<T>(statement: string, values: unknown[], work: () => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    try {
      await client.query('begin')
      await client.query(statement, values)
      return await work()
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  /** Every event about this monitor, in the order of ids, each validated in full. */
  async eventsOf(monitorId: string): Promise<Event[]> {
    const rows = await this.run<{ id: string; org_id: string; type: string; body: string }>(
      `select id, org_id, type, body from events
        where type <> 'webhook.test' and position($1 in body) > 0 order by id`,
      [`"monitor":{"id":"${monitorId}"`],
    )
    return rows.map((row) => {
      const event = JSON.parse(row.body) as Event
      assert.equal(event.id, toId('evt', row.id))
      assert.equal(event.type, row.type)
      assertEvent(event, toId('org', row.org_id))
      return event
    })
  }

  async monitorStatus(monitorId: string): Promise<StoredMonitorStatus> {
    return this.one<StoredMonitorStatus>(
      `select s.state, s.epoch, s.next_due_at, s.samples, s.dns_baseline
         from monitor_states s join monitors m on m.no = s.monitor_no where m.id = $1`,
      [toUuid(monitorId)],
    )
  }

  /** The states a monitor went through, oldest first, and the spans that are still open. */
  async spansOf(monitorId: string): Promise<{ states: string[]; open: string[] }> {
    const rows = await this.run<{ state: string; ended_at: Date | null }>(
      `select state, ended_at from state_spans
        where monitor_no = (select no from monitors where id = $1) order by started_at`,
      [toUuid(monitorId)],
    )
    const open = rows.filter((row) => row.ended_at === null)
    return { states: rows.map((row) => row.state), open: open.map((row) => row.state) }
  }

  /** Sets a monitor's state as checks would have. */
  async setMonitorStatus(monitorId: string, changes: Row): Promise<void> {
    const names = Object.keys(changes)
    const set = names.map((name, i) => `${name} = $${i + 2}`)
    // The mark shows a running scheduler that another process moved the slot.
    const sets = [...set, ...(changes['next_due_at'] ? ['due_unread = true'] : [])].join(', ')
    await this.run(
      `update monitor_states set ${sets} where monitor_no = (select no from monitors where id = $1)`,
      [toUuid(monitorId), ...Object.values(changes)],
    )
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}

export const openDatabase = (url: string): Database => new Database(url)

/** Events leave the organization: the monitor in them is complete, and its secrets are masked. */
function assertEvent(event: Event, orgId: string): void {
  const keys = ['id', 'type', 'timestamp', 'apiVersion', 'organizationId', 'data']
  assert.deepEqual(Object.keys(event), keys)
  assert.equal(event.apiVersion, 'v1')
  assert.equal(event.organizationId, orgId)
  assert.match(event.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const { monitor, incident, changedFields } = event.data
  assertMonitor({ ...monitor, heartbeatUrl: monitor.type === 'CRON' ? 'masked' : null })
  assert.equal(monitor.heartbeatUrl, null)
  assert.equal(monitor.requestBody, null)
  for (const value of Object.values(monitor.requestHeaders ?? {})) assert.equal(value, '***')
  assert.equal(changedFields !== undefined, event.type === 'monitor.updated')
  assert.equal(incident !== undefined, event.type.startsWith('incident.'))
}
