// What every message to a subscriber says about its notice: a word or two, and where to read more.
import type { SubscriberNotice } from '../domain/status-pages/notice.ts'
import { type Clock, formatRange, formatTime } from '../render/email-times.ts'
import type { EmailMessages } from '../render/messages/shape.ts'

/** An incident's phase, or what happens to a window. */
export function noticeHead(notice: SubscriberNotice, messages: EmailMessages): string {
  if (notice.kind === 'WINDOW') return messages.window[notice.what]
  return notice.what === 'POST_MORTEM' ? messages.postMortem : messages.phases[notice.status]
}

export function noticeUrl(notice: SubscriberNotice, pageUrl: string): string {
  if (notice.kind === 'STATUS_INCIDENT') return `${pageUrl}/incidents/${notice.id}`
  // A canceled window no longer has a page.
  return notice.what === 'CANCELED' ? pageUrl : `${pageUrl}/maintenance/${notice.id}`
}

/** A window's time range, or when an incident update was posted. */
export function noticeTime(notice: SubscriberNotice, clock: Clock): string {
  return notice.kind === 'WINDOW'
    ? formatRange(notice.startsAt, notice.endsAt, clock)
    : formatTime(notice.at, clock)
}
