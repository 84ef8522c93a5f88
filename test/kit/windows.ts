// Helpers to create windows and to read what they left behind.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from './client.ts'
import type { Database } from './database.ts'
import { toId, toUuid } from './ids.ts'
import type { ApiResponse } from './response.ts'
import { assertWindow, type MaintenanceWindow, type Occurrence } from './window-shapes.ts'

export const WINDOWS = '/maintenance-windows'
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** A time relative to now, as the API formats it. */
export const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString()

// Safe because the client has already validated the body of every 2xx against its exact shape.
export function windowOf(answer: ApiResponse): MaintenanceWindow {
  assert.ok(
    answer.status < 300,
    `a success was expected, but it is ${answer.status} ${answer.text}`,
  )
  return answer.json as MaintenanceWindow
}

/** Creates a window over all monitors, by default tomorrow for an hour. */
export async function createWindow(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<MaintenanceWindow> {
  const answer = await api.post(WINDOWS, { ...soon(), allMonitors: true, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return windowOf(answer)
}

export const soon = () => ({
  name: 'Window',
  startsAt: fromNow(DAY_MS),
  endsAt: fromNow(DAY_MS + HOUR_MS),
})

export async function getWindow(api: Client, id: string): Promise<MaintenanceWindow> {
  return windowOf(await api.get(`${WINDOWS}/${id}`))
}

type WindowEvent = {
  id: string
  type: string
  timestamp: string
  data: { maintenanceWindow: MaintenanceWindow; occurrence: Occurrence | null }
  /** When it was written, by the database clock. */
  publishedAt: Date
}

/** Every event about the window, in the order of ids, each validated in full. */
export async function windowEvents(db: Database, id: string): Promise<WindowEvent[]> {
  const rows = await db.run<{ body: string; publishedMs: string }>(
    `select body, ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint as "publishedMs"
       from events where type like 'maintenance.%' and position($1 in body) > 0 order by id`,
    [`"maintenanceWindow":{"id":"${id}"`],
  )
  return rows.map(({ body, publishedMs }) => {
    const event = JSON.parse(body) as WindowEvent
    assertWindow(event.data.maintenanceWindow, event.type)
    assert.deepEqual(Object.keys(event.data), ['maintenanceWindow', 'occurrence'])
    return { ...event, publishedAt: new Date(Number(publishedMs)) }
  })
}

/** The types of its events, without `maintenance.`. */
export async function windowNews(db: Database, id: string): Promise<string[]> {
  const events = await windowEvents(db, id)
  return events.map(({ type }) => type.replace('maintenance.', ''))
}

type Span = { monitorNo: number; from: string; to: string }

/** What the window covers or covered, in chronological order. */
export async function spansOf(db: Database, id: string): Promise<Span[]> {
  type Row = { monitorNo: string; from: Date; to: Date }
  const rows = await db.run<Row>(
    `select monitor_no as "monitorNo", started_at as "from", ended_at as "to" from maintenance_spans
      where window_id = $1 order by started_at, monitor_no`,
    [toUuid(id)],
  )
  return rows.map(({ monitorNo, from, to }) => ({
    monitorNo: Number(monitorNo),
    from: from.toISOString(),
    to: to.toISOString(),
  }))
}

export async function monitorNo(db: Database, monitorId: string): Promise<number> {
  const row = await db.one<{ no: string }>('select no from monitors where id = $1', [
    toUuid(monitorId),
  ])
  return Number(row.no)
}

/** Moves a window and its coverage into the past, as if it had been created that much earlier. */
export async function ageWindow(db: Database, id: string, ms: number): Promise<void> {
  await db.run(
    `update maintenance_windows
        set starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval,
            occurrence_starts_at = occurrence_starts_at - $2::interval,
            occurrence_ends_at = occurrence_ends_at - $2::interval,
            next_edge_at = next_edge_at - $2::interval, counts_from = counts_from - $2::interval
      where id = $1`,
    [toUuid(id), `${ms} milliseconds`],
  )
  await db.run(
    `update maintenance_spans
        set started_at = started_at - $2::interval, ended_at = ended_at - $2::interval
      where window_id = $1`,
    [toUuid(id), `${ms} milliseconds`],
  )
}

/** A status page that shows nothing. */
export async function seedPage(db: Database, orgId: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `insert into status_pages (id, org_id, name, slug, published, theme, locale, timezone, history_days,
       show_uptime, show_response_time, allow_indexing, subscribers_enabled)
     values (new_uuid(), $1, 'Page', $2, true, 'SYSTEM', 'en', 'UTC', 90, true, true, true, true)
     returning id`,
    [toUuid(orgId), randomUUID()],
  )
  return toId('sp', id)
}
