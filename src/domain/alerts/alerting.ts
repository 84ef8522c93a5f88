// Decides who is notified of what, now. Pure: the input is the conditions, the contacts and the earlier notifications.
// Each start and end is reported once, and an end only to contacts that were notified of the start.
import { closeThreads, threadsOf } from './closing.ts'
import { type Cluster, clustersOf, type Timing } from './clusters.ts'
import { type DoubtGroup, doubtGroupsOf, isEndAwaited } from './doubt-group.ts'
import { delayMinutesOf, escalationOf } from './escalation.ts'
import type {
  AlertCondition,
  AlertConditionKind,
  AlertMessage,
  AlertRules,
  Contact,
  Notification,
} from './model.ts'
import { isForOwners } from './owners/failing-endpoint.ts'
import { join, nothing, type PlanStep } from './plan-step.ts'
import { quietUntil } from './quiet-hours.ts'

/** Reported once: no recovery message follows. A condition that ends before it is reported is never reported. */
const NOTIFIED_ONCE: ReadonlySet<AlertConditionKind> = new Set<AlertConditionKind>([
  'EXPIRING',
  'DNS_CHANGED',
  'WEBHOOK_FAILING',
])

type AlertInput = {
  conditions: readonly AlertCondition[]
  contacts: readonly Contact[]
  notifications: readonly Notification[]
}

export type AlertPlan = {
  messages: readonly AlertMessage[]
  /** New and changed ones. */
  notifications: readonly Notification[]
  /** Conditions without any contact. The owners are notified instead. */
  ownersUuids: readonly string[]
  /** Conditions that need no further notification. */
  doneUuids: readonly string[]
  /** Null if nothing is due until a condition ends or changes. */
  nextPollAt: Date | null
}

const MINUTE_MS = 60_000
// Polled because no clock predicts it: the results of a host's other monitors, the end of a maintenance window.
const POLL_INTERVAL_MS = 1_000

export function planAlerts(input: AlertInput, timing: Timing, now: Date): AlertPlan {
  const conditions = new Map(input.conditions.map((condition) => [condition.uuid, condition]))
  const steps = input.contacts
    .filter(({ enabled }) => enabled)
    .map((contact) =>
      planContact({ contact, conditions, notifications: input.notifications, timing, now }),
    )
  const changed = steps.flatMap(({ notifications }) => notifications)
  const waits = steps.flatMap((step) => step.waits.map((at) => at.getTime()))
  const notifications = new Map(
    [...input.notifications, ...changed].map((one) => [keyOf(one), one]),
  )
  const byCondition = Map.groupBy(notifications.values(), ({ conditionUuid }) => conditionUuid)
  const contacts = new Map(input.contacts.map((contact) => [contact.uuid, contact]))
  return {
    messages: steps.flatMap(({ messages }) => messages),
    notifications: changed,
    ownersUuids: input.conditions.flatMap((condition) =>
      isForOwners(condition) ? condition.uuid : [],
    ),
    doneUuids: input.conditions.flatMap((condition) =>
      isDone(condition, contacts, byCondition.get(condition.uuid) ?? []) ? condition.uuid : [],
    ),
    nextPollAt: waits.length === 0 ? null : new Date(Math.min(...waits)),
  }
}

type PlanContext = {
  contact: Contact
  conditions: ReadonlyMap<string, AlertCondition>
  notifications: readonly Notification[]
  timing: Timing
  now: Date
}

function planContact(context: PlanContext): PlanStep {
  const { contact, now } = context
  const own = context.notifications.filter(({ contactUuid }) => contactUuid === contact.uuid)
  const notified = new Set(own.map(({ conditionUuid }) => conditionUuid))
  const unnotified = [...context.conditions.values()].filter(
    (condition) =>
      condition.endedAt === null &&
      !notified.has(condition.uuid) &&
      delayMinutesOf(contact, condition) !== undefined &&
      contact.rules.states.includes(condition.kind),
  )
  const { left, ...closing } = closeThreads(contact, own, context.conditions, now)
  const closed = { ...closing, waits: [] }
  const threads = threadsOf(left)
  if (unnotified.length === 0 && threads.length === 0) return closed

  const quietEnd = quietUntil(contact.rules.quiet, now)
  if (quietEnd !== undefined) return join([closed, wait(quietEnd)])

  return join([
    closed,
    ...threads.map((thread) => endThread(context, thread)),
    ...threads.map((thread) => remind(context, thread)),
    notifyNew(
      context,
      unnotified.filter(({ doubt }) => doubt == null),
      left,
    ),
    ...doubtGroupsOf(unnotified, left, context.conditions).map((group) =>
      notifyDoubt(context, group, left),
    ),
  ])
}

/** The first message of a doubt names the outages known by then; those that follow join it without another. */
function notifyDoubt(
  context: PlanContext,
  { conditions, thread }: DoubtGroup,
  own: readonly Notification[],
): PlanStep {
  const { contact, timing, now } = context
  const loud = conditions.filter(({ isSilent }) => !isSilent)
  const silent = loud.length < conditions.length ? [wait(after(now, POLL_INTERVAL_MS))] : []
  if (thread !== undefined) {
    const contactUuid = contact.uuid
    const joined = { contactUuid, thread, toldAt: now, remindedAt: null, endToldAt: null }
    const notifications = loud.map(({ uuid: conditionUuid }) => ({ conditionUuid, ...joined }))
    return join([...silent, { ...nothing(), notifications }])
  }
  const ready = clustersOf(loud, [], timing).map(({ readyAt }) => readyAt.getTime())
  const dueAtOf = (condition: AlertCondition) =>
    after(new Date(Math.min(...ready)), (delayMinutesOf(contact, condition) ?? 0) * MINUTE_MS)
  const due = loud.filter((condition) => dueAtOf(condition) <= now)
  const waits = loud.filter((one) => !due.includes(one)).map((one) => wait(dueAtOf(one)))
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  return join([...silent, ...(due.length === 0 ? waits : [open(context, due, running)])])
}

function notifyNew(
  context: PlanContext,
  unnotified: readonly AlertCondition[],
  own: readonly Notification[],
): PlanStep {
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  const notified = own.flatMap(({ conditionUuid }) => context.conditions.get(conditionUuid) ?? [])
  const { contact, timing } = context
  // One message reports what is due at one time.
  const alike = Map.groupBy(
    unnotified,
    (condition) => `${condition.kind} ${delayMinutesOf(contact, condition)}`,
  )
  const clusters = [...alike.values()].flatMap((same) =>
    clustersOf(
      same,
      notified.filter(({ kind, doubt }) => kind === same[0]?.kind && doubt == null),
      timing,
    ),
  )
  return join(clusters.map((cluster) => notifyCluster(context, cluster, running)))
}

function notifyCluster(
  context: PlanContext,
  cluster: Cluster,
  running: readonly Notification[],
): PlanStep {
  const { contact, now } = context
  const { conditions, readyAt } = cluster
  const delays = conditions.map((condition) => delayMinutesOf(contact, condition) ?? 0)
  const dueAt = after(readyAt, Math.max(...delays) * MINUTE_MS)
  if (now < dueAt) return wait(conditions.some(isWaiting) ? soonest(dueAt, now) : dueAt)
  const loud = conditions.filter(({ isSilent }) => !isSilent)
  const silent = loud.length < conditions.length ? [wait(after(now, POLL_INTERVAL_MS))] : []
  return join([...silent, open(context, loud, running)])
}

const wait = (at: Date): PlanStep => ({ ...nothing(), waits: [at] })
const isWaiting = ({ awaitsHost }: AlertCondition) => awaitsHost
const soonest = (at: Date, now: Date) =>
  at < after(now, POLL_INTERVAL_MS) ? at : after(now, POLL_INTERVAL_MS)

function open(
  { contact, conditions, now }: PlanContext,
  notified: AlertCondition[],
  running: readonly Notification[],
): PlanStep {
  const [first] = notified
  if (first === undefined) return nothing()
  const { kind } = first
  const contactUuid = contact.uuid
  // A condition that gets worse continues the thread it began in, so that one recovery closes both.
  const monitors = new Set(notified.map(({ monitorUuid }) => monitorUuid))
  const before = running.find(({ conditionUuid }) => {
    const condition = conditions.get(conditionUuid)
    return condition?.endedAt === null && monitors.has(condition.monitorUuid)
  })
  const thread = before?.thread ?? first.uuid
  const isOver = NOTIFIED_ONCE.has(kind)
  const conditionUuids = notified.map(({ uuid }) => uuid)
  const notifications = conditionUuids.map((conditionUuid) => ({
    conditionUuid,
    contactUuid,
    thread,
    toldAt: now,
    remindedAt: null,
    endToldAt: isOver ? now : null,
  }))
  const [escalated] = notified.flatMap((one) => escalationOf(contact, one) ?? [])
  const message: AlertMessage = {
    contactUuid,
    kind,
    thread,
    conditionUuids,
    openUuids: conditionUuids,
    ...(escalated && { escalated }),
  }
  const reminderAt = reminderDueAt(contact.rules, now)
  return { messages: [message], notifications, waits: reminderAt === undefined ? [] : [reminderAt] }
}

function endThread(context: PlanContext, thread: readonly Notification[]): PlanStep {
  const { contact, conditions, timing, now } = context
  const endOf = ({ conditionUuid }: Notification) => conditions.get(conditionUuid)?.endedAt ?? null
  const ended = thread.filter((notification) => endOf(notification) !== null)
  const openUuids = thread.flatMap((one) => (endOf(one) === null ? one.conditionUuid : []))
  const [first] = ended
  if (first === undefined) return nothing()
  const ends = ended.flatMap((notification) => endOf(notification)?.getTime() ?? [])
  const readyAt = new Date(Math.min(...ends) + timing.togetherMs)
  if (openUuids.length > 0 && now < readyAt) return wait(readyAt)
  if (openUuids.some((uuid) => isEndAwaited(conditions.get(uuid))))
    return wait(after(now, POLL_INTERVAL_MS))

  const notifications = ended.map((notification) => ({ ...notification, endToldAt: now }))
  if (!contact.rules.states.includes('RECOVERED')) return { ...nothing(), notifications }
  const message: AlertMessage = {
    contactUuid: contact.uuid,
    kind: openUuids.length === 0 ? 'RECOVERED' : 'PARTLY_RECOVERED',
    thread: first.thread,
    conditionUuids: ended.map(({ conditionUuid }) => conditionUuid),
    openUuids,
  }
  return { messages: [message], notifications, waits: [] }
}

function remind(
  { contact, conditions, now }: PlanContext,
  thread: readonly Notification[],
): PlanStep {
  const open = thread.filter(({ conditionUuid }) => isReminded(conditions.get(conditionUuid)))
  const [first] = open
  const lastMs = Math.max(...open.map(({ remindedAt, toldAt }) => (remindedAt ?? toldAt).getTime()))
  const dueAt = first && reminderDueAt(contact.rules, new Date(lastMs))
  if (first === undefined || dueAt === undefined) return nothing()
  if (now < dueAt) return wait(dueAt)
  const loud = open.filter(({ conditionUuid }) => !conditions.get(conditionUuid)?.isSilent)
  if (loud.length === 0) return wait(after(now, POLL_INTERVAL_MS))
  const conditionUuids = loud.map(({ conditionUuid }) => conditionUuid)
  const base = { contactUuid: contact.uuid, kind: 'REMINDER' as const, thread: first.thread }
  const nextAt = reminderDueAt(contact.rules, now)
  return {
    messages: [{ ...base, conditionUuids, openUuids: conditionUuids }],
    notifications: loud.map((notification) => ({ ...notification, remindedAt: now })),
    waits: nextAt === undefined ? [] : [nextAt],
  }
}

const isReminded = (condition: AlertCondition | undefined) =>
  condition?.kind === 'DOWN' && condition.endedAt === null && condition.acknowledgedAt === null

function reminderDueAt({ reminderMinutes }: AlertRules, last: Date): Date | undefined {
  return reminderMinutes === null ? undefined : after(last, reminderMinutes * MINUTE_MS)
}

function isDone(
  condition: AlertCondition,
  contacts: ReadonlyMap<string, Contact>,
  own: readonly Notification[],
): boolean {
  const isOnce = NOTIFIED_ONCE.has(condition.kind)
  if (!isOnce && condition.endedAt === null) return false
  const isHeard = (uuid: string) => contacts.get(uuid)?.enabled === true
  if (own.some(({ contactUuid, endToldAt }) => endToldAt === null && isHeard(contactUuid)))
    return false
  if (condition.endedAt !== null) return true
  const notified = new Set(own.map(({ contactUuid }) => contactUuid))
  return condition.contactUuids.every(
    (uuid) =>
      notified.has(uuid) ||
      !isHeard(uuid) ||
      !contacts.get(uuid)?.rules.states.includes(condition.kind),
  )
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
const keyOf = ({ conditionUuid, contactUuid }: Notification) => `${conditionUuid} ${contactUuid}`
