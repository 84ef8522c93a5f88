// Fields and values of changed objects, as people read them.
import { formatMs, plural } from '../../time/figures.ts'
import { formatDuration, formatFull } from '../../time/format.ts'
import { zoneLabel } from '../../time/zone-names.ts'

type Value = string | number | boolean | null

/** Fields whose name says something else than their label. */
const LABELS: Readonly<Record<string, string>> = {
  url: 'URL',
  verifySsl: 'Verify certificate',
  dnsRecordType: 'DNS record type',
  dnsExpected: 'Expected DNS records',
  dnsAlertOnChange: 'Alert when the answer changes',
  sslExpiryThresholdDays: 'Warn before expiry',
  expectedPeriodSec: 'Expect a ping every',
  graceSeconds: 'Grace period',
  degradedThresholdMs: 'Slow limit',
  degradedThresholdMode: 'Slow limit mode',
  degradedSamples: 'Slow limit checks',
  expectedStatus: 'Expected status codes',
  slug: 'URL slug',
  logoUrl: 'Logo URL',
  faviconUrl: 'Favicon URL',
  homepageUrl: 'Logo link',
  supportUrl: 'Support link',
  timezone: 'Time zone',
  locale: 'Language',
  historyDays: 'Days shown',
  states: 'Alert for',
  addTags: 'Added tags',
  mcpWrites: 'Changes by assistants (MCP)',
}

/** Whose label contains the text. The server matches all others, whose label is their name in words. */
export function fieldsLabeled(text: string): string[] {
  const part = text.toLowerCase()
  return Object.keys(LABELS).filter((field) => LABELS[field]?.toLowerCase().includes(part))
}

const UNITS = ['Seconds', 'Minutes', 'Days', 'Ms']

/** `intervalSeconds` -> `Interval`, `followRedirects` -> `Follow redirects`. */
export function fieldLabel(field: string): string {
  const known = LABELS[field]
  if (known !== undefined) return known
  const unit = UNITS.find((one) => field.endsWith(one)) ?? ''
  const letters = Array.from(field.slice(0, field.length - unit.length), (letter) =>
    letter === letter.toUpperCase() ? ` ${letter.toLowerCase()}` : letter,
  )
  const text = letters.join('')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const SECOND_MS = 1000
const MINUTE_MS = 60_000

/** With its unit, in the viewer's time zone. */
export function valueLabel(field: string, value: Value): string {
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? textLabel(field, value) : numberLabel(field, value)
}

function textLabel(field: string, value: string): string {
  if (field === 'timezone') return zoneLabel(value)
  return isInstant(value) ? formatFull(value) : value
}

function numberLabel(field: string, value: number): string {
  if (field.endsWith('Seconds') || field.endsWith('Sec')) return formatDuration(value * SECOND_MS)
  if (field.endsWith('Minutes')) return formatDuration(value * MINUTE_MS)
  if (field.endsWith('Ms')) return formatMs(value)
  return field.endsWith('Days') ? plural(value, 'day') : String(value)
}

const ISO_LENGTH = '2026-11-14T22:39:00.000Z'.length

function isInstant(text: string): boolean {
  return text.length === ISO_LENGTH && text.endsWith('Z') && !Number.isNaN(Date.parse(text))
}
