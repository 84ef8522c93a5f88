// A stack, its targets, and a user of the API who remembers what was acknowledged.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Stack, type StackOptions, startStack } from '../../../tools/stack.ts'
import { toUuid } from '../../kit/ids.ts'
import type { Judgement } from '../../oracle/judge.ts'
import { readRows } from '../../oracle/read-rows.ts'
import type { Call, Outage, Run } from '../../oracle/run.ts'
import { Crew } from './crew.ts'
import { openTargets, type Targets } from './targets.ts'

const PLENTY = 1_000_000
const CREATES_AT_ONCE = 8
const CALL_TIMEOUT_MS = 25_000
// A server that was frozen has many connections to accept.
const CONNECT_TIMEOUT_MS = 10_000
const POLL_MS = 250
const MAX_SHOWN = 20

type Reply = { status: number; body: Record<string, unknown> }
type WorldOptions = StackOptions & { servers?: number; host?: string }

/** What a world needs of its servers, whether they are single or a cluster. */
type Servers = Pick<Stack, 'databaseUrl' | 'directory' | 'env' | 'keys' | 'stop'>

export class World<S extends Servers = Stack> {
  readonly stack: S
  readonly crew: Crew
  readonly targets: Targets
  readonly calls: Call[] = []
  readonly outages: Outage[] = []
  /** Monitors by the key of their target. */
  readonly uuidOf = new Map<string, string>()
  baseUrl = ''

  constructor(stack: S, targets: Targets) {
    this.stack = stack
    this.crew = new Crew(stack)
    this.targets = targets
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.stack.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'observer',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text, values)).rows as Row[]
    } finally {
      await client.end()
    }
  }

  async count(text: string, values: unknown[] = []): Promise<number> {
    const [row] = await this.query<{ n: number }>(`select count(*)::int as n from ${text}`, values)
    return row?.n ?? 0
  }

  /** Undefined if there was no response: it is unknown whether it was executed. */
  async call(method: string, path: string, body?: unknown): Promise<Reply | undefined> {
    try {
      const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
        method,
        headers: { 'X-API-Key': this.stack.keys.full, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        body: JSON.stringify(body ?? {}),
      })
      const answer = (await response.json()) as Record<string, unknown>
      return { status: response.status, body: answer }
    } catch {
      return undefined
    }
  }

  /** One monitor for each key; all of them acknowledged. */
  async createMonitors(keys: readonly string[], fields: Record<string, unknown> = {}) {
    const left = [...keys]
    const worker = async () => {
      for (let key = left.shift(); key !== undefined; key = left.shift()) {
        const settings = { name: key, type: 'HTTP', url: this.targets.urlOf(key) }
        const more = { intervalSeconds: 30, timeoutSeconds: 5, ...fields }
        const reply = await this.call('POST', '/monitors', { ...settings, ...more })
        assert.equal(reply?.status, 201, JSON.stringify(reply?.body))
        const monitorUuid = toUuid(String(reply?.body['id']))
        this.uuidOf.set(key, monitorUuid)
        this.calls.push({ operation: 'createMonitor', monitorUuid })
      }
    }
    await Promise.all(Array.from({ length: CREATES_AT_ONCE }, worker))
  }

  /** Waits until nothing due before `dueMs` is left, and returns how long that took. */
  async settle(dueMs: number, withinMs: number): Promise<number> {
    const startedMs = performance.now()
    for (;;) {
      const left = await this.count(
        'monitor_states where next_due_at < to_timestamp($1 / 1000.0)',
        [dueMs],
      )
      const tookMs = performance.now() - startedMs
      if (left === 0) return tookMs
      if (tookMs > withinMs) return assert.fail(`${left} monitors are overdue after ${tookMs} ms`)
      await sleep(POLL_MS)
    }
  }

  async record(settledMs: number): Promise<Run> {
    const rows = await readRows({ connectionString: this.stack.databaseUrl })
    const hits = this.targets.visits.map(({ key, atMs, status, from }) => {
      return { monitorUuid: this.uuidOf.get(key) ?? key, atMs, status, from }
    })
    return { ...rows, settledMs, hits, outages: this.outages, calls: this.calls }
  }

  async stop(): Promise<void> {
    await this.crew.stopAll()
    await this.stack.stop()
    await this.targets.close()
  }
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { servers = 1, host = '127.0.0.1', ...stackOptions } = options
  const targets = await openTargets(servers, host)
  const stack = await startStack({
    rateLimit: PLENTY,
    ...stackOptions,
    env: { LOG_LEVEL: 'warn', ...stackOptions.env },
  })
  return new World(stack, targets)
}

export function keys(count: number, first = 0): string[] {
  return Array.from({ length: count }, (_, i) => (first + i).toString(36).padStart(4, '0'))
}

export function assertSound({ violations, counts }: Judgement): void {
  const shown = violations.slice(0, MAX_SHOWN).map(({ rule, text }) => `${rule} ${text}`)
  assert.equal(violations.length, 0, `${violations.length} violations\n${shown.join('\n')}`)
  assert.ok((counts['slotsDue'] ?? 0) > 0, 'nothing was due')
  assert.ok((counts['hits'] ?? 0) > 0, 'nothing was looked at')
}
