// The alerts of one organization, simulated without a database: monitors fail and recover, people acknowledge and
// change contacts, planners and senders are late or die between reading, writing and sending.
import { planAlerts } from '../../../src/domain/alerts/alerting.ts'
import {
  type AlertCondition,
  type AlertMessage,
  type Contact,
  type Notification,
} from '../../../src/domain/alerts/model.ts'
import type { Rng } from '../rng.ts'

/** Planted bugs that the oracle must find. */
export const PLANTS = {
  FORGETS: 'what was sent is not written with the message',
  BOASTS: 'what was sent is written without the message',
  AGAIN: 'a message that was sent and not recorded gets a new id',
  DEAF: 'an end is not looked at',
  CHEERS: 'a pause is reported as a recovery',
  RINGS: 'an alarm that a pager keeps is not closed when its monitor is paused',
  LATE: 'a beginning is sent after its monitor was paused',
  DRIFTS: 'a step counts from the latest plan and not from the outage',
  STUBBORN: 'an acknowledgement does not stop the steps',
  AMNESIA: 'a step that was due while its planner was dead is not made up for',
  REPEATS: 'a contact that was alerted gets the step too',
  EAGER: 'all steps are due at once',
} as const
export type Plant = keyof typeof PLANTS

/** `plannedMs`: when it was decided. */
export type Queued = AlertMessage & {
  id: number
  plannedMs: number
  sentMs?: number
  status: 'PENDING' | 'SENT' | 'DROPPED'
}
/** A message as the contact received it. */
type Received = { id: number; message: Queued }
type Deaths = { planning: number; sending: number; duplicates: number }

const TIMING = { holdMs: 5_000, togetherMs: 60_000 }
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export class Life {
  readonly conditions = new Map<string, AlertCondition>()
  contacts: Contact[] = []
  /** By condition and contact. */
  readonly notifications = new Map<string, Notification>()
  readonly queue: Queued[] = []
  readonly inbox: Received[] = []
  #pending: Queued[] = []
  readonly #received = new Set<number>()
  readonly done = new Set<string>()
  readonly deaths: Deaths = { planning: 0, sending: 0, duplicates: 0 }
  nowMs: number
  readonly #rng: Rng
  readonly #plant: Plant | undefined
  #nextPlanMs = 0
  #ids = 0
  /** Until then planners or senders are frozen. */
  #noPlanUntilMs = 0
  #noSendUntilMs = 0

  constructor(rng: Rng, startMs: number, plant?: Plant) {
    this.#rng = rng
    this.nowMs = startMs
    this.#plant = plant
  }

  fail(
    condition: Omit<AlertCondition, 'noticedAt' | 'endedAt' | 'resolution' | 'acknowledgedAt'>,
  ): void {
    const noticed = {
      noticedAt: this.#now,
      endedAt: null,
      resolution: null,
      acknowledgedAt: null,
    }
    this.conditions.set(condition.uuid, { ...condition, ...noticed })
    this.wake()
  }

  change(uuid: string, fields: Partial<AlertCondition>): void {
    const condition = this.conditions.get(uuid)
    if (condition !== undefined) this.conditions.set(uuid, { ...condition, ...fields })
  }

  end(uuid: string, resolution = 'RECOVERED'): void {
    this.change(uuid, { endedAt: this.#now, resolution })
    if (this.#plant === 'DEAF') this.#nextPlanMs = Number.POSITIVE_INFINITY
    else this.wake()
  }

  /** Called after every change of who is notified and when. */
  wake(): void {
    this.#nextPlanMs = this.nowMs
  }

  freeze(seconds: number, who: 'PLANNERS' | 'SENDERS'): void {
    const untilMs = this.nowMs + seconds * SECOND_MS
    if (who === 'PLANNERS') this.#noPlanUntilMs = untilMs
    else this.#noSendUntilMs = untilMs
  }

  run(seconds: number): void {
    const endMs = this.nowMs + seconds * SECOND_MS
    while (this.nowMs < endMs) {
      if (this.#nextPlanMs <= this.nowMs && this.#noPlanUntilMs <= this.nowMs) this.#plan()
      if (this.#noSendUntilMs <= this.nowMs) this.#send()
      const nextMs = this.nowMs + SECOND_MS
      // With nothing in flight, nothing happens before the next poll.
      this.nowMs = this.#pending.length > 0 ? nextMs : Math.max(nextMs, this.#nextPlanMs)
    }
    this.nowMs = endMs
  }

  get #now(): Date {
    return new Date(this.nowMs)
  }

  #plan(): void {
    const conditions = [...this.conditions.values()].filter(({ uuid }) => !this.done.has(uuid))
    const open = new Set(conditions.map(({ uuid }) => uuid))
    const known = new Set(this.contacts.map(({ uuid }) => uuid))
    const input = {
      conditions: conditions.map((one) => ({
        ...one,
        ...(this.#plant === 'CHEERS' && one.endedAt && { resolution: 'RECOVERED' }),
        ...this.#misreadSteps(one),
        contactUuids: one.contactUuids.filter((uuid) => known.has(uuid)),
      })),
      contacts: this.contacts,
      notifications: [...this.notifications.values()].filter(
        (one) => open.has(one.conditionUuid) && !this.#isMislaid(one),
      ),
    }
    const plan = planAlerts(input, TIMING, this.#now)
    // Killed before its commit: nothing was written.
    if (this.#rng.chance(0.1)) {
      this.deaths.planning++
      return
    }
    const isTorn = plan.messages.length > 0 && this.#rng.chance(0.2)
    if (!(isTorn && this.#plant === 'BOASTS'))
      for (const message of plan.messages) this.#queue(message)
    if (!(isTorn && this.#plant === 'FORGETS'))
      for (const notification of plan.notifications)
        this.notifications.set(
          `${notification.conditionUuid} ${notification.contactUuid}`,
          notification,
        )
    for (const uuid of plan.doneUuids) this.done.add(uuid)
    this.#nextPlanMs = plan.nextPollAt?.getTime() ?? Number.POSITIVE_INFINITY
  }

  /** What a planner with one of the bugs reads of an escalation. */
  #misreadSteps(condition: AlertCondition): Partial<AlertCondition> {
    const { escalation, acknowledgedAt, noticedAt } = condition
    const sinceMs = this.nowMs - noticedAt.getTime()
    const shifted = (change: (afterMinutes: number) => number) => ({
      escalation: escalation.map((one) => ({ ...one, afterMinutes: change(one.afterMinutes) })),
    })
    if (this.#plant === 'STUBBORN' && acknowledgedAt !== null && condition.endedAt === null)
      return { acknowledgedAt: null }
    if (this.#plant === 'EAGER') return shifted(() => 0)
    if (this.#plant === 'DRIFTS') return shifted((minutes) => minutes + sinceMs / MINUTE_MS)
    if (this.#plant !== 'AMNESIA') return {}
    // Only a plan within its minute sends a step.
    const isMissed = (afterMinutes: number) => sinceMs > (afterMinutes + 1) * MINUTE_MS
    return { escalation: escalation.filter(({ afterMinutes }) => !isMissed(afterMinutes)) }
  }

  #isMislaid({ contactUuid, conditionUuid, toldAt }: Notification): boolean {
    if (this.#plant !== 'REPEATS' || this.nowMs - toldAt.getTime() > 60 * MINUTE_MS) return false
    const steps = this.conditions.get(conditionUuid)?.escalation ?? []
    return steps.some((step) => step.contactUuid === contactUuid)
  }

  #queue(message: AlertMessage): void {
    if (this.#plant === 'RINGS' && message.kind === 'CLOSED') return
    const queued: Queued = {
      ...message,
      id: this.#ids++,
      plannedMs: this.nowMs,
      status: 'PENDING',
    }
    this.queue.push(queued)
    this.#pending.push(queued)
  }

  #send(): void {
    for (const message of this.#pending) if (this.#rng.chance(0.7)) this.#sendOne(message)
    this.#pending = this.#pending.filter(({ status }) => status === 'PENDING')
  }

  #sendOne(message: Queued): void {
    if (this.#isStale(message)) {
      message.status = 'DROPPED'
      return
    }
    const isAgain = this.#received.has(message.id)
    if (isAgain) this.deaths.duplicates++
    this.#received.add(message.id)
    message.sentMs ??= this.nowMs
    this.inbox.push({ id: isAgain && this.#plant === 'AGAIN' ? this.#ids++ : message.id, message })
    // Killed between sending and recording: it will be sent again.
    if (this.#rng.chance(0.1)) this.deaths.sending++
    else message.status = 'SENT'
  }

  #isStale({ kind, thread, contactUuid, id, conditionUuids }: Queued): boolean {
    if (!['DOWN', 'DEGRADED', 'REMINDER'].includes(kind)) return false
    const isEnded = this.#pending.some(
      (other) =>
        other.id > id &&
        ['RECOVERED', 'CLOSED'].includes(other.kind) &&
        other.thread === thread &&
        other.contactUuid === contactUuid,
    )
    if (this.#plant === 'LATE') return isEnded
    return isEnded || conditionUuids.every((uuid) => this.isClosed(uuid))
  }

  /** Ended by a person, not by recovery. */
  isClosed(uuid: string): boolean {
    const resolution = this.conditions.get(uuid)?.resolution ?? 'RECOVERED'
    return resolution !== 'RECOVERED'
  }
}
