// The whole product in one process, used through its API. The database gives access to what no response shows, and
// simulates the passing of time.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Environment, type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { attachProduct } from '../../../tools/tests/shared-product.ts'
import { Client } from '../../kit/client.ts'
import { type Database, type Event, openDatabase } from '../../kit/database.ts'
import { toUuid } from '../../kit/ids.ts'
import { nextLookMs } from '../../kit/pace.ts'
import type { IncidentDetail, Monitor } from '../../kit/shapes.ts'

const PLENTY = 1_000_000
const WAIT_MS = 15_000
// Once a day: the tests request every check but the first.
const FIELDS = { name: 'Watched', intervalSeconds: 86_400, timeoutSeconds: 5 }

const KINDS = ['SCHEDULED', 'REQUESTED', 'PING', 'DEADLINE'] as const
export const VERDICTS = ['PASSED', 'SLOW', 'FAILED', 'INCONCLUSIVE', 'SUPERSEDED'] as const
type Result = { kind: string; verdict: string; responseMs: number | null; status: number }

type EngineOptions = { nats?: boolean; env?: Environment }

export async function startEngine({ nats = true, env = {} }: EngineOptions = {}): Promise<Engine> {
  const shared = await attachProduct({ command: 'start', added: env })
  if (shared !== undefined) return new Engine(shared.stack, shared.service)
  const stack = await startStack({ nats, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn', ...env } })
  const service = await stack.start('start')
  return new Engine(stack, service)
}

export class Engine {
  readonly stack: Stack
  readonly service: Service
  readonly api: Client
  readonly db: Database
  readonly orgId: string

  constructor(stack: Stack, service: Service) {
    this.stack = stack
    this.service = service
    this.orgId = stack.organizationId
    this.db = openDatabase(stack.databaseUrl)
    this.api = this.as(stack.keys.full)
  }

  as(key: string): Client {
    return new Client({ baseUrl: this.service.baseUrl, key, rateLimit: PLENTY })
  }

  create(fields: Record<string, unknown>): Promise<Monitor> {
    return this.api.createMonitor({ ...FIELDS, ...fields })
  }

  /** Creates a monitor and waits for its first result. */
  async createChecked(fields: Record<string, unknown>): Promise<Monitor> {
    const { id } = await this.create(fields)
    return this.until(id, ({ lastCheckedAt }) => lastCheckedAt !== null)
  }

  async check(id: string): Promise<Monitor> {
    const answer = await this.api.post(`/monitors/${id}/check`, {})
    assert.equal(answer.status, 200, answer.text)
    return answer.monitor
  }

  /** Checks until a response time counts: one measured while this machine stalled does not. */
  async checkSampled(id: string): Promise<Monitor> {
    for (let tries = 0; tries < 5; tries++) {
      const monitor = await this.check(id)
      if (monitor.lastResponseMs !== null) return monitor
    }
    return assert.fail('no response time in five checks')
  }

  /** The raw response, even if it is a 500. */
  async checkRaw(id: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
    const response = await fetch(`${this.service.baseUrl}/api/v1/monitors/${id}/check`, {
      method: 'POST',
      body: '{}',
      headers: {
        'X-API-Key': this.stack.keys.full,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(signal && { signal }),
    })
    const body = (await response.json()) as Monitor & { error?: { code: string } }
    return { status: response.status, body, headers: response.headers, code: body.error?.code }
  }

  async patch(id: string, fields: Record<string, unknown>): Promise<Monitor> {
    return (await this.api.patch(`/monitors/${id}`, fields)).monitor
  }

  async pause(id: string): Promise<Monitor> {
    return (await this.api.post(`/monitors/${id}/pause`, {})).monitor
  }

  async resume(id: string): Promise<Monitor> {
    return (await this.api.post(`/monitors/${id}/resume`, {})).monitor
  }

  async until(id: string, holds: (monitor: Monitor) => boolean): Promise<Monitor> {
    let waitedMs = 0
    for (;;) {
      const monitor = await this.api.getMonitor(id)
      if (holds(monitor)) return monitor
      assert.ok(waitedMs < WAIT_MS, `waited in vain: ${JSON.stringify(monitor)}`)
      const nextMs = nextLookMs(waitedMs)
      await delay(nextMs)
      waitedMs += nextMs
    }
  }

  /** Every stored result of this monitor, oldest first. */
  async resultsOf(id: string): Promise<Result[]> {
    type Row = { kind: number; verdict: number; responseMs: number | null; status: number }
    const rows = await this.db.run<Row>(
      `select kind, verdict, response_ms as "responseMs", status_code as status from results
        where monitor_no = (select no from monitors where id = $1) order by slot`,
      [toUuid(id)],
    )
    return rows.map((row) => ({
      ...row,
      kind: KINDS[row.kind] ?? '',
      verdict: VERDICTS[row.verdict] ?? '',
    }))
  }

  async verdictsOf(id: string): Promise<string[]> {
    return (await this.resultsOf(id)).map(({ verdict }) => verdict)
  }

  /** The events since the monitor was created, in the order of ids. */
  async eventsOf(id: string): Promise<Event[]> {
    const [created, ...rest] = await this.db.eventsOf(id)
    assert.equal(created?.type, 'monitor.created')
    return rest
  }

  async eventTypesOf(id: string): Promise<string[]> {
    return (await this.eventsOf(id)).map(({ type }) => type)
  }

  /** All incidents of the monitor in full, newest first. */
  async incidentsOf(id: string): Promise<IncidentDetail[]> {
    const { data } = (await this.api.get(`/incidents?monitorId=${id}`)).incidents
    return Promise.all(
      data.map(async (item) => (await this.api.get(`/incidents/${item.id}`)).incident),
    )
  }

  /** The monitor's only incident. */
  async incidentOf(id: string): Promise<IncidentDetail> {
    const [incident, ...more] = await this.incidentsOf(id)
    assert.ok(incident !== undefined && more.length === 0, 'exactly one incident')
    return incident
  }

  async stop(): Promise<void> {
    this.api.close()
    await this.db.close()
    await this.stack.stop()
  }
}
