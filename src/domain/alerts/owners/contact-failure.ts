// When the owners of an organization are notified that an alert contact is failing, and the text of that alert.
import { PATHS } from '../../values/dashboard-paths.ts'
import { type Alert, bounded } from '../alert.ts'
import { CHANNELS, type ContactChannel } from '../channels.ts'
import type { AlertContext } from '../text.ts'
import { formatAt } from '../times.ts'

/** FAILING: an alert to it was lost. GIVEN_UP: no more alerts are sent to it. */
export type FailureKind = 'FAILING' | 'GIVEN_UP'

export type FailingContact = {
  name: string
  channel: ContactChannel
  isGivenUp: boolean
  failingSince: Date | null
  lastSuccessAt: Date | null
  /** The last notification to the owners. Reset to null when the contact is changed or tested. */
  told: { at: Date; of: FailureKind } | null
}

// A contact that fails every other time must not flood the owners' mailboxes.
const AT_MOST_EVERY_MS = 24 * 3_600_000

/** Called when an alert to the contact was lost. Undefined if the owners already know. */
export function ownerNotificationKind(contact: FailingContact, now: Date): FailureKind | undefined {
  const { isGivenUp, lastSuccessAt, told } = contact
  const kind = isGivenUp ? 'GIVEN_UP' : 'FAILING'
  if (told === null) return kind
  const hasWorked = lastSuccessAt !== null && lastSuccessAt > told.at
  if (isGivenUp) return hasWorked || told.of === 'FAILING' ? kind : undefined
  return hasWorked && now.getTime() - told.at.getTime() >= AT_MOST_EVERY_MS ? kind : undefined
}

/** An alert that was not delivered. */
export type LostAlert = {
  contact: FailingContact
  kind: FailureKind
  /** The title of the alert. */
  title: string
  /** The provider's error message. */
  error: string
}

/** One email about all contacts that failed at the same time. */
export function toOwnerAlert(
  lost: readonly LostAlert[],
  thread: string,
  context: AlertContext,
): Alert {
  const { organization, baseUrl, at } = context
  const [first] = lost
  if (first === undefined) throw new Error('Owners are notified of a lost alert')
  const isOne = lost.length === 1
  return bounded({
    kind: 'CONTACT_FAILING',
    thread,
    organization,
    title: isOne ? titleOfOne(first) : `${lost.length} alert contacts are failing`,
    summary: isOne ? summaryOfOne(first, context) : 'Alerts to them failed',
    facts: isOne
      ? factsOfOne(first)
      : lost.map((one) => ({ label: one.contact.name, value: `${nameOf(one)}: ${one.error}` })),
    links: { open: `${baseUrl}${PATHS.alertContacts}`, acknowledge: null },
    at: at.toISOString(),
  })
}

function nameOf({ contact }: LostAlert): string {
  const { label, inSentence = label } = CHANNELS[contact.channel]
  return inSentence
}

function titleOfOne({ contact, kind }: LostAlert): string {
  return kind === 'GIVEN_UP'
    ? `${contact.name} no longer gets alerts`
    : `An alert to ${contact.name} failed`
}

function summaryOfOne(lost: LostAlert, { timezone }: AlertContext): string {
  const { failingSince } = lost.contact
  const since = failingSince === null ? '' : ` since ${formatAt(failingSince, timezone)}`
  return `By ${nameOf(lost)}${since}`
}

// biome-ignore format: a table is read by its columns
const NOW: Record<FailureKind, string> = {
  FAILING:  'The next alert is still sent to it. Test it, or correct its settings.',
  GIVEN_UP: 'No alerts are sent to it until someone tests it or changes its settings.',
}

const factsOfOne = ({ kind, title, error }: LostAlert) => [
  { label: 'Alert', value: title },
  { label: 'Why', value: error },
  { label: 'Next step', value: NOW[kind] },
]
