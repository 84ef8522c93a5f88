// What does a heartbeat that is committed before the response cost, against a Fastify that says hello?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { startStack } from '../tools/stack.ts'
import { pidOf } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { type Contender, percentile, takeTurns, toFigures } from './harness.ts'
import { Load, requestText } from './load.ts'
import { cpuMicros, familyCpuMicros, pin, watchBusyness } from './machine.ts'

const MONITORS = 20_000
const CONCURRENCY = 500
const OPERATIONS = 8000
const PLAN = { operations: OPERATIONS, rounds: 12, warmUp: 8000 }

const stack = await startStack({ nats: true, env: { LOG_LEVEL: 'warn' } })
pin(stack.postgres.pid, '1')
const nodeOptions = process.env['BENCH_NODE_OPTIONS']
const api = await stack.start('api', {
  env: nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions },
})
const hello = fork(join(import.meta.dirname, 'engine-hello.ts'))
const [{ port: helloPort }] = (await once(hello, 'message')) as [{ port: number }]
for (const child of [api.process, hello]) pin(pidOf(child), '0')
const load = new Load('1')
try {
  await insertHeartbeats(stack.databaseUrl)
  const texts = Array.from({ length: MONITORS }, (_, i) =>
    requestText('GET', `/hb/${tokenOf(i + 1)}`),
  )
  const latenciesMs: number[] = []
  const contender = (port: number, pid: number, requests: string[], kept: number[]): Contender => ({
    async run(count) {
      const job = { port, requests, count, concurrency: CONCURRENCY, expectedStatus: 200 }
      for (const ms of await load.run(job)) kept.push(ms)
    },
    cpuMicros: { node: () => cpuMicros(pid), postgres: () => familyCpuMicros(stack.postgres.pid) },
  })
  const busy = watchBusyness()
  const slots = await takeTurns(
    {
      ours: contender(
        Number(new URL(api.baseUrl).port),
        pidOf(api.process),
        shuffled(texts),
        latenciesMs,
      ),
      bare: contender(helloPort, pidOf(hello), [requestText('GET', '/')], []),
    },
    PLAN,
  )
  const figures = new Map(toFigures('', slots, {}).map((figure) => [figure.measure, figure]))
  const us = (measure: string) => {
    const { oursUs = Number.NaN, bareUs = Number.NaN } = figures.get(measure) ?? {}
    return { ours: oursUs, bare: bareUs }
  }
  const wall = us('wall')
  const setting = {
    load: `${CONCURRENCY} connections kept alive, ${MONITORS} CRON monitors, ${PLAN.rounds} rounds of A B B A`,
    pinning: 'API or Fastify on core 0; PostgreSQL and load on core 1',
  }
  reportGoals('A heartbeat against Fastify hello', { setting, busy }, [
    {
      goal: 'P11',
      measure: 'rate, closed loop',
      unit: '/s',
      ours: 1e6 / wall.ours,
      bare: 1e6 / wall.bare,
      atLeast: 4000,
    },
    { goal: 'P11', measure: 'CPU, Node', unit: 'us', ...us('cpu node'), atMost: 2.5, by: 'ratio' },
    { goal: '', measure: 'CPU, PostgreSQL', unit: 'us', ours: us('cpu postgres').ours },
    { goal: '', measure: 'answer p50', unit: 'ms', ours: percentile(latenciesMs, 0.5) },
    { goal: '', measure: 'answer p99', unit: 'ms', ours: percentile(latenciesMs, 0.99) },
  ])
} finally {
  load.stop()
  hello.disconnect()
  await stack.stop()
}

function tokenOf(n: number): string {
  return `heartbeat-bench-${n}`
}

/** The load uses them in order, so neighbors in the list must not be neighbors in the table. */
function shuffled<T>(values: readonly T[]): T[] {
  const step = 7919
  return values.map((_, i) => values[(i * step) % values.length] as T)
}

async function insertHeartbeats(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`
    insert into monitors (
      id, org_id, name, type, method, expected_status, follow_redirects, verify_ssl, keyword_match,
      dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds, timeout_seconds,
      expected_period_seconds, grace_seconds, degraded_threshold_mode, degraded_samples, heartbeat_hash,
      heartbeat_token)
    select gen_random_uuid(), (select id from organizations where name = 'Demo'), 'Job ' || n, 'CRON', 'GET',
           '{200}', true, true, 'EXISTS', 'A', true, 2, 300, 30, 86400, 3600, 'LAST', 3,
           sha256(('heartbeat-bench-' || n)::bytea), 'x'
      from generate_series(1, ${MONITORS}) n`)
  await client.query(`
    insert into monitor_states (monitor_no, org_id, shard, state, next_due_at, heartbeat)
    select no, org_id, no % 256, 'UP', now() + interval '1 day',
           jsonb_build_object('startedAt', now(), 'lastPing', null, 'runs', '[]'::jsonb, 'missedAt', null)
      from monitors where type = 'CRON'`)
  await client.query('vacuum analyze')
  await client.end()
}
