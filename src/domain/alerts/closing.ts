// The end of what nobody saw recover, because the monitor was paused, changed or deleted. People hear nothing of it:
// whoever did it knows. What a pager keeps open until it is told otherwise is closed.

import type { ContactChannel } from './channels.ts'
import type { AlertCondition, AlertMessage, Contact, Notification } from './model.ts'

const KEEPS_ALARMS: ReadonlySet<ContactChannel> = new Set<ContactChannel>(['PAGERDUTY', 'OPSGENIE'])

/** Over without a recovery. */
const isClosed = ({ endedAt, resolution }: AlertCondition): boolean =>
  endedAt !== null && resolution !== null && resolution !== 'RECOVERED'

/** What a contact has heard of and is not over for it, by the message it began with. */
export function threadsOf(own: readonly Notification[]): Notification[][] {
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  return [...Map.groupBy(running, ({ thread }) => thread).values()]
}

/** Settled at once, in quiet hours too: it wakes nobody. `left` are the contact's tellings after that. */
export function closeThreads(
  contact: Contact,
  own: readonly Notification[],
  conditions: ReadonlyMap<string, AlertCondition>,
  now: Date,
): { messages: AlertMessage[]; notifications: Notification[]; left: Notification[] } {
  const settle = (notification: Notification): Notification => {
    const condition = conditions.get(notification.troubleUuid)
    const isNews = notification.endToldAt === null && condition !== undefined && isClosed(condition)
    return isNews ? { ...notification, endToldAt: now } : notification
  }
  const left = own.map(settle)
  return {
    messages: threadsOf(own).flatMap((thread) => closeThread(contact, thread, thread.map(settle))),
    notifications: left.filter((notification) => !own.includes(notification)),
    left,
  }
}

function closeThread(
  { uuid: contactUuid, channel, rules }: Contact,
  before: readonly Notification[],
  after: readonly Notification[],
): AlertMessage[] {
  const [first] = before
  const isOver = after.every(({ endToldAt }) => endToldAt !== null)
  const isKept = KEEPS_ALARMS.has(channel) && rules.states.includes('RECOVERED')
  if (first === undefined || !isOver || !isKept) return []
  const troubleUuids = before.map(({ troubleUuid }) => troubleUuid)
  return [{ contactUuid, kind: 'CLOSED', thread: first.thread, troubleUuids, openUuids: [] }]
}
