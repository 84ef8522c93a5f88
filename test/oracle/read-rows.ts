// Reads what a run left in the database, in one consistent snapshot.
import pg from 'pg'
import { toUuid } from '../kit/ids.ts'
import type { EventRow, Run, Verdict } from './run.ts'

const KINDS = ['SCHEDULED', 'REQUESTED', 'PING', 'DEADLINE'] as const
const VERDICTS: readonly Verdict[] = ['PASSED', 'SLOW', 'FAILED', 'INCONCLUSIVE', 'SUPERSEDED']

const ms = (column: string, name: string) =>
  `(extract(epoch from ${column}) * 1000)::double precision as "${name}"`

const MONITORS = `
  select m.no::int, m.id as uuid, m.interval_seconds as "intervalSeconds", s.state,
         ${ms('s.next_due_at', 'nextDueMs')}
    from monitors m join monitor_states s on s.monitor_no = m.no`
const RESULTS = `
  select r.monitor_no::int as "monitorNo", ${ms('r.slot', 'slotMs')}, r.kind, r.verdict,
         r.status_code as "statusCode", g.name as region
    from results r left join regions g on g.no = r.region`
const MISSED = `
  select monitor_no::int as "monitorNo", ${ms('from_slot', 'fromMs')}, ${ms('to_slot', 'toMs')},
         count, reason from missed`
const SPANS = `
  select monitor_no::int as "monitorNo", state, ${ms('started_at', 'startedMs')},
         ${ms('ended_at', 'endedMs')} from state_spans`
const INCIDENTS = `
  select id, monitor_id as "monitorUuid", ${ms('started_at', 'startedMs')},
         ${ms('resolved_at', 'resolvedMs')}, resolution from incidents`
const EVIDENCE = `select id, incident_id as "incidentId", part, evidence from incident_evidence`
const TIMELINE = `
  select id, incident_id as "incidentId", type, ${ms('at', 'atMs')} from incident_timeline`
const EVENTS = `select id, type, ${ms('occurred_at', 'atMs')}, body from events order by id`

type Rows = Omit<Run, 'hits' | 'outages' | 'calls' | 'settledMs'>

export async function readRows(database: pg.ClientConfig): Promise<Rows> {
  const client = new pg.Client(database)
  await client.connect()
  const rows = async <R>(text: string) => (await client.query(text)).rows as R[]
  try {
    await client.query('begin isolation level repeatable read read only')
    return {
      monitors: await rows(MONITORS),
      results: (await rows<StoredResult>(RESULTS)).map(toResult),
      missed: await rows(MISSED),
      spans: await rows(SPANS),
      incidents: await rows(INCIDENTS),
      evidence: (await rows<StoredEvidence>(EVIDENCE)).map(toEvidence),
      timeline: await rows(TIMELINE),
      events: (await rows<StoredEvent>(EVENTS)).map(toEvent),
    }
  } finally {
    await client.end()
  }
}

type StoredResult = Omit<Run['results'][number], 'kind' | 'verdict'> & {
  kind: number
  verdict: number
}

function toResult({ kind, verdict, ...rest }: StoredResult): Run['results'][number] {
  const [kindName, verdictName] = [KINDS[kind], VERDICTS[verdict]]
  if (kindName === undefined || verdictName === undefined)
    throw new Error(`A result has kind ${kind} and verdict ${verdict}`)
  return { ...rest, kind: kindName, verdict: verdictName }
}

type StoredEvidence = Pick<Run['evidence'][number], 'id' | 'incidentId' | 'part'> & {
  evidence: { location: string; attempts: { number: number; startedAt: string }[] }
}

function toEvidence({ evidence, ...rest }: StoredEvidence): Run['evidence'][number] {
  const attempts = evidence.attempts.map(({ number, startedAt }) => ({
    number,
    startedMs: Date.parse(startedAt),
  }))
  return { ...rest, location: evidence.location, attempts }
}

type StoredEvent = { id: string; type: string; atMs: number; body: string }
type EventBody = {
  id: string
  type: string
  data: { monitor?: { id: string }; incident?: { id: string }; previousState?: string }
}

function toEvent({ id, type, atMs, body }: StoredEvent): EventRow {
  const event = JSON.parse(body) as EventBody
  const { monitor, incident, previousState } = event.data
  return {
    id,
    bodyId: toUuid(event.id),
    type,
    bodyType: event.type,
    atMs,
    monitorUuid: monitor ? toUuid(monitor.id) : null,
    incidentId: incident ? toUuid(incident.id) : null,
    previousState: previousState ?? null,
  }
}
