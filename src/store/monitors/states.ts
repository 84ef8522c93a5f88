// Reads the state rows of monitors in batches and, where needed, locks them in one order.
import { type MonitorSnapshot, SNAPSHOT_SETTINGS } from '../../domain/incidents/apply-result.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { type Db, sql } from '../core/db.ts'
import { effectiveInterval } from '../core/plan-rules.ts'
import { bigints, uuids } from '../wire/batch-values.ts'
import { type StoredClock, selectSettings, statusColumns, toClock } from './columns.ts'

/** A monitor as the engine sees it: the inputs of its decisions, and its organization. */
export type EngineMonitor = MonitorSnapshot &
  Pick<MonitorSettings, (typeof HEARTBEAT_SETTINGS)[number]> & {
    no: number
    uuid: string
    orgId: string
    /** Not faster than the plan allows. */
    intervalSeconds: number
    /** The transaction that wrote the state row. It changes with every write. */
    version: number
  }

const HEARTBEAT_SETTINGS = ['expectedPeriodSec', 'graceSeconds'] as const

const LOCK = sql`
  select monitor_no from monitor_states
   where monitor_no = any ($1::bigint[]) order by monitor_no for no key update`

/** What the engine reads of a monitor besides its settings and its status. */
export const engineColumns = sql`
  m.org_id as "orgId", s.last_slot as "lastSlot", s.samples::text as samples,
  s.samples_region as "samplesRegion", s.dns_baseline as "dnsBaseline",
  s.expiry_told_for as "expiryToldFor", s.domain_expires_at as "domainExpiresAt",
  s.issuer,
  s.xmin::text::bigint as version`

// Only the settings that decide what a result means and when the next check is due.
export const stateColumns = sql`
  m.no, m.id as uuid, ${selectSettings([...SNAPSHOT_SETTINGS, ...HEARTBEAT_SETTINGS])},
  ${effectiveInterval} as "intervalSeconds", ${statusColumns}, ${engineColumns}`

export const stateTables = sql`
  monitors m
    join monitor_states s on s.monitor_no = m.no
    join organizations o on o.id = m.org_id
    join plans p on p.name = o.plan`

// A separate statement: only a snapshot taken after the locks sees what was committed while they were awaited.
const READ = sql`
  select ${stateColumns} from ${stateTables}
   where s.monitor_no = any ($1::bigint[])`

// Rare data, looked up once for all monitors: a join would search it for each row.
const READ_RARE = sql`
  select (select json_agg(json_build_object('monitorUuid', monitor_id, 'uuid', id,
                   'lastCauseCode', coalesce(last_cause_code, cause_code),
                   'lastLineAt', coalesce(last_line_at, started_at)))
            from incidents
           where monitor_id = any ($1::uuid[]) and resolved_at is null) as incidents,
         (select json_agg(json_build_object('no', monitor_no, 'from', started_at, 'to', ended_at))
            from maintenance_spans
           where monitor_no = any ($2::bigint[]) and (ended_at is null or ended_at > $3)) as windows`

export type StateRow = Omit<
  EngineMonitor,
  'incident' | 'maintenance' | 'heartbeat' | 'samplesMs'
> & {
  heartbeat: StoredClock | null
  samples: string
}
type Rare = {
  incidents: { monitorUuid: string; uuid: string; lastCauseCode: CauseCode; lastLineAt: string }[]
  windows: { no: number; from: string; to: string | null }[]
}

/** Locks the rows, then reads them. Leaves out deleted monitors. */
export async function lockStates(
  tx: Db,
  monitorNos: readonly number[],
  windowsSince: Date,
): Promise<Map<number, EngineMonitor>> {
  await tx.query(LOCK, [bigints(monitorNos)])
  return readStates(tx, monitorNos, windowsSince)
}

/** Reads the rows without locks. A later write must name the version that was read. */
export async function readStates(
  db: Db,
  monitorNos: readonly number[],
  windowsSince: Date,
): Promise<Map<number, EngineMonitor>> {
  if (monitorNos.length === 0) return new Map()
  const numbers = bigints(monitorNos)
  const rows = await db.query<StateRow>(READ, [numbers])
  const monitors = uuids(rows.map(({ uuid }) => uuid))
  const [rare] = await db.query<Partial<Rare>>(READ_RARE, [monitors, numbers, windowsSince])
  const incidents = toIncidents(rare?.incidents ?? [])
  const windows = toWindows(rare?.windows ?? [])
  return new Map(
    rows.map((row) => {
      const incident = incidents.get(row.uuid) ?? null
      const maintenance = windows.get(row.no) ?? NO_WINDOWS
      return [row.no, Object.assign(toEngineMonitor(row), { incident, maintenance })]
    }),
  )
}

/** Without its incident and windows. */
export function toEngineMonitor(row: StateRow): EngineMonitor {
  return Object.assign(row, {
    heartbeat: row.heartbeat && toClock(row.heartbeat),
    samplesMs: toSamples(row.samples),
    incident: null,
    maintenance: NO_WINDOWS,
  })
}

/** `{12,13}`. */
export function toSamples(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

export const NO_WINDOWS: EngineMonitor['maintenance'] = []

function toIncidents(rows: Rare['incidents']): Map<string, EngineMonitor['incident']> {
  return new Map(
    rows.map(({ monitorUuid, lastLineAt, ...incident }) => [
      monitorUuid,
      { ...incident, lastLineAt: new Date(lastLineAt) },
    ]),
  )
}

function toWindows(rows: Rare['windows']): Map<number, EngineMonitor['maintenance'][number][]> {
  const windows = new Map<number, EngineMonitor['maintenance'][number][]>()
  for (const { no, from, to } of rows) {
    const window = { from: new Date(from), to: to === null ? null : new Date(to) }
    windows.set(no, [...(windows.get(no) ?? []), window])
  }
  return windows
}
