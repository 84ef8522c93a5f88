// When the owners of an organization are told that an alert contact cannot be reached, and what they are told.
import { type Alert, bounded } from './alert.ts'
import { CHANNEL_NAMES, type ContactChannel } from './channels.ts'
import type { AlertContext } from './text.ts'
import { formatAt } from './times.ts'

/** FAILING: an alert to it was lost. GIVEN_UP: it is not tried any more. */
export type FailureKind = 'FAILING' | 'GIVEN_UP'

export type FailingContact = {
  name: string
  channel: ContactChannel
  isGivenUp: boolean
  failingSince: Date | null
  lastSuccessAt: Date | null
  /** What the owners were told last; null since it was changed or tested. */
  told: { at: Date; of: FailureKind } | null
}

// One that fails every other time must not fill their mailboxes.
const AT_MOST_EVERY_MS = 24 * 3_600_000

/** Asked when an alert to it was lost. Undefined when they know. */
export function ownerNotificationKind(contact: FailingContact, now: Date): FailureKind | undefined {
  const { isGivenUp, lastSuccessAt, told } = contact
  const kind = isGivenUp ? 'GIVEN_UP' : 'FAILING'
  if (told === null) return kind
  const hasWorked = lastSuccessAt !== null && lastSuccessAt > told.at
  if (isGivenUp) return hasWorked || told.of === 'FAILING' ? kind : undefined
  return hasWorked && now.getTime() - told.at.getTime() >= AT_MOST_EVERY_MS ? kind : undefined
}

/** An alert that did not arrive. */
export type LostAlert = {
  contact: FailingContact
  kind: FailureKind
  /** The title of the alert. */
  title: string
  /** In the provider's words. */
  error: string
}

/** One letter about all contacts that failed at once. */
export function toOwnerAlert(
  lost: readonly LostAlert[],
  thread: string,
  context: AlertContext,
): Alert {
  const { organization, baseUrl, at } = context
  const [first] = lost
  if (first === undefined) throw new Error('Owners are told of something')
  const isOne = lost.length === 1
  return bounded({
    kind: 'CONTACT_FAILING',
    thread,
    organization,
    title: isOne ? titleOfOne(first) : `${lost.length} alert contacts cannot be reached`,
    summary: isOne ? summaryOfOne(first, context) : 'Alerts to them did not arrive',
    facts: isOne
      ? factsOfOne(first)
      : lost.map((one) => ({ label: one.contact.name, value: `${nameOf(one)}: ${one.error}` })),
    links: { open: `${baseUrl}/alert-contacts`, acknowledge: null },
    at: at.toISOString(),
  })
}

const nameOf = ({ contact }: LostAlert) => CHANNEL_NAMES[contact.channel]

function titleOfOne({ contact, kind }: LostAlert): string {
  return kind === 'GIVEN_UP'
    ? `${contact.name} is not alerted any more`
    : `An alert did not reach ${contact.name}`
}

function summaryOfOne(lost: LostAlert, { timezone }: AlertContext): string {
  const { failingSince } = lost.contact
  const since = failingSince === null ? '' : ` since ${formatAt(failingSince, timezone)}`
  return `By ${nameOf(lost)}${since}`
}

// biome-ignore format: a table is read by its columns
const NOW: Record<FailureKind, string> = {
  FAILING:  'The next alert is sent to it again. Change or test it, so that it arrives.',
  GIVEN_UP: 'Nothing is sent to it until somebody changes or tests it.',
}

const factsOfOne = ({ kind, title, error }: LostAlert) => [
  { label: 'Alert', value: title },
  { label: 'Why', value: error },
  { label: 'What now', value: NOW[kind] },
]
