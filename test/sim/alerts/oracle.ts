// What is wrong with a simulated life of alerts, judged by what contacts received and not by how it was decided.
import type { AlertCondition, Contact } from '../../../src/domain/alerts/model.ts'
import type { Life, Queued } from './life.ts'
import { isQuiet } from './quiet.ts'

const BEGINNINGS = ['DOWN', 'DEGRADED', 'EXPIRING', 'DNS_CHANGED']
const ENDS = ['RECOVERED', 'PARTLY_RECOVERED']
const ALARMS = ['DOWN', 'DEGRADED', 'REMINDER', 'PARTLY_RECOVERED']
const PAGERS = ['PAGERDUTY', 'OPSGENIE']
const MINUTE_MS = 60_000
const STEP_MS = 60_000
// As long as planners may be frozen, plus the time a message waits to be grouped.
const LATE_MS = 12 * MINUTE_MS
// Planners may be frozen again while they are.
const FREEZES_MS = 3 * LATE_MS

/** Requires that nothing was frozen for the last two days and everything has ended. */
export function violationsOf(life: Life): string[] {
  return [
    ...life.contacts.flatMap((contact) =>
      [...life.conditions.values()].flatMap((condition) => aboutOne(life, contact, condition)),
    ),
    ...life.contacts.flatMap((contact) => aboutTimes(life, contact)),
    ...life.contacts.flatMap((contact) => aboutAlarms(life, contact)),
    ...(life.queue.some(({ status }) => status === 'PENDING') ? ['something was never sent'] : []),
    ...(life.done.size === life.conditions.size ? [] : ['something is open for ever']),
  ]
}

function aboutOne(life: Life, contact: Contact, condition: AlertCondition): string[] {
  const isAbout = (message: Queued, kinds: readonly string[]) =>
    isAddressed(message, contact, condition) && kinds.includes(message.kind)
  const received = (kinds: readonly string[]) =>
    new Set(life.inbox.filter(({ message }) => isAbout(message, kinds)).map(({ id }) => id)).size
  // An alert may be overtaken by its own recovery, which then reports both.
  const isPlanned = life.queue.some((message) => isAbout(message, BEGINNINGS))
  const [begun, ended] = [received(BEGINNINGS), received(ENDS)]
  const isClosed = life.isClosed(condition.uuid)
  const wantsEnd =
    condition.kind !== 'EXPIRING' && !isClosed && contact.rules.states.includes('RECOVERED')
  const rules: [isBroken: boolean, what: string][] = [
    [begun > 1, `alerted ${begun} times`],
    [ended > 1, `its end is sent ${ended} times`],
    [mustReceive(contact, condition) && !isPlanned, 'forgotten'],
    [isPlanned && wantsEnd && ended === 0, 'its end is not sent'],
    [!isPlanned && ended > 0, 'the end of what was never sent'],
    [isClosed && ended > 0, 'a recovery nobody saw'],
    [begun > 0 && delayOf(contact, condition) === undefined, 'came later'],
    ...aboutStep(life, contact, condition),
  ]
  return rules.flatMap(([isBroken, what]) =>
    isBroken ? `${condition.uuid} to ${contact.uuid}: ${what}` : [],
  )
}

const stepOf = ({ uuid }: Contact, { escalation }: AlertCondition) =>
  escalation.find(({ contactUuid }) => contactUuid === uuid)

/** Minutes from the outage to the first alert; undefined if the contact is not concerned. */
function delayOf(contact: Contact, condition: AlertCondition): number | undefined {
  const { delayMinutes } = contact.rules
  if (condition.contactUuids.includes(contact.uuid)) return delayMinutes
  const step = stepOf(contact, condition)
  return step && Math.max(delayMinutes, step.afterMinutes)
}

/** Never before its minute, never after an acknowledgement, and soon after it is due unless the contact is quiet. */
function aboutStep(
  life: Life,
  contact: Contact,
  condition: AlertCondition,
): [isBroken: boolean, what: string][] {
  const delay = delayOf(contact, condition)
  const isStep = !condition.contactUuids.includes(contact.uuid)
  const first = life.queue.find(
    (message) => isAddressed(message, contact, condition) && BEGINNINGS.includes(message.kind),
  )
  if (delay === undefined || first === undefined) return []
  const { plannedMs } = first
  const dueMs = condition.noticedAt.getTime() + delay * MINUTE_MS
  const takenMs = condition.acknowledgedAt?.getTime() ?? Number.POSITIVE_INFINITY
  const isLoud = [0, 1, 2, 3, 4, 5, 6].every(
    (part) => !isQuiet(contact.rules.quiet, dueMs + (part * FREEZES_MS) / 6),
  )
  const isAlone = first.conditionUuids.length === 1
  return [
    [plannedMs < dueMs, 'alerted before its minute'],
    [isStep && plannedMs > takenMs, 'escalated after an acknowledgement'],
    [isStep && isLoud && plannedMs > dueMs + FREEZES_MS, 'escalated late'],
    [isAlone && isStep !== (first.escalated !== undefined), 'does not say that it is a step'],
  ]
}

const isAddressed = (message: Queued, contact: Contact, condition: AlertCondition) =>
  message.contactUuid === contact.uuid && message.conditionUuids.includes(condition.uuid)

/** It lasted into an hour in which the contact may be notified, longer than any delay. */
function mustReceive(contact: Contact, condition: AlertCondition): boolean {
  const { rules } = contact
  const { kind, noticedAt, endedAt, acknowledgedAt } = condition
  const delay = delayOf(contact, condition)
  if (delay === undefined || !rules.states.includes(kind)) return false
  const isStep = !condition.contactUuids.includes(contact.uuid)
  const fromMs = noticedAt.getTime() + delay * MINUTE_MS + LATE_MS
  const endMs = Math.min(
    endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
    (isStep && acknowledgedAt?.getTime()) || Number.POSITIVE_INFINITY,
  )
  for (let ms = fromMs; ms < Math.min(endMs, fromMs + 26 * 60 * MINUTE_MS); ms += STEP_MS) {
    // A whole period without quiet hours, so that a poll fell into it.
    const isLoud = [0, LATE_MS / 2, LATE_MS].every((more) => !isQuiet(rules.quiet, ms + more))
    if (isLoud && ms + LATE_MS < endMs) return true
  }
  return false
}

/**
 * People are not notified of a pause. A pager has no alert left open, and gets none for a condition that a person
 * ended.
 */
function aboutAlarms(life: Life, contact: Contact): string[] {
  const own = life.queue.filter(({ contactUuid }) => contactUuid === contact.uuid)
  const isPager = PAGERS.includes(contact.channel)
  const bothers = own.filter(({ kind }) => kind === 'CLOSED' && !isPager)
  const late = own.filter(({ kind, sentMs, conditionUuids }) => {
    if (!BEGINNINGS.includes(kind) || sentMs === undefined) return false
    return conditionUuids.every((uuid) => {
      const overMs = life.conditions.get(uuid)?.endedAt?.getTime()
      return life.isClosed(uuid) && overMs !== undefined && overMs < sentMs
    })
  })
  const isWanted = isPager && contact.rules.states.includes('RECOVERED')
  const ringing = [...Map.groupBy(own, ({ thread }) => thread).values()].filter((thread) => {
    const last = thread.findLast(({ kind }) => [...ALARMS, ...ENDS, 'CLOSED'].includes(kind))
    return isWanted && last !== undefined && ALARMS.includes(last.kind)
  })
  return [
    ...bothers.map(() => `${contact.uuid}: alerted of a pause`),
    ...late.map(({ kind }) => `${contact.uuid}: ${kind} after the pause`),
    ...ringing.map(() => `${contact.uuid}: an alarm is open for ever`),
  ]
}

function aboutTimes(life: Life, contact: Contact): string[] {
  const own = life.queue.filter(({ contactUuid }) => contactUuid === contact.uuid)
  const { quiet, reminderMinutes } = contact.rules
  // Closing an alert wakes nobody.
  const woken = own.filter(({ kind, plannedMs }) => kind !== 'CLOSED' && isQuiet(quiet, plannedMs))
  const reminders = own.filter(({ kind }) => kind === 'REMINDER')
  const nagged = reminders.filter(({ conditionUuids, plannedMs }) =>
    conditionUuids.some((uuid) => {
      const { acknowledgedAt, endedAt } = life.conditions.get(uuid) ?? {}
      const [takenMs, overMs] = [acknowledgedAt?.getTime(), endedAt?.getTime()]
      return (takenMs ?? plannedMs) < plannedMs || (overMs ?? plannedMs) < plannedMs
    }),
  )
  const hurried = [...Map.groupBy(reminders, ({ thread }) => thread).values()].flatMap((thread) =>
    thread.filter((one, index) => {
      const before = thread[index - 1]
      const leastMs = (reminderMinutes ?? Number.POSITIVE_INFINITY) * MINUTE_MS
      return before !== undefined && one.plannedMs - before.plannedMs < leastMs
    }),
  )
  return [
    ...woken.map(({ kind }) => `${contact.uuid}: ${kind} in quiet hours`),
    ...nagged.map(() => `${contact.uuid}: reminded of what is taken or over`),
    ...hurried.map(() => `${contact.uuid}: reminded too soon`),
  ]
}
