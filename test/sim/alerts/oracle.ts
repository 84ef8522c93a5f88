// What is wrong with a life of alerts, found from what contacts have in their hands and not from how it was decided.
import type { Contact, Trouble } from '../../../src/domain/alerting.ts'
import type { Life, Queued } from './life.ts'
import { isQuiet } from './quiet.ts'

const BEGINNINGS = ['DOWN', 'DEGRADED', 'EXPIRING', 'DNS_CHANGED']
const ENDS = ['RECOVERED', 'PARTLY_RECOVERED']
const MINUTE_MS = 60_000
const STEP_MS = 60_000
// As long as planners may be frozen, and what a message waits for company.
const LATE_MS = 12 * MINUTE_MS

/** At the end of a life in which, for the last two days, nobody was frozen and everything has ended. */
export function violationsOf(life: Life): string[] {
  return [
    ...life.contacts.flatMap((contact) =>
      [...life.troubles.values()].flatMap((trouble) => aboutOne(life, contact, trouble)),
    ),
    ...life.contacts.flatMap((contact) => aboutTimes(life, contact)),
    ...(life.queue.some(({ status }) => status === 'PENDING') ? ['something was never sent'] : []),
    ...(life.done.size === life.troubles.size ? [] : ['something is open for ever']),
  ]
}

function aboutOne(life: Life, contact: Contact, trouble: Trouble): string[] {
  const isAbout = (message: Queued, kinds: readonly string[]) =>
    tells(message, contact, trouble) && kinds.includes(message.kind)
  const received = (kinds: readonly string[]) =>
    new Set(life.inbox.filter(({ message }) => isAbout(message, kinds)).map(({ id }) => id)).size
  // A beginning may be overtaken by its own end; then the end says both.
  const isPlanned = life.queue.some((message) => isAbout(message, BEGINNINGS))
  const [begun, ended] = [received(BEGINNINGS), received(ENDS)]
  const wantsEnd = trouble.kind !== 'EXPIRING' && contact.rules.states.includes('RECOVERED')
  const rules: [isBroken: boolean, what: string][] = [
    [begun > 1, `told ${begun} times`],
    [ended > 1, `its end is told ${ended} times`],
    [mustHear(contact, trouble) && !isPlanned, 'forgotten'],
    [isPlanned && wantsEnd && ended === 0, 'its end is not told'],
    [!isPlanned && ended > 0, 'the end of what was never told'],
    [begun > 0 && !trouble.contactUuids.includes(contact.uuid), 'came later'],
  ]
  return rules.flatMap(([isBroken, what]) =>
    isBroken ? `${trouble.uuid} to ${contact.uuid}: ${what}` : [],
  )
}

const tells = (message: Queued, contact: Contact, trouble: Trouble) =>
  message.contactUuid === contact.uuid && message.troubleUuids.includes(trouble.uuid)

/** It lasted into an hour in which the contact may be told, and through all that may delay it. */
function mustHear({ uuid, rules }: Contact, trouble: Trouble): boolean {
  const { kind, noticedAt, endedAt, contactUuids } = trouble
  if (!contactUuids.includes(uuid) || !rules.states.includes(kind)) return false
  const fromMs = noticedAt.getTime() + rules.delayMinutes * MINUTE_MS + LATE_MS
  const endMs = endedAt?.getTime() ?? Number.POSITIVE_INFINITY
  for (let ms = fromMs; ms < Math.min(endMs, fromMs + 26 * 60 * MINUTE_MS); ms += STEP_MS) {
    // A whole stretch without quiet hours, so that somebody looked in it.
    const isLoud = [0, LATE_MS / 2, LATE_MS].every((more) => !isQuiet(rules.quiet, ms + more))
    if (isLoud && ms + LATE_MS < endMs) return true
  }
  return false
}

function aboutTimes(life: Life, contact: Contact): string[] {
  const own = life.queue.filter(({ contactUuid }) => contactUuid === contact.uuid)
  const { quiet, reminderMinutes } = contact.rules
  const woken = own.filter(({ plannedMs }) => isQuiet(quiet, plannedMs))
  const reminders = own.filter(({ kind }) => kind === 'REMINDER')
  const nagged = reminders.filter(({ troubleUuids, plannedMs }) =>
    troubleUuids.some((uuid) => {
      const { acknowledgedAt, endedAt } = life.troubles.get(uuid) ?? {}
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
