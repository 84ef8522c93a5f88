// Whoever asked on a status page to be told by e-mail, and what is sent when somebody asks.

export type Subscriber = {
  uuid: string
  pageUuid: string
  /** Null: the whole page. */
  componentUuids: readonly string[] | null
  confirmedAt: Date | null
  /** Mails sent because somebody typed this address into the form, and when the last one was. */
  mailsAskedFor: number
  askedAt: Date
}

const DAY_MS = 86_400_000
export const CONFIRM_WITHIN_DAYS = 2

/** After a mail the form sends none to the same address for a while, and each time for longer. */
const QUIET_MINUTES = [5, 60, 720]
const LONGEST_QUIET_MINUTES = 1440
const MINUTE_MS = 60_000

/**
 * What the form does for an address. CONFIRM: a mail with the link that confirms. REMIND: it is confirmed, so a
 * mail that leads to its settings; nobody else's form may change them. NOTHING: it had one a short while ago.
 */
export type SubscribeOutcome = 'CONFIRM' | 'REMIND' | 'NOTHING'

export function subscribeOutcome(known: Subscriber | undefined, now: Date): SubscribeOutcome {
  if (known === undefined) return 'CONFIRM'
  const quietMinutes = QUIET_MINUTES[known.mailsAskedFor - 1] ?? LONGEST_QUIET_MINUTES
  const isQuiet = now.getTime() - known.askedAt.getTime() < quietMinutes * MINUTE_MS
  if (known.mailsAskedFor > 0 && isQuiet) return 'NOTHING'
  return known.confirmedAt === null ? 'CONFIRM' : 'REMIND'
}

/** The link of the last mail still confirms. One that has confirmed keeps its links for good. */
export function isLinkAlive(
  { confirmedAt, askedAt }: Pick<Subscriber, 'confirmedAt' | 'askedAt'>,
  now: Date,
): boolean {
  return confirmedAt !== null || now.getTime() - askedAt.getTime() < CONFIRM_WITHIN_DAYS * DAY_MS
}
