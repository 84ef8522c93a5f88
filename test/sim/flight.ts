// A check on its way: what its scheduler knew when it left, and what its attempts found.
import {
  type Attempt,
  type CheckPlan,
  PROBE_FAULT,
  sendsOnce,
} from '../../src/domain/monitors/confirmation.ts'
import { resolveHomeRegion } from '../../src/domain/regions/home-region.ts'
import {
  baseRegion,
  isPrivateTarget,
  provenRegions,
  type RegionFinding,
  type RegionProof,
  wasReachedAt,
} from '../../src/domain/regions/reach.ts'
import { type Nature, presentRegions, REGIONS, type Region } from './nature.ts'
import type { Job, ProbeResponse } from './network.ts'
import { siteOf } from './sites.ts'
import type { MonitorRow, ReportedAttempt, Tx } from './store.ts'
import type { World } from './world.ts'

const PORT = 443

/** A monitor as it was read, with what its organization and its regions say about checking it. */
export type DueRow = {
  monitor: MonitorRow
  proofs: readonly RegionProof[]
  home: { chosen: Region | null; chosenAt: Date | null }
  /** Length of the journal. */
  readAt: number
}

export function readDue(tx: Pick<Tx, 'tables'>, monitor: MonitorRow): DueRow {
  const { proofs, homes, journal } = tx.tables
  return {
    monitor,
    proofs: proofs.get(monitor.uuid) ?? [],
    home: homes.get(monitor.org) ?? { chosen: null, chosenAt: null },
    readAt: journal.length,
  }
}

export type SimAttempt = Attempt & {
  region: Region
  /** Null if it says nothing about the way to the target. */
  where: Omit<RegionFinding, 'region' | 'passed'> | null
}

export type Place = {
  beganMs: number
  home: Region | undefined
  plan: Omit<CheckPlan, 'liveRegions' | 'doubt' | 'base'> & { base: Region | undefined }
}

export type Flight = DueRow & {
  slot: Date
  kind: 'SCHEDULED' | 'REQUESTED'
  token: number
  /** Once it has begun. */
  place: Place | null
  attempts: SimAttempt[]
  sentJobs: string[]
  answeredJobs: (string | null)[]
  current: { job: Job; sentMs: number; sends: number; accepted: boolean } | null
}

export function placeOf(world: World, nature: Nature, due: DueRow, now: Date): Place {
  const { monitor, proofs } = due
  const { chosen, chosenAt: homeChosenAt } = due.home
  const home = toRegion(
    resolveHomeRegion({ chosen, present: presentRegions(nature, world.nowMs()) }),
  )
  const settled = baseRegion({ home, homeChosenAt, proofs, seenAt: () => now }, now)
  const moved = world.guards('base-needs-pass') ? settled : home
  return {
    beganMs: world.nowMs(),
    home,
    plan: {
      timeoutSeconds: monitor.timeoutSeconds,
      method: monitor.method,
      base: world.guards('home-region') ? toRegion(moved) : undefined,
      proven: world.guards('proven') ? provenRegions(proofs, now) : REGIONS,
      isDown: monitor.position.state === 'DOWN',
      isPrivate: siteOf(nature, monitor).isWritten || isPrivateTarget(proofs),
      wasReachedAt: (address) => wasReachedAt(proofs, address),
    },
  }
}

export function toRegion(name: string | undefined): Region | undefined {
  return REGIONS.find((region) => region === name)
}

/** The scheduler's check of a region's own network. */
export function doubtedCheck({ monitor }: Flight, { plan }: Place) {
  return {
    uuid: monitor.uuid,
    base: plan.base,
    isPrivate: plan.isPrivate,
    isDown: plan.isDown,
    sendsOnce: sendsOnce(monitor.method),
    epoch: monitor.position.epoch,
    lastCheckedAt: monitor.lastCheckedAt,
    changedAt: monitor.changedAt,
  }
}

type Times = Pick<Attempt, 'startedAt' | 'endedAt' | 'stalled'> & { region: Region }
export type Reported = ProbeResponse['found']

/** Validates what a probe reports: an invalid finding is a fault of the probe, and no verdict. */
export function toAttempt(world: World, times: Times, found: Reported): SimAttempt {
  if (found.outcome === 'FAULT') return { ...times, ...found, where: null }
  if (found.outcome === 'NONSENSE') {
    if (world.guards('findings'))
      return { ...times, outcome: 'FAULT', reason: PROBE_FAULT, where: null }
    const failure = { cause: 'undefined', bytesSent: false, controlReached: null }
    return { ...times, outcome: 'FAILED', failure, where: null }
  }
  const { address, isPrivate } = found
  const isSpoiled = found.outcome === 'FAILED' && times.stalled
  const where = isSpoiled ? null : { address, port: PORT, isPrivate }
  return found.outcome === 'OK'
    ? { ...times, outcome: 'OK', responseMs: found.responseMs, where }
    : { ...times, outcome: 'FAILED', failure: found.failure, where }
}

export function toFindings(attempts: readonly SimAttempt[]): RegionFinding[] {
  return attempts.flatMap(({ region, outcome, where }) =>
    where === null ? [] : [{ region, passed: outcome === 'OK', ...where }],
  )
}

export function toReported(attempts: readonly SimAttempt[]): ReportedAttempt[] {
  return attempts.map(({ region, outcome, stalled }) => {
    return { region, outcome, spoiled: outcome === 'FAILED' && stalled }
  })
}
