// Incidents come from checks. Where no check runs, a test inserts one with all related rows.
import type { Client as PgClient } from 'pg'
import { randomId, randomUuid, toPublicId, toUuid } from './public-id.ts'

const INSERT = `
  with m as (select org_id, id from monitors where id = $2 for key share),
  i as (
    insert into incidents (id, org_id, monitor_id, started_at, resolved_at, resolution, cause, cause_code)
    select $1, m.org_id, m.id, $3, $4, case when $4::timestamptz is not null then 'RECOVERED' end,
           'HTTP 503, expected 200', 'UNEXPECTED_STATUS' from m
    returning id, org_id
  ), e as (
    insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
    select gen_random_uuid(), org_id, id, part, $3, $5::jsonb
      from i, unnest(array['OPENED', 'LAST_FAILURE']) part
  )
  insert into incident_timeline (id, org_id, incident_id, type, at, message)
  select gen_random_uuid(), org_id, id, 'OPENED', $3, 'HTTP 503, expected 200' from i
  returning incident_id`

type SeedOptions = { startedAt?: Date; resolvedAt?: Date | null }

/** Returns the incident's public id, or undefined if there is no such monitor. */
export async function seedIncident(
  db: PgClient,
  monitorId: string,
  { startedAt = new Date(), resolvedAt = null }: SeedOptions = {},
): Promise<string | undefined> {
  const uuid = randomUuid()
  const values = [uuid, toUuid(monitorId), startedAt, resolvedAt, evidenceAt(startedAt)]
  const { rowCount } = await db.query(INSERT, values)
  return rowCount === 1 ? toPublicId('inc', uuid) : undefined
}

function evidenceAt(at: Date): string {
  const [startedAt, causeCode] = [at.toISOString(), 'UNEXPECTED_STATUS']
  const seen = { outcome: 'FAILED', causeCode, responseMs: 42, httpStatus: 503 }
  return JSON.stringify({
    ...seen,
    checkId: randomId('chk'),
    checkedAt: startedAt,
    location: 'default',
    cause: 'HTTP 503, expected 200',
    resolvedIp: '127.0.0.1',
    timings: { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 40 },
    certExpiresAt: null,
    dnsAnswers: null,
    bodyExcerpt: null,
    attempts: [{ number: 1, startedAt, ...seen }],
  })
}
