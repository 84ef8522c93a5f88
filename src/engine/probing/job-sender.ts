// Sends attempts to regions and waits for their findings. Jobs started in the same turn of the event loop share a
// packet. A job without a response is sent once more, unless its request may already have had an effect. A job that
// no probe accepts in time is given up, so that the number of waiting jobs stays limited. Nothing counts from a probe that
// sends nonsense: its jobs go to another one.
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus, Job, JobResult, Packet } from '../../bus/bus.ts'
import { JobsInFlight } from '../../bus/jobs-in-flight.ts'
import { packJobs } from '../../bus/packing.ts'
import { PROBE_FAULT } from '../../domain/monitors/confirmation.ts'
import { type SpanContext, toTraceparent } from '../../platform/observability/trace-context.ts'
import type { DatabaseClock } from '../database-clock.ts'
import { every, type Loop } from '../every.ts'
import { type ProbeTask, QUEUE_ALLOWANCE_MS } from './probe.ts'
import type { ProbeConduct } from './probe-conduct.ts'
import { readFinding } from './read-finding.ts'
import { RegionQueue } from './region-queue.ts'
import { type ObservedAttempt, toAttempt } from './to-attempt.ts'

type AttemptJob = {
  orgId: string
  number: number
  budgetMs: number
  task: ProbeTask
  /** The request has side effects: it is not sent again once a probe may have it. */
  sendsOnce: boolean
  trace?: SpanContext | undefined
}

type Flight = AttemptJob & {
  region: string
  /** Since when it waits to be accepted. */
  queuedMs: number
  sends: number
  /** When the packet was sent, and how long to wait for a response, by performance.now(). */
  sentMs: number
  untilMs: number
  mayBeAccepted: boolean
  /** The probe that responded last, and how often a response did not count. */
  probe: string | undefined
  refusals: number
  resolve(attempt: ObservedAttempt): void
}

const RESPONSE_MARGIN_MS = 500
const SWEEP_MS = 100
const MAX_QUEUED_MS = 10_000
// A packet that nobody has accepted yet may still be on its way to a probe that lags behind.
const SILENT_MS = 1500
const MAX_SENDS = 2
const MAX_REFUSALS = 4

export class JobSender {
  readonly #bus: Bus
  readonly #clock: DatabaseClock
  readonly #flights = new JobsInFlight<Flight>()
  readonly #ids = new Set<string>()
  readonly #conduct: ProbeConduct
  readonly #queues = new Map<string, RegionQueue<Flight>>()
  /** Regions whose jobs are going to be sent. */
  readonly #sending = new Set<string>()
  readonly #sweep: Loop

  constructor(
    bus: Bus,
    clock: DatabaseClock,
    onError: (error: unknown) => void,
    conduct: ProbeConduct,
  ) {
    this.#bus = bus
    this.#clock = clock
    this.#conduct = conduct
    this.#sweep = every(SWEEP_MS, async () => this.#sweepLate(), onError)
  }

  get inFlight(): number {
    return this.#flights.size
  }

  /** Attempts that no probe has accepted yet. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { size }) => sum + size, 0)
  }

  attempt(region: string, job: AttemptJob): Promise<ObservedAttempt> {
    return new Promise((resolve) => {
      const nowMs = performance.now()
      const times = { queuedMs: nowMs, sentMs: nowMs, untilMs: Number.POSITIVE_INFINITY }
      const unsent = { sends: 0, mayBeAccepted: false, probe: undefined, refusals: 0 }
      this.#enqueue({ ...job, region, ...times, ...unsent, resolve })
    })
  }

  async stop(): Promise<void> {
    await this.#sweep.stop()
  }

  #enqueue(flight: Flight): void {
    this.#queueOf(flight.region).add(flight)
    this.#sendSoon(flight.region)
  }

  #queueOf(region: string): RegionQueue<Flight> {
    const known = this.#queues.get(region)
    if (known !== undefined) return known
    const queue = new RegionQueue<Flight>()
    this.#queues.set(region, queue)
    return queue
  }

  #sendSoon(region: string): void {
    const inMs = this.#queueOf(region).sendsInMs(performance.now())
    if (inMs === undefined || this.#sending.has(region)) return
    this.#sending.add(region)
    const flush = () => this.#flush(region)
    if (inMs === 0) setImmediate(flush)
    else setTimeout(flush, inMs)
  }

  #flush(region: string): void {
    this.#sending.delete(region)
    const queue = this.#queueOf(region)
    const nowMs = performance.now()
    const byId = new Map<string, Flight>()
    for (const flight of queue.take(nowMs)) {
      flight.sends += 1
      flight.sentMs = nowMs
      flight.untilMs = nowMs + flight.budgetMs + QUEUE_ALLOWANCE_MS + RESPONSE_MARGIN_MS
      flight.mayBeAccepted = true
      flight.probe = undefined
      const id = this.#flights.add(flight)
      this.#ids.add(id)
      byId.set(id, flight)
    }
    const jobs = [...byId].map(([id, flight]) => toJob(id, flight))
    const { packets, tooLarge } = packJobs(jobs)
    queue.lost(tooLarge.length)
    for (const { id } of tooLarge) this.#fail(id, 'JOB_TOO_LARGE')
    for (const packet of packets) void this.#send(region, packet)
    // A timer may fire a fraction of a millisecond before the pause ends.
    this.#sendSoon(region)
  }

  async #send(region: string, packet: Packet): Promise<void> {
    const { items } = packet
    const to = this.#conduct.nextAlone(region, performance.now())
    let wasSuspended = false
    const hears = (probe: string) => {
      for (const { id } of items) this.#noteProbe(id, probe)
      wasSuspended ||= this.#conduct.isSuspended({ region, probe }, performance.now())
      return !wasSuspended
    }
    const onResults = (results: JobResult[]) => this.#acceptResults(results)
    const outcome = await this.#bus.sendJobs(region, packet, onResults, { to, hears })
    const queue = this.#queueOf(region)
    if (outcome === 'accepted') queue.accepted(items.length)
    else if (outcome === 'busy')
      queue.refused(items.length, this.#takeBack(items), performance.now())
    else if (outcome === 'silent') await delay(SILENT_MS, undefined, { ref: false })
    if (outcome !== 'accepted' && outcome !== 'busy') queue.lost(items.length)
    if (outcome === 'refused') {
      if (!wasSuspended) this.#blame(region, to)
      this.#sendAgain(items, PROBE_FAULT)
    }
    // Others of the region may still be there.
    if (outcome === 'nobody' && to !== undefined) this.#sendAgain(items, 'NO_PROBE')
    else if (outcome === 'nobody') for (const { id } of items) this.#fail(id, 'NO_PROBE')
    this.#sendSoon(region)
  }

  #noteProbe(id: string, probe: string): void {
    const flight = this.#flights.find(id)
    if (flight !== undefined) flight.probe = probe
  }

  /** Takes back what a probe still has as soon as nothing of it counts anymore. */
  #blame(region: string, probe: string | undefined): void {
    const nowMs = performance.now()
    this.#conduct.blame(probe === undefined ? { region } : { region, probe }, nowMs)
    if (probe === undefined || !this.#conduct.isSuspended({ region, probe }, nowMs)) return
    const held = [...this.#ids].filter((id) => {
      const flight = this.#flights.find(id)
      return flight?.region === region && flight.probe === probe
    })
    this.#sendAgain(
      held.map((id) => ({ id })),
      PROBE_FAULT,
    )
  }

  /** At once, because no result will count. A request with side effects may have had them. */
  #sendAgain(items: readonly { id: string }[], reason: string): void {
    for (const { id } of items) {
      const flight = this.#flights.find(id)
      if (flight === undefined) continue
      const mayHaveIt = reason === PROBE_FAULT && flight.sendsOnce
      if (mayHaveIt || flight.refusals >= MAX_REFUSALS) {
        this.#fail(id, reason)
        continue
      }
      flight.refusals += 1
      flight.sends -= 1
      this.#resend(id, performance.now())
    }
  }

  // A busy probe has not accepted the job, so sending it later does not count as a second send.
  #takeBack(items: readonly { id: string }[]): Flight[] {
    const flights = items.flatMap(({ id }) => this.#take(id) ?? [])
    for (const flight of flights) {
      flight.sends -= 1
      flight.mayBeAccepted = flight.sends > 0
    }
    return flights
  }

  #acceptResults(results: readonly JobResult[]): void {
    for (const { result, about: flight } of this.#flights.match(results)) {
      this.#ids.delete(result.id)
      const { region, probe } = result
      const isNewer = () => this.#conduct.isNewer({ region, probe })
      const finding = readFinding(result.attempt, isNewer)
      if (finding === undefined) this.#blame(region, probe)
      flight.resolve(toAttempt(this.#clock, flight, result, finding))
    }
  }

  #sweepLate(): void {
    const nowMs = performance.now()
    for (const queue of this.#queues.values())
      for (const flight of queue.dropOlder(nowMs - MAX_QUEUED_MS)) this.#end(flight, 'PROBE_BUSY')
    for (const id of this.#ids) {
      const flight = this.#flights.find(id)
      if (flight === undefined || nowMs < flight.untilMs) continue
      const again = flight.sends < MAX_SENDS && !(flight.sendsOnce && flight.mayBeAccepted)
      if (!again) this.#fail(id, 'NO_ANSWER')
      else this.#resend(id, nowMs)
    }
  }

  #resend(id: string, nowMs: number): void {
    const flight = this.#take(id)
    if (flight === undefined) return
    flight.queuedMs = nowMs
    this.#enqueue(flight)
  }

  #fail(id: string, reason: string): void {
    const flight = this.#take(id)
    if (flight !== undefined) this.#end(flight, reason)
  }

  #end(flight: Flight, reason: string): void {
    const { region, sentMs, resolve } = flight
    const startedAt = this.#clock.at(sentMs)
    const endedAt = this.#clock.now()
    resolve({ region, startedAt, endedAt, stalled: false, outcome: 'FAULT', reason, finding: null })
  }

  #take(id: string): Flight | undefined {
    this.#ids.delete(id)
    return this.#flights.take(id)
  }
}

function toJob(id: string, { orgId, number, budgetMs, task, trace }: Flight): Job {
  const job = { id, orgId, attempt: number, budgetMs, target: task }
  return trace === undefined ? job : { ...job, traceparent: toTraceparent(trace) }
}
