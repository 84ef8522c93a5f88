// Transactions for CRON monitors: pings and missed deadlines, under the same lock.
import {
  type HeartbeatVerdict,
  heartbeatDueAt,
  judgeDeadline,
  type PingReceipt,
  receive,
} from '../../src/domain/monitors/heartbeat.ts'
import { applyInOrder, type SimResult, shardKey } from './apply.ts'
import { type MonitorRow, Refused, resultKey, type Tx } from './store.ts'
import type { World } from './world.ts'

type Ping = { uuid: string; signal: 'SUCCESS' | 'FAIL'; isMaintenance: boolean }

export function applyPing(world: World, tx: Tx, { uuid, signal, isMaintenance }: Ping): void {
  const row = tx.tables.monitors.get(uuid)
  if (row?.clock == null || row.position.state === 'PAUSED') return
  const at = new Date(tx.nowMs)
  const { clock, verdict } = receive(row.clock, { signal, at, rid: null })
  tx.put(tx.tables.monitors, uuid, { ...row, clock, nextDueAt: heartbeatDueAt(row, clock) })
  if (verdict)
    applyHeartbeat(world, tx, { uuid, verdict, slot: at, kind: 'PING', isMaintenance, token: null })
}

/** `read` is what the evaluator saw before it had the lock: judging by it would be the bug. */
export function applyDeadline(
  world: World,
  tx: Tx,
  read: MonitorRow,
  context: { token: number; isMaintenance(at: Date): boolean },
): void {
  const { uuid } = read
  const row = tx.tables.monitors.get(uuid)
  if (tx.tables.shards.get(shardKey(uuid)) !== context.token && world.guards('fencing'))
    throw new Refused(`shard of ${read.name} belongs to another lease`)
  if (row?.clock == null || read.clock === null || row.position.state === 'PAUSED') return

  const clockToJudge = world.guards('last-ping') ? row.clock : read.clock
  const now = new Date(tx.nowMs)
  const receipt = receiptToJudgeBy(world, tx)
  const { clock, verdict } = judgeDeadline(row, clockToJudge, now, receipt)
  const isMissed = verdict?.verdict === 'FAILED'
  if (!isMissed && clock === row.clock) return
  tx.put(tx.tables.monitors, uuid, { ...row, clock, nextDueAt: heartbeatDueAt(row, clock) })
  if (!isMissed) return
  const slot = verdict.failedAt
  const isMaintenance = context.isMaintenance(slot)
  applyHeartbeat(world, tx, {
    uuid,
    verdict,
    slot,
    kind: 'DEADLINE',
    isMaintenance,
    token: context.token,
  })
}

const OUTAGE_MS = 2500

/** Records that a process can receive pings. */
export function noteReceiving(tx: Tx): void {
  const now = new Date(tx.nowMs)
  const { until: startedAt, outages } = receiptOf(tx)
  const isGap = tx.nowMs - startedAt.getTime() > OUTAGE_MS
  const gap = isGap ? [{ startedAt, endedAt: now }] : []
  tx.put(tx.tables.receipt, 'pings', { until: now, outages: [...outages, ...gap] })
}

function receiptToJudgeBy(world: World, tx: Tx): PingReceipt {
  return world.guards('own-downtime') ? receiptOf(tx) : { until: new Date(tx.nowMs), outages: [] }
}

function receiptOf(tx: Tx): PingReceipt {
  return tx.tables.receipt.get('pings') ?? { until: new Date(tx.nowMs), outages: [] }
}

type HeartbeatResult = {
  uuid: string
  verdict: HeartbeatVerdict
  slot: Date
  kind: 'PING' | 'DEADLINE'
  isMaintenance: boolean
  token: number | null
}

function applyHeartbeat(world: World, tx: Tx, outcome: HeartbeatResult): void {
  const row = tx.tables.monitors.get(outcome.uuid)
  if (row === undefined) return
  let { slot } = outcome
  while (tx.tables.results.has(resultKey(row.uuid, slot))) slot = new Date(slot.getTime() + 1)
  const result: SimResult = {
    uuid: row.uuid,
    slot,
    kind: outcome.kind,
    verdict: outcome.verdict.verdict,
    epoch: row.position.epoch,
    sentEpoch: row.position.epoch,
    inMaintenance: outcome.isMaintenance && world.guards('maintenance'),
    firstAt: outcome.slot,
    failedSince: outcome.slot,
    endedAt: new Date(tx.nowMs),
    sentJobs: [],
    answeredJobs: [],
    sampled: false,
    attempts: [],
    reason: null,
    readAt: 0,
    beganMs: tx.nowMs,
    proofs: [],
    positionThen: row.position,
  }
  applyInOrder(world, tx, { row, start: row.position, results: [result], token: outcome.token })
}
