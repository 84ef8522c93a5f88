// The end of what nobody saw recover, because the monitor was paused, changed or deleted. People hear nothing of it:
// whoever did it knows. What a pager keeps open until it is told otherwise is closed.
import type { AlertMessage, Contact, Telling, Trouble } from './alerting.ts'
import type { ContactChannel } from './contact.ts'

const KEEPS_ALARMS: ReadonlySet<ContactChannel> = new Set<ContactChannel>(['PAGERDUTY', 'OPSGENIE'])

/** Over without a recovery. */
const isClosed = ({ endedAt, resolution }: Trouble): boolean =>
  endedAt !== null && resolution !== null && resolution !== 'RECOVERED'

/** What a contact has heard of and is not over for it, by the message it began with. */
export function threadsOf(own: readonly Telling[]): Telling[][] {
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  return [...Map.groupBy(running, ({ thread }) => thread).values()]
}

/** Settled at once, in quiet hours too: it wakes nobody. `left` are the contact's tellings after that. */
export function closeThreads(
  contact: Contact,
  own: readonly Telling[],
  troubles: ReadonlyMap<string, Trouble>,
  now: Date,
): { messages: AlertMessage[]; tellings: Telling[]; left: Telling[] } {
  const settle = (telling: Telling): Telling => {
    const trouble = troubles.get(telling.troubleUuid)
    const isNews = telling.endToldAt === null && trouble !== undefined && isClosed(trouble)
    return isNews ? { ...telling, endToldAt: now } : telling
  }
  const left = own.map(settle)
  return {
    messages: threadsOf(own).flatMap((thread) => closeThread(contact, thread, thread.map(settle))),
    tellings: left.filter((telling) => !own.includes(telling)),
    left,
  }
}

function closeThread(
  { uuid: contactUuid, channel, rules }: Contact,
  before: readonly Telling[],
  after: readonly Telling[],
): AlertMessage[] {
  const [first] = before
  const isOver = after.every(({ endToldAt }) => endToldAt !== null)
  const isKept = KEEPS_ALARMS.has(channel) && rules.states.includes('RECOVERED')
  if (first === undefined || !isOver || !isKept) return []
  const troubleUuids = before.map(({ troubleUuid }) => troubleUuid)
  return [{ contactUuid, kind: 'CLOSED', thread: first.thread, troubleUuids, openUuids: [] }]
}
