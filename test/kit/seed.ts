// Rows that the check engine and the dashboard would have created.
import type { Database } from './database.ts'
import { toId, toUuid } from './ids.ts'

type SeedIncident = {
  orgId: string
  monitorId: string
  startedAt?: Date
  resolvedAt?: Date | null
  cause?: string
  withResolvingCheck?: boolean
}

const MINUTE_MS = 60_000

/** An incident with its evidence and first timeline entry, as a failed check creates it. */
export async function seedIncident(db: Database, seed: SeedIncident): Promise<string> {
  const { orgId, monitorId, resolvedAt = null, cause = 'HTTP 503, expected 200' } = seed
  const startedAt = seed.startedAt ?? new Date(Date.now() - MINUTE_MS)
  const org = toUuid(orgId)
  const { id } = await db.one<{ id: string }>(
    `insert into incidents (id, org_id, monitor_id, started_at, resolved_at, cause, cause_code, resolution)
     values (new_uuid(), $1, $2, $3, $4, $5, 'UNEXPECTED_STATUS', $6) returning id`,
    [org, toUuid(monitorId), startedAt, resolvedAt, cause, resolvedAt && 'RECOVERED'],
  )
  await insertEvidence(db, org, id, 'OPENED', failedCheck(startedAt, cause))
  await insertEvidence(db, org, id, 'LAST_FAILURE', failedCheck(startedAt, cause))
  if (resolvedAt && seed.withResolvingCheck !== false)
    await insertEvidence(db, org, id, 'RESOLVED', passedCheck(resolvedAt))
  await insertLine(db, org, id, { type: 'OPENED', at: startedAt, message: cause })
  if (resolvedAt)
    await insertLine(db, org, id, { type: 'RESOLVED', at: resolvedAt, message: 'Recovered.' })
  return toId('inc', id)
}

/** A monitor that is DOWN with an ongoing incident. */
export async function breakMonitor(db: Database, orgId: string, monitorId: string) {
  await db.setMonitorStatus(monitorId, { state: 'DOWN', last_status_changed_at: new Date() })
  return seedIncident(db, { orgId, monitorId })
}

export async function seedContact(db: Database, orgId: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `insert into alert_contacts (id, org_id, name, channel, settings, confirmed_at)
     values (new_uuid(), $1, 'On call', 'EMAIL', '', now()) returning id`,
    [toUuid(orgId)],
  )
  return id
}

/** A confirmed subscriber, for the whole page or these components. */
export async function seedSubscriber(
  db: Database,
  { orgId, pageId, componentIds }: { orgId: string; pageId: string; componentIds?: string[] },
): Promise<void> {
  await db.run(
    `insert into page_subscribers
       (id, org_id, page_id, email, email_hash, component_ids, token, token_hash, confirmed_at, asked_at)
     values (new_uuid(), $1, $2, '', sha256(new_uuid()::text::bytea), $3, '', sha256(new_uuid()::text::bytea),
             now(), now())`,
    [toUuid(orgId), toUuid(pageId), componentIds?.map(toUuid) ?? null],
  )
}

type SeedAttempt = {
  number: number
  startedAt: Date
  trigger?: 'AUTOMATIC' | 'MANUAL'
  /** Null while it is in flight. */
  outcome?: 'SUCCEEDED' | 'FAILED' | null
  responseStatus?: number | null
  responseBody?: string | null
  errorCode?: string | null
  error?: string | null
}

/** An attempt as the dispatcher records it: by default with a 200 response. */
export async function seedAttempt(db: Database, deliveryId: string, seed: SeedAttempt) {
  const { number, startedAt, trigger = 'AUTOMATIC', outcome = 'SUCCEEDED' } = seed
  const { responseStatus = 200, responseBody = null, errorCode = null, error = null } = seed
  await db.run(
    `insert into attempts (delivery_id, number, id, org_id, trigger, started_at, duration_ms, outcome,
                           response_status, response_body, error_code, error)
     select id, $2, new_uuid(), org_id, $3, $4, 84, $5, $6, $7, $8, $9 from deliveries where id = $1`,
    // biome-ignore format: many short values read better side by side
    [
      toUuid(deliveryId), number, trigger, startedAt, outcome,
      responseStatus, responseBody, errorCode, error,
    ],
  )
}

/** Ends a delivery as the dispatcher would after its last attempt. */
export async function endDelivery(
  db: Database,
  deliveryId: string,
  status: 'SUCCEEDED' | 'FAILED',
): Promise<void> {
  await db.one(
    `update deliveries
        set status = $2, next_attempt_at = null, completed_at = now(), last_attempt_at = now(),
            attempt_count = attempt_count + 1,
            last_response_status = case $2 when 'FAILED' then 500 else 200 end,
            last_error = case $2 when 'FAILED' then 'HTTP 500, expected 2xx' end
      where id = $1 returning id`,
    [toUuid(deliveryId), status],
  )
}

type Part = 'OPENED' | 'LAST_FAILURE' | 'RESOLVED'

async function insertEvidence(
  db: Database,
  org: string,
  incident: string,
  ...[part, evidence]: [Part, ReturnType<typeof passedCheck>]
): Promise<void> {
  await db.run(
    `insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
     values (new_uuid(), $1, $2, $3, $4, $5)`,
    [org, incident, part, evidence.checkedAt, JSON.stringify(evidence)],
  )
}

type Line = { type: string; at: Date; message: string }

async function insertLine(db: Database, org: string, incident: string, line: Line) {
  await db.run(
    `insert into incident_timeline (id, org_id, incident_id, type, at, message)
     values (new_uuid(), $1, $2, $3, $4, $5)`,
    [org, incident, line.type, line.at, line.message],
  )
}

const CHECK_ID = 'chk_01m7e4f440e1n80038aztfqn39'

function passedCheck(at: Date) {
  return {
    checkId: CHECK_ID,
    checkedAt: at.toISOString(),
    location: 'bench',
    outcome: 'OK',
    causeCode: null as string | null,
    cause: null as string | null,
    responseMs: 12,
    httpStatus: 200,
    resolvedIp: '203.0.113.20',
    timings: { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 9 },
    certExpiresAt: null,
    dnsAnswers: null,
    bodyExcerpt: null as string | null,
    attempts: [attempt(at, 'OK', null, 200)],
  }
}

function failedCheck(at: Date, cause: string) {
  return {
    ...passedCheck(at),
    outcome: 'FAILED',
    causeCode: 'UNEXPECTED_STATUS',
    cause,
    httpStatus: 503,
    bodyExcerpt: 'Service Unavailable',
    attempts: [attempt(at, 'FAILED', 'UNEXPECTED_STATUS', 503)],
  }
}

function attempt(at: Date, outcome: string, causeCode: string | null, httpStatus: number) {
  return { number: 1, startedAt: at.toISOString(), outcome, causeCode, responseMs: 12, httpStatus }
}
