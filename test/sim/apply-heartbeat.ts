// What lands in the database for CRON monitors: pings and missed deadlines, under the same lock.

import {
  type HeartbeatVerdict,
  heartbeatDueAt,
  judgeDeadline,
  receive,
} from '../../src/domain/heartbeat.ts'
import { type CheckResult, land, shardKey } from './apply.ts'
import { type MonitorRow, Refused, resultKey, type Tx } from './store.ts'
import type { World } from './world.ts'

export type Ping = { uuid: string; signal: 'SUCCESS' | 'FAIL'; isMaintenance: boolean }

export function applyPing(world: World, tx: Tx, { uuid, signal, isMaintenance }: Ping): void {
  const row = tx.tables.monitors.get(uuid)
  if (row?.clock == null || row.position.state === 'PAUSED') return
  const at = new Date(tx.nowMs)
  const { clock, verdict } = receive(row.clock, { signal, at, rid: null })
  tx.put(tx.tables.monitors, uuid, { ...row, clock, nextDueAt: heartbeatDueAt(row, clock) })
  if (verdict)
    landHeartbeat(world, tx, { uuid, verdict, slot: at, kind: 'PING', isMaintenance, token: null })
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
  const { clock, verdict } = judgeDeadline(row, clockToJudge, new Date(tx.nowMs))
  if (verdict?.verdict !== 'FAILED') return
  tx.put(tx.tables.monitors, uuid, { ...row, clock, nextDueAt: heartbeatDueAt(row, clock) })
  const slot = verdict.failedAt
  const isMaintenance = context.isMaintenance(slot)
  landHeartbeat(world, tx, {
    uuid,
    verdict,
    slot,
    kind: 'DEADLINE',
    isMaintenance,
    token: context.token,
  })
}

type HeartbeatLanding = {
  uuid: string
  verdict: HeartbeatVerdict
  slot: Date
  kind: 'PING' | 'DEADLINE'
  isMaintenance: boolean
  token: number | null
}

function landHeartbeat(world: World, tx: Tx, landing: HeartbeatLanding): void {
  const row = tx.tables.monitors.get(landing.uuid)
  if (row === undefined) return
  let { slot } = landing
  while (tx.tables.results.has(resultKey(row.uuid, slot))) slot = new Date(slot.getTime() + 1)
  const result: CheckResult = {
    uuid: row.uuid,
    slot,
    kind: landing.kind,
    verdict: landing.verdict.verdict,
    epoch: row.position.epoch,
    sentEpoch: row.position.epoch,
    inMaintenance: landing.isMaintenance && world.guards('maintenance'),
    firstAt: landing.slot,
    failedSince: landing.slot,
    endedAt: new Date(tx.nowMs),
    sentJobs: [],
    answeredJobs: [],
    positionThen: row.position,
  }
  land(world, tx, { row, start: row.position, results: [result], token: landing.token })
}
