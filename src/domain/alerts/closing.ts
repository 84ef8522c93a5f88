// Ends conditions that did not recover because the monitor was paused, changed or deleted. People are not notified: the
// person who did it knows. Alarms that a pager keeps open are closed.

import { CHANNELS } from './channels.ts'
import type { AlertCondition, AlertMessage, Contact, Notification } from './model.ts'

/** Ended without a recovery. */
const isClosed = ({ endedAt, resolution }: AlertCondition): boolean =>
  endedAt !== null && resolution !== null && resolution !== 'RECOVERED'

/** What a contact was notified of and has not ended for it, grouped by the message that opened it. */
export function threadsOf(own: readonly Notification[]): Notification[][] {
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  return [...Map.groupBy(running, ({ thread }) => thread).values()]
}

/**
 * Applies immediately, even in quiet hours, because it wakes no one. `left` holds the contact's notifications after
 * that.
 */
export function closeThreads(
  contact: Contact,
  own: readonly Notification[],
  conditions: ReadonlyMap<string, AlertCondition>,
  now: Date,
): { messages: AlertMessage[]; notifications: Notification[]; left: Notification[] } {
  const settle = (notification: Notification): Notification => {
    const condition = conditions.get(notification.conditionUuid)
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
  const isKept = CHANNELS[channel].keepsAlarm && rules.states.includes('RECOVERED')
  if (first === undefined || !isOver || !isKept) return []
  const conditionUuids = before.map(({ conditionUuid }) => conditionUuid)
  return [{ contactUuid, kind: 'CLOSED', thread: first.thread, conditionUuids, openUuids: [] }]
}
