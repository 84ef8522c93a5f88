// Shared by the engine's benchmarks: the product and its servers, the target, the bare loop, and where each of them
// runs. The side under test has core 0; PostgreSQL and the target have core 1.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createAuthority } from '../test/kit/targets/certificates.ts'
import { type Environment, type Service, type Stack, startStack } from '../tools/stack.ts'
import type { BareJob, BareOutcome } from './engine-bare.ts'
import { settleSchedule } from './engine-rows.ts'
import type { TargetOrder, TargetReply } from './engine-target.ts'
import { percentile } from './harness.ts'
import { cpuMicros, familyCpuMicros, pin } from './machine.ts'

export const TESTED_CORE = '0'
const SHARED_CORE = '1'
// A process needs about 2 s to start, and waits 2.5 s for probes it does not know yet.
const AHEAD_SECONDS = 6

export type Kit = {
  stack: Stack
  client: pg.Client
  target: Target
  ports: { http: number; https: number }
  close(): Promise<void>
}

export async function openKit(options: { nats: boolean }): Promise<Kit> {
  const stack = await startStack({ ...options, env: { LOG_LEVEL: 'warn' } })
  pin(stack.postgres.pid, SHARED_CORE)
  const target = new Target()
  const authority = createAuthority()
  const { key, cert } = authority.issue('target', { by: 'itself' })
  authority.remove()
  const { ports } = await target.request({ do: 'listen', key, cert })
  if (ports === undefined) throw new Error('The target listens nowhere')
  const client = new pg.Client(stack.databaseUrl)
  await client.connect()
  const close = async () => {
    target.stop()
    await client.end()
    await stack.stop()
  }
  return { stack, client, target, ports, close }
}

/** Starts a process of the product on its core, with every monitor due at its next slot. */
export async function startSettled(
  kit: Kit,
  command: string,
  env: Environment = {},
): Promise<Service> {
  await settleSchedule(kit.client, AHEAD_SECONDS)
  const service = await startPinned(kit, command, env)
  await delay(AHEAD_SECONDS * 1000)
  return service
}

export async function startPinned(kit: Kit, command: string, env: Environment = {}) {
  const options = process.env['BENCH_NODE_OPTIONS']
  const more = options === undefined ? env : { NODE_OPTIONS: options, ...env }
  const service = await kit.stack.start(command, { env: more })
  pin(pidOf(service.process), TESTED_CORE)
  return service
}

export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The process has not started')
  return pid
}

/** A child process that handles one request at a time. */
class Child<Order extends object, Reply> {
  readonly process: ChildProcess

  constructor(file: string, core: string) {
    this.process = fork(join(import.meta.dirname, file))
    pin(pidOf(this.process), core)
  }

  async request(order: Order): Promise<Reply> {
    this.process.send(order)
    const [reply] = (await once(this.process, 'message')) as [Reply]
    return reply
  }

  stop(): void {
    if (this.process.connected) this.process.disconnect()
  }
}

export class Target extends Child<TargetOrder, TargetReply> {
  constructor() {
    super('engine-target.ts', SHARED_CORE)
  }
}

export class Bare extends Child<BareJob, BareOutcome> {
  constructor() {
    super('engine-bare.ts', TESTED_CORE)
  }
}

export type CpuSlot = { operations: number; nodeUs: number; postgresUs: number }

/** CPU per request that reached the target, by slot. */
export async function measureCpu(
  { stack, target }: Kit,
  pids: readonly number[],
  { slots, slotMs }: { slots: number; slotMs: number },
): Promise<CpuSlot[]> {
  const read = async () => ({
    count: (await target.request({ do: 'count' })).count,
    node: pids.reduce((sum, pid) => sum + cpuMicros(pid), 0),
    postgres: familyCpuMicros(stack.postgres.pid),
  })
  const measured: CpuSlot[] = []
  let before = await read()
  for (let i = 0; i < slots; i++) {
    await delay(slotMs)
    const after = await read()
    const operations = after.count - before.count
    measured.push({
      operations,
      nodeUs: (after.node - before.node) / operations,
      postgresUs: (after.postgres - before.postgres) / operations,
    })
    before = after
  }
  return measured
}

/** The same monitors for the bare loop. */
export async function bareTargets(client: pg.Client): Promise<BareJob['targets']> {
  const { rows } = await client.query<{ url: string }>(
    `select url from monitors where url like '%/at/%'`,
  )
  return rows.map(({ url }) => {
    const { hostname, pathname } = new URL(url)
    return { host: hostname, phaseMs: Number(pathname.split('/')[2]) }
  })
}

type Lateness = { p50: number; p99: number; p999: number; max: number; count: number }

export function summarize(latenessMs: readonly number[]): Lateness {
  return {
    p50: percentile(latenessMs, 0.5),
    p99: percentile(latenessMs, 0.99),
    p999: percentile(latenessMs, 0.999),
    max: percentile(latenessMs, 1),
    count: latenessMs.length,
  }
}

export async function readMetric({ internalUrl }: Service, name: string): Promise<number> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  const found = text.split('\n').find((line) => line.startsWith(`${name} `))
  return Number(found?.split(' ')[1])
}

/** All series of one metric, as the process reports them. */
export async function readSeries({ internalUrl }: Service, name: string): Promise<string[]> {
  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

export function rssBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1]) * 1024
}

export async function walBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as bytes`,
  )
  return Number(rows[0]?.bytes)
}

export async function postgresVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? ''
}
