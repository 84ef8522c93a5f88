// A scheduler: holds a lease, fires the slots of its shards, confirms failures, applies results. It may freeze for
// longer than its lease; what it then does with its old token must not count.
import {
  type ConfirmationStep,
  nextStep,
  sendsOnce,
} from '../../src/domain/monitors/confirmation.ts'
import {
  afterSilence,
  catchUp,
  catchUpMs,
  nextSlotAt,
  phaseMs,
  repeatAt,
} from '../../src/domain/monitors/schedule.ts'
import { judge } from '../../src/domain/monitors/verdict.ts'
import { proofsAfter } from '../../src/domain/regions/reach.ts'
import { applyResults, type SimResult, shardKey } from './apply.ts'
import { applyDeadline } from './apply-heartbeat.ts'
import { createEgressWatch } from './egress.ts'
import {
  type DueRow,
  doubtedCheck,
  type Flight,
  type Place,
  placeOf,
  type Reported,
  readDue,
  toAttempt,
  toFindings,
  toRegion,
  toReported,
} from './flight.ts'
import { findDue, renewLease } from './lease.ts'
import { isWithin, type Nature } from './nature.ts'
import type { Job, Network, ProbeResponse } from './network.ts'
import type { MonitorRow, Store, Tx } from './store.ts'
import { createTries } from './tries.ts'
import type { Process, World } from './world.ts'

const RENEW_MS = 3_000
const TICK_MS = 1_000
const FLUSH_MS = 50
const RETRY_MS = 100
const WATCH_MS = 500
// Only timing matters here: the meaning of a response time is tested next to the rule.
const RULE = {
  type: 'HTTP',
  sslExpiryThresholdDays: 2,
  degradedThresholdMs: null,
  degradedThresholdMode: 'LAST',
  degradedSamples: 3,
} as const

type Memory = {
  token: number | null
  flights: Map<string, Flight>
  finished: SimResult[]
  repeats: Map<string, number>
}

function emptyMemory(token: number | null): Memory {
  return { token, flights: new Map(), finished: [], repeats: new Map() }
}

type Deps = { world: World; store: Store; network: Network; nature: Nature }
export type Scheduler = Process & { requestCheck(uuid: string): void; owns(uuid: string): boolean }

export function createScheduler(deps: Deps, name: string): Scheduler {
  const { world, store, network, nature } = deps
  let memory = emptyMemory(null)
  let jobs = 0
  let egress: ReturnType<typeof createEgressWatch>
  const self: Scheduler = {
    name,
    generation: 0,
    frozenUntilMs: 0,
    skewMs: world.rng.int(-200, 200),
    boot() {
      memory = emptyMemory(null)
      egress = createEgressWatch(world, store, self, localNow)
      tries.forget()
      world.log(name, 'boots')
      egress.read()
      renew()
      tick()
    },
    owns: (uuid) => store.tables.shards.get(shardKey(uuid)) === memory.token,
    requestCheck: (uuid) => world.run(self, world.rng.int(1, 20), () => request(uuid)),
  }
  const tries = createTries({ world, store, network, now: localNow }, self)
  return self

  function localNow(): Date {
    return new Date(world.nowMs() + self.skewMs)
  }

  function renew(): void {
    const mine = memory.token
    store.transact(
      self,
      (tx) => renewLease(tx, name, mine),
      (outcome) => {
        world.run(self, RENEW_MS, renew)
        if (outcome.kind !== 'COMMITTED' || outcome.value === mine) return
        world.log(name, `holds token ${outcome.value}`)
        memory = emptyMemory(outcome.value)
      },
    )
  }

  function tick(): void {
    const { token } = memory
    const due = (tx: Tx) =>
      token === null ? [] : findDue(tx, token).map((row) => readDue(tx, row))
    store.transact(self, due, (outcome) => {
      world.run(self, TICK_MS, tick)
      if (outcome.kind !== 'COMMITTED' || token === null || memory.token !== token) return
      for (const row of outcome.value) take(row, token)
    })
  }

  function take(due: DueRow, token: number): void {
    const row = due.monitor
    if (row.nextDueAt === null || memory.flights.has(row.uuid)) return
    if (row.type === 'CRON') return judgeLater(row, token)
    const isLate = catchUp(row, row.nextDueAt, localNow()).missed !== undefined
    const fireAt = isLate ? catchUpAt(row) : row.nextDueAt
    const { run } = isLate ? catchUp(row, row.nextDueAt, fireAt) : { run: row.nextDueAt }
    const flight = depart(due, run, 'SCHEDULED', token)
    world.run(self, fireAt.getTime() - localNow().getTime(), () => advance(flight))
  }

  function catchUpAt(row: MonitorRow): Date {
    const { intervalSeconds } = row
    return new Date(catchUpMs({ phaseMs: phaseMs(row), intervalSeconds }, localNow().getTime()))
  }

  function judgeLater(read: MonitorRow, token: number): void {
    const waitMs = (read.nextDueAt?.getTime() ?? 0) - localNow().getTime()
    const isMaintenance = (at: Date) => isWithin(nature.maintenance, at.getTime())
    world.run(self, waitMs, () =>
      store.transact(
        self,
        (tx) => applyDeadline(world, tx, read, { token, isMaintenance }),
        (outcome) => outcome.kind === 'REFUSED' && forget(outcome.why),
      ),
    )
  }

  function request(uuid: string): void {
    const row = store.tables.monitors.get(uuid)
    if (row === undefined || memory.token === null || row.position.state === 'PAUSED') return
    if (!self.owns(uuid) || memory.flights.has(uuid)) return
    advance(depart(readDue(store, row), world.at(), 'REQUESTED', memory.token))
  }

  function depart(due: DueRow, slot: Date, kind: Flight['kind'], token: number): Flight {
    const lists = { attempts: [], sentJobs: [], answeredJobs: [] }
    const flight: Flight = { ...due, slot, kind, token, place: null, current: null, ...lists }
    memory.flights.set(due.monitor.uuid, flight)
    return flight
  }

  // A forgotten check (lease lost, process restarted) must not continue.
  function isAboard(flight: Flight): boolean {
    return memory.flights.get(flight.monitor.uuid) === flight
  }

  function advance(flight: Flight): void {
    if (!isAboard(flight)) return
    const place = flight.place ?? placeOf(world, nature, flight, localNow())
    flight.place = place
    const doubt = egress.doubtOf(place.plan.base)
    const liveRegions = network.liveRegions()
    const step = nextStep({ ...place.plan, liveRegions, doubt }, flight.attempts)
    if (step.do === 'FINISH') finish(toResult(flight, place, step))
    else world.run(self, step.delayMs, () => send(flight, step))
  }

  function send(flight: Flight, step: ConfirmationStep & { do: 'ATTEMPT' }): void {
    const region = toRegion(step.region)
    if (!isAboard(flight) || flight.place === null || region === undefined) return
    const { monitor, slot, token } = flight
    const { budgetMs } = step
    const number = flight.attempts.length + 1
    const job: Job = {
      id: `${name}-${self.generation}-${++jobs}`,
      kind: 'CHECK',
      monitor,
      slot,
      number,
      region,
      budgetMs,
      token,
      privateTargets: true,
      egress: egress.taskFor(doubtedCheck(flight, flight.place), region, flight.attempts),
    }
    flight.sentJobs.push(job.id)
    flight.current = { job, sentMs: world.nowMs(), sends: 0, accepted: false }
    dispatch(flight)
    watch(flight, job.id)
  }

  function dispatch(flight: Flight): void {
    const { current } = flight
    if (current === null) return
    current.sends += 1
    current.sentMs = world.nowMs()
    network.send(self, current.job, {
      accepted: () => void (current.accepted = true),
      answered: (answer) => land(flight, answer),
    })
  }

  function watch(flight: Flight, jobId: string): void {
    world.run(self, WATCH_MS, () => {
      if (!isAboard(flight) || flight.current?.job.id !== jobId) return
      const next = whenSilent(flight.current, flight)
      if (next === 'GIVE_UP')
        return close(flight, null, { outcome: 'FAULT', reason: 'NO_ANSWER' }, false)
      if (next === 'SEND_AGAIN') dispatch(flight)
      watch(flight, jobId)
    })
  }

  function whenSilent(current: NonNullable<Flight['current']>, { monitor, slot }: Flight) {
    const job = {
      sentAt: new Date(current.sentMs),
      sends: world.guards('resend-limit') ? current.sends : 0,
      budgetMs: current.job.budgetMs,
      accepted: current.accepted,
      sendsOnce: sendsOnce(monitor.method) && world.guards('send-once'),
    }
    return afterSilence(job, nextSlotAt(monitor, slot), world.at())
  }

  function land(flight: Flight, { jobId, found, stalled }: ProbeResponse): void {
    const expected = flight.current?.job.id
    if (expected === undefined || (jobId !== expected && world.guards('job-id'))) return
    close(flight, jobId, found, stalled)
  }

  function close(flight: Flight, jobId: string | null, found: Reported, stalled: boolean): void {
    const { current } = flight
    if (current === null) return
    const startedAt = new Date(current.sentMs + self.skewMs)
    flight.current = null
    flight.answeredJobs.push(jobId)
    const { region } = current.job
    const times = { region, startedAt, endedAt: localNow(), stalled }
    flight.attempts.push(toAttempt(world, times, found))
    advance(flight)
  }

  function toResult(
    flight: Flight,
    place: Place,
    step: ConfirmationStep & { do: 'FINISH' },
  ): SimResult {
    const { monitor, slot, kind, sentJobs, answeredJobs, attempts, proofs, readAt } = flight
    const check = egress.settle(doubtedCheck(flight, place), attempts, step.check)
    tries.after(flight, place, check.result === 'OK')
    const now = localNow()
    const findings = toFindings(attempts)
    const firstAt = flight.attempts[0]?.startedAt ?? localNow()
    const isFault = check.result === 'INCONCLUSIVE' && !world.guards('fault-is-down')
    const finding = check.result === 'OK' ? { ...check, expiresAt: null } : check
    const { verdict } = judge(RULE, isFault ? { result: 'FAILED' } : finding, [], localNow())
    const isMaintenance = isWithin(nature.maintenance, firstAt.getTime())
    return {
      uuid: monitor.uuid,
      slot,
      kind,
      verdict,
      epoch: monitor.position.epoch,
      sentEpoch: monitor.position.epoch,
      inMaintenance: isMaintenance && world.guards('maintenance'),
      firstAt,
      failedSince: check.result === 'FAILED' ? check.failedSince : firstAt,
      endedAt: now,
      sentJobs,
      answeredJobs,
      sampled: check.result === 'OK' && check.sampled,
      attempts: toReported(attempts),
      reason: check.result === 'INCONCLUSIVE' ? check.reason : null,
      readAt,
      beganMs: place.beganMs,
      proofs: proofsAfter(proofs, findings, { counts: true, now }),
      positionThen: monitor.position,
    }
  }

  // Results are batched, and written a moment after the first.
  function finish(result: SimResult): void {
    memory.finished.push(result)
    if (memory.finished.length === 1) world.run(self, FLUSH_MS, flush)
  }

  function flush(): void {
    const { token, finished: batch } = memory
    if (token === null || batch.length === 0) return
    memory.finished = []
    apply(token, batch)
  }

  // A batch with an unknown outcome is retried, and then finds its slots recorded.
  function apply(token: number, batch: SimResult[]): void {
    store.transact(
      self,
      (tx) => applyResults(world, tx, token, batch),
      (outcome) => {
        if (outcome.kind === 'UNKNOWN') return world.run(self, RETRY_MS, () => apply(token, batch))
        if (memory.token !== token) return
        if (outcome.kind === 'REFUSED') return forget(outcome.why)
        for (const result of batch) settle(result)
      },
    )
  }

  function settle({ uuid, verdict, endedAt, slot, reason }: SimResult): void {
    const flight = memory.flights.get(uuid)
    memory.flights.delete(uuid)
    const repeats = memory.repeats.get(uuid) ?? 0
    memory.repeats.set(uuid, verdict === 'INCONCLUSIVE' ? repeats + 1 : 0)
    if (flight === undefined || verdict !== 'INCONCLUSIVE') return
    const nextAt = nextSlotAt(flight.monitor, slot)
    const usual = repeatAt(endedAt, repeats, nextAt)
    const base = flight.place?.plan.base
    const again = reason === 'EGRESS' ? egress.repeatAt(base, endedAt, usual, nextAt) : usual
    if (again) world.run(self, again.getTime() - localNow().getTime(), () => request(uuid))
  }

  // Another lease holds these shards: everything in memory is invalid.
  function forget(why: string): void {
    world.log(name, `refused: ${why}`)
    memory = emptyMemory(null)
  }
}
