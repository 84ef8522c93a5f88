// The database of a simulation: transactions are atomic and serial, and a refused one leaves nothing behind. The caller
// may die before the commit or after it, or never get the outcome.

import type { OpenDoubt } from '../../src/domain/monitors/egress-doubt.ts'
import type { PingReceipt } from '../../src/domain/monitors/heartbeat.ts'
import type { HeartbeatClock } from '../../src/domain/monitors/heartbeat-clock.ts'
import type {
  Fate,
  IncidentEffect,
  MonitorPosition,
} from '../../src/domain/monitors/monitor-state.ts'
import type { Verdict } from '../../src/domain/monitors/verdict.ts'
import type { RegionProof } from '../../src/domain/regions/reach.ts'
import type { Region } from './nature.ts'
import type { Process, World } from './world.ts'

export type MonitorRow = {
  uuid: string
  org: string
  /** Counts the changes of its target. */
  targetNo: number
  name: string
  type: 'HTTP' | 'CRON'
  method: string | null
  intervalSeconds: number
  timeoutSeconds: number
  expectedPeriodSec: number | null
  graceSeconds: number
  position: MonitorPosition
  nextDueAt: Date | null
  clock: HeartbeatClock | null
  incidentId: number | null
  /** Its last verdict. */
  lastCheckedAt: Date | null
  /** When its state changed last. */
  changedAt: Date
}

export type ResultKind = 'SCHEDULED' | 'REQUESTED' | 'PING' | 'DEADLINE'

export type ResultRow = {
  uuid: string
  slot: Date
  kind: ResultKind
  verdict: Verdict
  epoch: number
  fate: Fate
  inMaintenance: boolean
  /** Start of the first attempt; for a deadline, the deadline itself. */
  firstAt: Date
  /** Jobs that were sent, and jobs whose responses were counted, attempt by attempt. */
  sentJobs: readonly string[]
  answeredJobs: readonly (string | null)[]
  /** Whether its response time is compared with others. */
  sampled: boolean
  /** What each attempt reported, without those that never answered. */
  attempts: readonly ReportedAttempt[]
  /** Why it is INCONCLUSIVE. */
  reason: string | null
  /** What its scheduler knew when it sent the check: as many entries of the journal, and the time it began. */
  readAt: number
  beganMs: number
  /** The token it was applied with, and the token of its shard at that moment. */
  token: number | null
  shardToken: number | null
}

/** `spoiled`: a failure that may be our own stall. */
export type ReportedAttempt = {
  region: Region
  outcome: 'OK' | 'FAILED' | 'FAULT'
  spoiled: boolean
}

type MissedRow = {
  uuid: string
  fromSlot: Date
  toSlot: Date
  count: number
  reason: string
}
type IncidentRow = { id: number; uuid: string; startedAt: Date; resolvedAt: Date | null }
type EventRow = { id: number; uuid: string; type: string }
export type DeliveryRow = {
  eventId: number
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  attempts: number
  nextAttemptMs: number
  claimedUntilMs: number
}

/** Every change of a monitor, in commit order. */
export type JournalEntry = { atMs: number; uuid: string } & (
  | { what: 'CREATED' | 'PAUSED' | 'RESUMED' | 'RETARGETED' | 'DELETED' }
  | { what: 'RESULT'; row: ResultRow }
  | { what: 'TRIED'; region: Region; passed: boolean; targetNo: number }
  /** Of an organization. */
  | { what: 'HOME'; home: Region | null }
  | { what: 'MOVED'; from: string; to: string; incident: IncidentEffect }
)

type Lease = { owner: string; token: number; expiresMs: number }

type HomeRow = { chosen: Region | null; chosenAt: Date | null }

type Tables = {
  monitors: Map<string, MonitorRow>
  /** By monitor and slot: the primary key. */
  results: Map<string, ResultRow>
  missed: Map<string, readonly MissedRow[]>
  /** By monitor, then by region. */
  proofs: Map<string, readonly RegionProof[]>
  /** By organization. */
  homes: Map<string, HomeRow>
  doubts: Map<Region, StoredDoubt>
  incidents: Map<number, IncidentRow>
  events: Map<number, EventRow>
  deliveries: Map<number, DeliveryRow>
  leases: Map<string, Lease>
  /** The lease each shard points to. */
  shards: Map<number, number>
  /** One row. */
  receipt: Map<'pings', PingReceipt>
  journal: JournalEntry[]
  counters: Map<string, number>
}

/** Kept when it has ended, so that an older one is not raised again. */
type StoredDoubt = OpenDoubt & { passedAt: Date | null }

export type Tx = {
  readonly tables: Tables
  readonly nowMs: number
  put<K, V>(table: Map<K, V>, key: K, value: V): void
  remove<K, V>(table: Map<K, V>, key: K): void
  append(entry: JournalEntry): void
  nextNumber(counter: string): number
}

export class Refused extends Error {}

/** UNKNOWN: the connection broke, and it is unknown whether it was committed. */
type Outcome<T> =
  | { kind: 'COMMITTED'; value: T }
  | { kind: 'REFUSED'; why: string }
  | { kind: 'UNKNOWN' }

export type Store = {
  readonly tables: Tables
  /** Immediate, outside any process. */
  commit<T>(body: (tx: Tx) => T): Outcome<T>
  /** By a process, with everything that can go wrong in between. */
  transact<T>(process: Process, body: (tx: Tx) => T, done: (outcome: Outcome<T>) => void): void
}

const CRASH = 0.001
const LOST = 0.004

export function createStore(world: World): Store {
  const tables: Tables = {
    monitors: new Map(),
    results: new Map(),
    missed: new Map(),
    proofs: new Map(),
    homes: new Map(),
    doubts: new Map(),
    incidents: new Map(),
    events: new Map(),
    deliveries: new Map(),
    leases: new Map(),
    shards: new Map(),
    receipt: new Map(),
    journal: [],
    counters: new Map(),
  }

  const commit = <T>(body: (tx: Tx) => T): Outcome<T> => {
    const undo: (() => void)[] = []
    try {
      return { kind: 'COMMITTED', value: body(openTx(tables, world.nowMs(), undo)) }
    } catch (error) {
      for (const step of undo.toReversed()) step()
      if (error instanceof Refused) return { kind: 'REFUSED', why: error.message }
      throw error
    }
  }

  const transact: Store['transact'] = (process, body, done) => {
    const { generation } = process
    const reply = world.replyTo(process)
    const crashes = (when: string) => {
      const strikes = !world.isCalm && world.fault(CRASH) && process.generation === generation
      if (strikes) world.crash(process, when)
      return strikes
    }
    world.schedule(world.rng.int(1, 10), () => {
      if (crashes('before commit')) return
      if (world.fault(LOST)) return reply(1, () => done({ kind: 'UNKNOWN' }))
      const outcome = commit(body)
      if (crashes('after commit')) return
      const isLost = world.fault(LOST)
      reply(world.rng.int(1, 10), () => done(isLost ? { kind: 'UNKNOWN' } : outcome))
    })
  }
  return { tables, commit, transact }
}

function openTx(tables: Tables, nowMs: number, undo: (() => void)[]): Tx {
  const tx: Tx = {
    tables,
    nowMs,
    put: (table, key, value) => {
      const before = table.get(key)
      undo.push(() => void (before === undefined ? table.delete(key) : table.set(key, before)))
      table.set(key, value)
    },
    remove: (table, key) => {
      const before = table.get(key)
      if (before !== undefined) undo.push(() => void table.set(key, before))
      table.delete(key)
    },
    append: (entry) => {
      undo.push(() => void tables.journal.pop())
      tables.journal.push(entry)
    },
    nextNumber: (counter) => {
      const next = (tables.counters.get(counter) ?? 0) + 1
      tx.put(tables.counters, counter, next)
      return next
    },
  }
  return tx
}

export function resultKey(uuid: string, slot: Date): string {
  return `${uuid} ${slot.getTime()}`
}
