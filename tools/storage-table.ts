// What one organization can store at most: the table in docs/operating/storage.md. Rows come from the limits in the code;
// the size of a row is what test/private/storage-table.test.ts measures at most.
import { MAX_ESCALATION_POLICIES } from '../src/domain/alerts/escalation.ts'
import { MAX_ALIASES } from '../src/domain/monitors/ping-alias.ts'
import { MAX_TAGS } from '../src/domain/monitors/tag.ts'
import { MAX_VIEWS } from '../src/domain/monitors/view.ts'
import { MAX_ENDED_KEYS, MAX_LIVE_KEYS } from '../src/domain/people/api-key.ts'
import { MAX_SOURCES } from '../src/domain/sources/binding.ts'
import type { DayKind } from '../src/domain/values/day-quota.ts'
import { PLANS, type Plan } from '../src/domain/values/plan.ts'
import { STORAGE_LIMITS, type StorageLimits } from '../src/domain/values/storage-limits.ts'
import { MAX_CONTACTS } from '../src/store/alerts/contacts.ts'

type StoredKind = {
  what: string
  /** Those that the size is measured by. */
  tables: readonly string[]
  rows(plan: Plan): number
  /** Of the largest one, with its share of indexes and of rows that belong to it. */
  rowBytes: number
}

const KB = 1000
const limited =
  (name: keyof StorageLimits) =>
  (plan: Plan): number =>
    STORAGE_LIMITS[plan][name]
const always = (rows: number) => (_plan: Plan) => rows

export const KINDS = {
  statusIncidents: {
    what: 'published incidents, with a post-mortem, 200 components and 1 page each',
    tables: [
      'status_incidents',
      'status_incident_post_mortems',
      'status_incident_pages',
      'status_incident_components',
    ],
    rows: limited('statusIncidents'),
    rowBytes: 110 * KB,
  },
  statusIncidentUpdates: {
    what: 'updates of published incidents',
    tables: ['status_incident_updates'],
    rows: limited('statusIncidentUpdates'),
    rowBytes: 65 * KB,
  },
  maintenanceWindows: {
    what: 'maintenance windows, with 20 monitors and 1 page each',
    tables: ['maintenance_windows', 'maintenance_window_monitors', 'maintenance_window_pages'],
    rows: limited('maintenanceWindows'),
    rowBytes: 16 * KB,
  },
  bindings: {
    what: 'bindings of configuration files',
    tables: ['code_bindings'],
    rows: limited('bindings'),
    rowBytes: 2 * KB,
  },
  sources: {
    what: 'configuration files',
    tables: ['code_sources'],
    rows: always(MAX_SOURCES),
    rowBytes: KB,
  },
  subscribers: {
    what: 'subscribers of one status page',
    tables: ['page_subscribers'],
    rows: limited('subscribersOfPage'),
    rowBytes: 7 * KB,
  },
  invitations: {
    what: 'open invitations',
    tables: ['invitations'],
    rows: limited('openInvitations'),
    rowBytes: 3 * KB,
  },
  keys: {
    what: 'API keys, also ended ones',
    tables: ['api_keys'],
    rows: always(MAX_LIVE_KEYS + MAX_ENDED_KEYS),
    rowBytes: 3 * KB,
  },
  tags: { what: 'tags', tables: ['tags'], rows: always(MAX_TAGS), rowBytes: 3 * KB },
  contacts: {
    what: 'alert contacts',
    tables: ['alert_contacts'],
    rows: always(MAX_CONTACTS),
    rowBytes: 400 * KB,
  },
  aliases: {
    what: 'ping aliases',
    tables: ['ping_aliases'],
    rows: always(MAX_ALIASES),
    rowBytes: KB,
  },
} as const satisfies Record<string, StoredKind>

/** Limited by rows alone: what they hold is small, or bounded by the monitors. */
const SMALL: readonly Pick<StoredKind, 'what' | 'rows'>[] = [
  { what: 'saved views', rows: always(MAX_VIEWS) },
  { what: 'escalation policies', rows: always(MAX_ESCALATION_POLICIES) },
  { what: 'members', rows: limited('members') },
]

/** The oldest go first: half an hour may pass before. */
const NEWEST: readonly Pick<StoredKind, 'what' | 'rows'>[] = [
  { what: 'entries of the audit log', rows: limited('auditEntries') },
  { what: 'resolved incidents', rows: limited('incidents') },
]

/** Days of events, deliveries and attempts, and of pings by default. The day that is being dropped is still there. */
const DAYS = 31

export const BY_DAY = {
  EVENTS: {
    what: 'events of changes, with deliveries and attempts',
    limit: 'eventBytesOfDay',
    beyond: '429 until the day ends',
  },
  NEWS: {
    what: 'events and notices of published incidents',
    limit: 'eventBytesOfDay',
    beyond: '429 until the day ends',
  },
  PINGS: {
    what: 'texts of pings',
    limit: 'pingBytesOfDay',
    beyond: 'recorded without the text',
  },
  RESPONSES: {
    what: 'responses of webhook receivers over 256 bytes',
    limit: 'responseBytesOfDay',
    beyond: 'recorded without the response',
  },
} as const satisfies Record<DayKind, { what: string; limit: keyof StorageLimits; beyond: string }>

const rowsText = (rows: number): string => rows.toLocaleString('en-US')

function sizeText(bytes: number): string {
  if (bytes >= 1000 ** 3) return `${(bytes / 1000 ** 3).toFixed(1)} GB`
  if (bytes >= 1000 ** 2) return `${Math.ceil(bytes / 1000 ** 2)} MB`
  return `${Math.ceil(bytes / 1000)} kB`
}

export function storageTable(): string {
  const lines = [
    `| at most | ${PLANS.join(' | ')} | one | all on FREE |`,
    `|---|${PLANS.map(() => '---:|').join('')}---:|---:|`,
    `| stored responses | ${PLANS.map((plan) => sizeText(STORAGE_LIMITS[plan].storedResponseBytes)).join(' | ')} | | ${sizeText(STORAGE_LIMITS.FREE.storedResponseBytes)} |`,
    ...Object.values(KINDS).map(({ what, rows, rowBytes }) =>
      line(what, rows, sizeText(rowBytes), sizeText(rows('FREE') * rowBytes)),
    ),
    ...SMALL.map(({ what, rows }) => line(what, rows, '', '')),
    ...NEWEST.map(({ what, rows }) => line(`the newest ${what}`, rows, '', '')),
  ]
  return lines.join('\n')
}

function line(what: string, rows: StoredKind['rows'], one: string, all: string): string {
  return `| ${what} | ${PLANS.map((plan) => rowsText(rows(plan))).join(' | ')} | ${one} | ${all} |`
}

/** For tests that fill it. */
export const freeBytesOfDay = (kind: DayKind): number => STORAGE_LIMITS.FREE[BY_DAY[kind].limit]
export const freeResponseBytes = (): number => STORAGE_LIMITS.FREE.storedResponseBytes

/** What goes by age: of a day, and of all days of an organization on FREE. */
export function dayTable(): string {
  const rows = Object.values(BY_DAY).map(({ what, limit, beyond }) => {
    const sizes = PLANS.map((plan) => sizeText(STORAGE_LIMITS[plan][limit]))
    return `| ${what} | ${sizes.join(' | ')} | ${sizeText(STORAGE_LIMITS.FREE[limit] * DAYS)} | ${beyond} |`
  })
  const head = `| at most a day | ${PLANS.join(' | ')} | ${DAYS} days on FREE | beyond it |`
  return [head, `|---|${PLANS.map(() => '---:|').join('')}---:|---|`, ...rows].join('\n')
}

if (import.meta.main) console.log(`${storageTable()}\n\n${dayTable()}`)
