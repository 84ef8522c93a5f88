// Who subscribed to a status page, by email or with the URL of a webhook, and what the form sends them.

export const SUBSCRIBER_KINDS = ['EMAIL', 'SLACK', 'WEBHOOK'] as const
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number]
/** Reached by a URL. */
export type HookKind = Exclude<SubscriberKind, 'EMAIL'>

export type Subscriber = {
  uuid: string
  pageUuid: string
  kind: SubscriberKind
  /** Null for the whole page. */
  componentUuids: readonly string[] | null
  confirmedAt: Date | null
  /** How many emails were sent because someone typed this address into the form, and when the last one was. */
  mailsAskedFor: number
  askedAt: Date
}

const DAY_MS = 86_400_000
export const CONFIRM_WITHIN_DAYS = 2

/** After an email, the form sends none to the same address for a while, and longer each time. */
const QUIET_MINUTES = [5, 60, 720]
const LONGEST_QUIET_MINUTES = 1440
const MINUTE_MS = 60_000

/**
 * CONFIRM: the form sends an email with the confirmation link. REMIND: the address is confirmed, so the email links to
 * its settings, which the form itself must not change. NOTHING: an email was sent recently.
 */
export type SubscribeOutcome = 'CONFIRM' | 'REMIND' | 'NOTHING'

export function subscribeOutcome(known: Subscriber | undefined, now: Date): SubscribeOutcome {
  if (known === undefined) return 'CONFIRM'
  const quietMinutes = QUIET_MINUTES[known.mailsAskedFor - 1] ?? LONGEST_QUIET_MINUTES
  const isQuiet = now.getTime() - known.askedAt.getTime() < quietMinutes * MINUTE_MS
  if (known.mailsAskedFor > 0 && isQuiet) return 'NOTHING'
  return known.confirmedAt === null ? 'CONFIRM' : 'REMIND'
}

/** Whether the link of the last email still works. Links of a confirmed subscriber never expire. */
export function isLinkAlive(
  { confirmedAt, askedAt }: Pick<Subscriber, 'confirmedAt' | 'askedAt'>,
  now: Date,
): boolean {
  return confirmedAt !== null || now.getTime() - askedAt.getTime() < CONFIRM_WITHIN_DAYS * DAY_MS
}
