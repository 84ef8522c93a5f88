// The monitor as a table of columns. The select list, the insert, the update and the conversion of a row are made from
// it when the module is loaded, so every statement has a constant text.

import { type Fields, namesOf, optional, type SealedName, text } from '../../domain/fields/field.ts'
import type { HeartbeatClock } from '../../domain/monitors/heartbeat-clock.ts'
import {
  MONITOR_SETTINGS,
  type Monitor,
  type MonitorStatus,
} from '../../domain/monitors/monitor.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import { columnsOf, parametersOf, selectFields } from '../core/columns.ts'
import { sql } from '../core/db.ts'
import type { SecretLocation } from '../core/organization-secrets.ts'
import type { Tenant } from '../core/tenants.ts'

/** What `monitors` stores: the settings, and the token of a heartbeat URL, which nobody sets. */
const STORED = {
  ...MONITOR_SETTINGS,
  heartbeatToken: optional(text(), {
    about: 'Of its heartbeat URL.',
    example: null,
    sealed: 'TEXT',
  }),
} as const satisfies Fields

type Codec = { toText(value: unknown): string; fromText(text: string): unknown }

/** How the text is made that a column has encrypted. Null is stored as null. */
const CODECS: Record<'TEXT' | 'JSON', Codec> = {
  TEXT: { toText: String, fromText: (sealed) => sealed },
  JSON: { toText: JSON.stringify, fromText: JSON.parse },
}

type Field = keyof typeof STORED
type SealedField = SealedName<typeof STORED>

/** Where `monitor_states` has each field. */
const STATUS = {
  state: 'state',
  epoch: 'epoch',
  nextDueAt: 'next_due_at',
  lastCheckedAt: 'last_checked_at',
  lastStatusChangedAt: 'last_status_changed_at',
  lastResponseMs: 'last_response_ms',
  certExpiresAt: 'cert_expires_at',
  heartbeat: 'heartbeat',
} as const satisfies Record<keyof MonitorStatus, string>

const COLUMNS = columnsOf(STORED)
const FIELDS = namesOf(STORED)
const SEALED = COLUMNS.flatMap(({ name, column }) => {
  const { sealed }: Fields[string] = STORED[name]
  // Safe because SealedField names the fields with such a column.
  return sealed ? [{ field: name as SealedField, column, ...CODECS[sealed] }] : []
})

/** Selects settings from `monitors m`, named as in the domain. */
export const selectSettings = (names: readonly Field[]): { text: string } =>
  selectFields('m', Object.fromEntries(names.map((name) => [name, STORED[name]])))

/** Selects the whole status from `monitor_states s`. */
export const statusColumns = {
  text: Object.entries(STATUS)
    .map(([field, column]) => `s.${column} as "${field}"`)
    .join(', '),
}

export const monitorColumns = sql`
  m.no, m.id as uuid, ${selectFields('m', STORED)},
  m.created_at as "createdAt", m.updated_at as "updatedAt", ${statusColumns}`

// Heartbeat URLs are looked up by the hash of their token, which is not a field: it is never read.
const WRITTEN = [...COLUMNS.map(({ column }) => column), 'heartbeat_hash']

/** The parts of an insert and an update whose parameters from `$first` on are `settingsValues`. */
export const settingsParameters = (first: number) => parametersOf(WRITTEN, first)

type Writable = Pick<Monitor, Field | 'uuid'>

export async function settingsValues(tenant: Tenant, monitor: Writable): Promise<unknown[]> {
  const stored = hasSecret(monitor) ? await seal(tenant, monitor) : monitor
  const { heartbeatToken } = monitor
  const hash = heartbeatToken === null ? null : hashToken(heartbeatToken)
  return [...FIELDS.map((field) => stored[field]), hash]
}

/** A monitor whose secrets are still encrypted. */
export type MonitorRecord = Omit<Monitor, SealedField | 'heartbeat'> &
  Record<SealedField, Buffer | null> & { heartbeat: StoredClock | null }

export async function toMonitor(tenant: Tenant, row: MonitorRecord): Promise<Monitor> {
  // Most monitors have no secret and no heartbeat. Their row is the monitor, which avoids a costly copy.
  if (isPlain(row)) return row
  const heartbeat = row.heartbeat && toClock(row.heartbeat)
  const secrets = hasSecret(row) ? await unseal(tenant, row) : {}
  // Safe because what is not unsealed is null in both types.
  return { ...row, heartbeat, ...secrets } as Monitor
}

function isPlain(row: MonitorRecord | Monitor): row is Monitor {
  return row.heartbeat === null && !hasSecret(row)
}

function hasSecret(monitor: Record<SealedField, unknown>): boolean {
  return SEALED.some(({ field }) => monitor[field] !== null)
}

async function seal(tenant: Tenant, monitor: Writable): Promise<Record<Field, unknown>> {
  const cipher = await tenant.cipher()
  const stored: Record<Field, unknown> = { ...monitor }
  for (const { field, column, toText } of SEALED)
    if (stored[field] !== null)
      stored[field] = cipher.seal(secretLocation(monitor.uuid, column), toText(stored[field]))
  return stored
}

async function unseal(tenant: Tenant, row: MonitorRecord): Promise<Record<string, unknown>> {
  const cipher = await tenant.cipher()
  const opened: Record<string, unknown> = {}
  for (const { field, column, fromText } of SEALED) {
    const value = row[field]
    if (value !== null)
      opened[field] = fromText(cipher.unseal(secretLocation(row.uuid, column), value))
  }
  return opened
}

const secretLocation = (uuid: string, column: string): SecretLocation => ({
  table: 'monitors',
  row: uuid,
  column,
})

/** A heartbeat's clock as stored in JSON: instants are text. */
export type StoredClock = {
  startedAt: string
  lastPing: { at: string; passed: boolean } | null
  runs: readonly { rid: string | null; startedAt: string; lostMs?: number }[]
  missedAt: string | null
  lostMs?: number
  recoversAt?: string
}

export function toClock(stored: StoredClock): HeartbeatClock {
  const { startedAt, lastPing, runs, missedAt, lostMs, recoversAt } = stored
  return {
    startedAt: new Date(startedAt),
    lastPing: lastPing && { ...lastPing, at: new Date(lastPing.at) },
    runs: runs.map((run) => ({ ...run, startedAt: new Date(run.startedAt) })),
    missedAt: missedAt === null ? null : new Date(missedAt),
    ...(lostMs !== undefined && { lostMs }),
    ...(recoversAt !== undefined && { recoversAt: new Date(recoversAt) }),
  }
}
