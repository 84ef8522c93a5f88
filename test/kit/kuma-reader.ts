// What pythonkuma, the library behind Home Assistant's integration for Uptime Kuma, makes of the metrics: it requests
// `<base URL>/metrics` with Basic authentication, an empty name and the key as password, takes the families whose name
// starts with "monitor", and builds one record per monitor. Its rules, written down again from its behavior.
import assert from 'node:assert/strict'
import { readExposition } from './exposition.ts'

const COMMON_LABELS = new Set([
  'monitor_id',
  'monitor_name',
  'monitor_type',
  'monitor_url',
  'monitor_hostname',
  'monitor_port',
  'window',
])
const STATUSES = ['DOWN', 'UP', 'PENDING', 'MAINTENANCE']
const TYPES = new Set(['http', 'keyword', 'port', 'ping', 'dns', 'push'])
const WINDOWS = ['1d', '30d', '365d']

type KumaRecord = {
  name: string
  type: string
  status: string
  url: string | null
  hostname: string | null
  port: string | null
  responseTimeMs: number
  certDaysRemaining: number | null
  certIsValid: boolean | null
  uptimeRatios: Record<string, number | null>
  tags: string[]
}

export async function readAsHomeAssistant(
  baseUrl: string,
  key: string,
): Promise<Map<string | number, KumaRecord>> {
  const credentials = Buffer.from(`:${key}`).toString('base64')
  const response = await fetch(`${baseUrl}/metrics`, {
    headers: { Authorization: `Basic ${credentials}` },
  })
  assert.equal(response.status, 200)
  return toRecords(await response.text())
}

function toRecords(text: string): Map<string | number, KumaRecord> {
  const merged = new Map<string | number, { labels: Labels; values: Map<string, number> }>()
  for (const { name: family, samples } of readExposition(text)) {
    if (!family.startsWith('monitor')) continue
    for (const { name, labels, value } of samples) {
      const monitorId = labels['monitor_id']
      // int() of anything but digits would end the integration's update.
      if (monitorId) assert.match(monitorId, /^\d+$/)
      const key = monitorId ? Number(monitorId) : needed(labels, 'monitor_name')
      const record = merged.get(key) ?? { labels, values: new Map<string, number>() }
      const window = labels['window']
      record.values.set(window ? `${name}_${window}` : name, value)
      merged.set(key, record)
    }
  }
  return new Map([...merged].map(([key, { labels, values }]) => [key, toRecord(labels, values)]))
}

type Labels = Record<string, string>

/** A label without which the record cannot be built. */
function needed(labels: Labels, name: string): string {
  const value = labels[name]
  assert.ok(value !== undefined, `${name} is missing`)
  return value
}

function toRecord(labels: Labels, values: ReadonlyMap<string, number>): KumaRecord {
  const orNull = (name: string) => (needed(labels, name) === 'null' ? null : needed(labels, name))
  const type = labels['monitor_type'] ?? 'http'
  const valid = values.get('monitor_cert_is_valid')
  return {
    name: needed(labels, 'monitor_name'),
    type: TYPES.has(type) ? type : 'unknown',
    status: statusOf(values),
    url: orNull('monitor_url'),
    hostname: orNull('monitor_hostname'),
    port: orNull('monitor_port'),
    responseTimeMs: wholeNumber(values.get('monitor_response_time')) ?? 0,
    certDaysRemaining: wholeNumber(values.get('monitor_cert_days_remaining')),
    certIsValid: valid === undefined ? null : valid !== 0,
    uptimeRatios: Object.fromEntries(
      WINDOWS.map((window) => [window, values.get(`monitor_uptime_ratio_${window}`) ?? null]),
    ),
    tags: Object.keys(labels).filter((name) => !COMMON_LABELS.has(name)),
  }
}

/** Not optional there: a monitor without it fails the whole update. */
function statusOf(values: ReadonlyMap<string, number>): string {
  const status = STATUSES[values.get('monitor_status') ?? -1]
  assert.ok(status !== undefined, 'a monitor has no valid monitor_status')
  return status
}

function wholeNumber(value: number | undefined): number | null {
  return value === undefined ? null : Math.trunc(value)
}
