// Monitors for the soak, created by a few statements. Their slots leave a lull in every interval in which nothing is in
// flight: what the processes hold then is what they do not release.
import { randomBytes } from 'node:crypto'
import type { Database } from '../../kit/database.ts'
import type { Kind } from './soak-targets.ts'

export const INTERVAL_MS = 30_000
export const LOAD_MS = 24_000
// Two attempts of 1 s with one second between them still end before the lull.
const SLOW_LOAD_MS = 22_000
const DEFAULT_TIMEOUT_SECONDS = 5
// Cold processes and thousands of outages to open at once would be an artificial thundering herd.
export const JOIN_INTERVALS = 2

type Seeded = Kind & { id: string; dueAt: Date }

const MONITORS = `
  insert into monitors (
    id, org_id, name, type, url, host, port, keyword, timeout_seconds, interval_seconds, method,
    expected_status, follow_redirects, verify_ssl, keyword_match, dns_record_type, dns_alert_on_change,
    ssl_expiry_threshold_days, grace_seconds, degraded_threshold_mode, degraded_samples)
  select u.id, $2::uuid, u.name, u.type, u.url, u.host, u.port, u.keyword, u.timeout, $1::integer, 'GET',
         '{200}', true, false, 'EXISTS', 'A', true, 2, 60, 'LAST', 3
    from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::text[],
                $10::integer[]) as u (id, name, type, url, host, port, keyword, timeout)`

// The shard is the last byte of the id.
const STATES = `
  insert into monitor_states (monitor_no, org_id, shard, state, next_due_at, due_unread)
  select m.no, m.org_id, ('x' || right(m.id::text, 2))::bit(8)::integer, 'PENDING', u.due_at, true
    from unnest($1::uuid[], $2::timestamptz[]) as u (id, due_at) join monitors m on m.id = u.id`

const SPANS = `
  insert into state_spans (monitor_no, started_at, state)
  select monitor_no, now(), state from monitor_states on conflict do nothing`

/** That many monitors of all kinds; the first are due from `fromMs` on. */
export async function seedMonitors(
  db: Database,
  { orgId, kinds, count, fromMs }: Seed,
): Promise<void> {
  const seeded = kinds.flatMap((kind) => {
    const each = Math.round((kind.share * count) / 1000)
    return Array.from({ length: each }, (_, i) => {
      const joinMs = fromMs + (i % JOIN_INTERVALS) * INTERVAL_MS
      return seedOne(kind, (i + 0.5) / each, joinMs)
    })
  })
  const column = <V>(value: (monitor: Seeded) => V) => seeded.map(value)
  await db.run(MONITORS, [
    INTERVAL_MS / 1000,
    orgId,
    column(({ id }) => id),
    column(({ name }) => name),
    column(({ type }) => type),
    column(({ url = null }) => url),
    column(({ host = null }) => host),
    column(({ port = null }) => port),
    column(({ keyword = null }) => keyword),
    column(({ timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }) => timeoutSeconds),
  ])
  await db.run(STATES, [column(({ id }) => id), column(({ dueAt }) => dueAt)])
  await db.run(SPANS)
  await db.run('analyze')
}

type Seed = { orgId: string; kinds: readonly Kind[]; count: number; fromMs: number }

/** `place`, from 0 to 1, is its position among its kind. */
function seedOne(kind: Kind, place: number, fromMs: number): Seeded {
  const loadMs = kind.timeoutSeconds === undefined ? LOAD_MS : SLOW_LOAD_MS
  const phaseMs = Math.floor(place * loadMs)
  const sinceMs = (fromMs - phaseMs) % INTERVAL_MS
  const dueMs = sinceMs === 0 ? fromMs : fromMs - sinceMs + INTERVAL_MS
  return { ...kind, id: idOf(phaseMs), dueAt: new Date(dueMs) }
}

/** A slot's offset in the interval is the remainder of the id's last 48 bits. */
function idOf(phaseMs: number): string {
  const turns = Math.floor(Math.random() * Math.floor(2 ** 48 / INTERVAL_MS))
  const tail = (turns * INTERVAL_MS + phaseMs).toString(16).padStart(12, '0')
  const head = Date.now().toString(16).padStart(12, '0')
  const random = randomBytes(3).toString('hex')
  return `${head.slice(0, 8)}-${head.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3)}-${tail}`
}
