// Which alerts the outages of one monitor would have caused: the planner's own decisions, one after the other.
import type { Degradation, ReplayedIncident } from '../incidents/replay.ts'
import type { Interval } from '../monitors/uptime.ts'
import type { AlertKind } from './alert.ts'
import { planAlerts } from './alerting.ts'
import type { Timing } from './clusters.ts'
import type { AlertCondition, Contact, EscalatedContact, Notification } from './model.ts'

export type ReplayedAlert = { at: Date; contactUuid: string; kind: AlertKind }

/** Who is alerted about the monitor, by the rules of now. */
export type ReplayAudience = {
  contacts: readonly Contact[]
  attachedUuids: readonly string[]
  escalation: readonly EscalatedContact[]
}

export type Occasion = {
  kind: 'DOWN' | 'DEGRADED'
  from: Date
  to: Date | null
  resolution: string | null
  acknowledgedAt: Date | null
}

type AlertReplay = {
  occasions: readonly Occasion[]
  audience: ReplayAudience
  maintenance: readonly Interval[]
  timing: Timing
  until: Date
}

// One plan for each contact and change. More than this would keep the process busy for too long.
const MAX_PLANS = 20_000
// An outage takes about three.
const MAX_POLLS = 60_000

type AlertReplayResult = { alerts: ReplayedAlert[]; isComplete: boolean }

/** `isComplete` is false if not all occasions were replayed. It pauses after each decision. */
export function* replayAlerts(input: AlertReplay): Generator<undefined, AlertReplayResult> {
  if (input.audience.contacts.length === 0) return { alerts: [], isComplete: true }
  const most = Math.floor(MAX_PLANS / input.audience.contacts.length)
  const sorted = input.occasions.toSorted((a, b) => a.from.getTime() - b.from.getTime())
  const occasions = sorted.slice(-most)
  const { alerts, isOver } = yield* play({ ...input, occasions })
  return { alerts, isComplete: isOver && occasions.length === sorted.length }
}

type Play = { conditions: AlertCondition[]; notifications: Notification[]; alerts: ReplayedAlert[] }

function* play(
  input: AlertReplay,
): Generator<undefined, { alerts: ReplayedAlert[]; isOver: boolean }> {
  const { audience, timing, until } = input
  const changes = new Upcoming(changesOf(input), (changeMs) => changeMs)
  const numbered = input.occasions.map((occasion, at) => ({ occasion, uuid: `occasion ${at}` }))
  const coming = new Upcoming(numbered, ({ occasion }) => occasion.from.getTime())
  const state: Play = { conditions: [], notifications: [], alerts: [] }
  let open: typeof numbered = []
  let pollMs = Number.POSITIVE_INFINITY
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    yield
    const nowMs = Math.min(pollMs, changes.nextMs)
    if (nowMs > until.getTime()) return { alerts: state.alerts, isOver: true }
    changes.take(nowMs)
    const now = new Date(nowMs)
    open.push(...coming.take(nowMs))
    const window = input.maintenance.find(({ from, to }) => from <= now && now < to)
    state.conditions = open.map(({ occasion, uuid }) =>
      conditionAt(occasion, uuid, audience, { now, isSilent: window !== undefined }),
    )
    const done = planOnce(state, audience.contacts, timing, now)
    open = open.filter(({ uuid }) => !done.nowDone.has(uuid))
    // Nothing but an end or an acknowledgement matters in a window, and those are changes.
    pollMs = window?.to.getTime() ?? done.nextPollMs
  }
  return { alerts: state.alerts, isOver: false }
}

/** A sorted list, from its front. */
class Upcoming<T> {
  readonly #items: readonly T[]
  readonly #msOf: (item: T) => number
  #next = 0

  constructor(items: readonly T[], msOf: (item: T) => number) {
    this.#items = items
    this.#msOf = msOf
  }

  get nextMs(): number {
    const item = this.#items[this.#next]
    return item === undefined ? Number.POSITIVE_INFINITY : this.#msOf(item)
  }

  /** Everything up to then. */
  take(untilMs: number): T[] {
    const from = this.#next
    while (this.nextMs <= untilMs) this.#next += 1
    return this.#items.slice(from, this.#next)
  }
}

/** Every moment at which something may have to be decided, in order. */
function changesOf({ occasions, maintenance }: AlertReplay): number[] {
  const times = [
    ...occasions.flatMap(({ from, to, acknowledgedAt }) => [from, to, acknowledgedAt]),
    ...maintenance.map(({ to }) => to),
  ]
  const known = times.flatMap((at) => at?.getTime() ?? [])
  return [...new Set(known)].toSorted((a, b) => a - b)
}

type Moment = { now: Date; isSilent: boolean }

function conditionAt(
  { kind, from, to, resolution, acknowledgedAt }: Occasion,
  uuid: string,
  { attachedUuids, escalation }: ReplayAudience,
  { now, isSilent }: Moment,
): AlertCondition {
  const endedAt = to !== null && to <= now ? to : null
  return {
    uuid,
    kind,
    monitorUuid: 'replayed',
    host: null,
    noticedAt: from,
    endedAt,
    resolution: endedAt && resolution,
    acknowledgedAt: acknowledgedAt !== null && acknowledgedAt <= now ? acknowledgedAt : null,
    isSilent,
    awaitsHost: false,
    contactUuids: attachedUuids,
    escalation: kind === 'DOWN' ? escalation : [],
  }
}

function planOnce(state: Play, contacts: readonly Contact[], timing: Timing, now: Date) {
  const { conditions, notifications } = state
  const plan = planAlerts({ conditions, contacts, notifications }, timing, now)
  for (const { contactUuid, kind } of plan.messages)
    state.alerts.push({ at: now, contactUuid, kind })
  const nowDone = new Set(plan.doneUuids)
  const keyOf = ({ conditionUuid, contactUuid }: Notification) => `${conditionUuid} ${contactUuid}`
  const changed = new Map(plan.notifications.map((one) => [keyOf(one), one]))
  const kept = notifications.filter((one) => !changed.has(keyOf(one)))
  state.notifications = [...kept, ...changed.values()].filter(
    ({ conditionUuid }) => !nowDone.has(conditionUuid),
  )
  return { nowDone, nextPollMs: plan.nextPollAt?.getTime() ?? Number.POSITIVE_INFINITY }
}

/** `acknowledgedAt`: by recorded incident. */
export function occasionsOf(
  incidents: readonly ReplayedIncident[],
  degradations: readonly Degradation[],
  acknowledgedAt: ReadonlyMap<string, Date | null>,
): Occasion[] {
  return [
    ...incidents.map(({ startedAt, resolvedAt, resolution, recordedUuid }) => ({
      kind: 'DOWN' as const,
      from: startedAt,
      to: resolvedAt,
      resolution,
      acknowledgedAt: acknowledgedAt.get(recordedUuid ?? '') ?? null,
    })),
    ...degradations.map(({ from, to }) => ({
      kind: 'DEGRADED' as const,
      from,
      to,
      resolution: to && 'RECOVERED',
      acknowledgedAt: null,
    })),
  ]
}
