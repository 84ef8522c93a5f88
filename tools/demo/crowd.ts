// Thousands of other monitors of a large organization, created in one statement: a chain's stores, tills and depots.
import type pg from 'pg'
import { chance, pick } from './chance.ts'
import type { Disruption } from './company.ts'
import { type DemoMonitor, PAST_DAYS } from './past.ts'
import type { Addresses } from './targets.ts'

const DAY = 1440
const TOWNS = [
  'Aachen', 'Bergen', 'Como', 'Dresden', 'Essen', 'Ferrara', 'Graz', 'Haarlem', 'Innsbruck', 'Jena', 'Kiel', 'Leiden',
  'Malmö', 'Nantes', 'Oulu', 'Porto', 'Riga', 'Siena', 'Turku', 'Utrecht', 'Verona', 'Warschau', 'Ypern', 'Zürich',
] as const // biome-ignore format: a list of names
const PLACES = ['Store', 'Till', 'Depot', 'Kiosk'] as const

// One check each per half hour, so thousands of them still leave the machine mostly idle.
const INSERT = `
  with made as (
    insert into monitors (
      id, org_id, name, type, url, host, port, method, expected_status, follow_redirects, verify_ssl, keyword_match,
      dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds, timeout_seconds,
      grace_seconds, degraded_threshold_mode, degraded_samples)
    select new_uuid(), $1, u.name, u.type, case when u.type = 'HTTP' then u.address end,
           case when u.type <> 'HTTP' then u.address end, u.port, 'GET', '{200}', true, true, 'EXISTS', 'A', true, 14,
           1800, 30, 60, 'P95', 20
      from json_to_recordset($2) as u (name text, type text, address text, port integer)
    returning no, org_id
  ), states as (
    insert into monitor_states (monitor_no, org_id, shard, state, next_due_at, last_checked_at, last_response_ms)
    select no, org_id, no % 256, 'UP', now() + (60 + no % 1740) * interval '1 second',
           now() - (1800 - no % 1740) * interval '1 second', 40 + no % 120 from made
  )
  update organization_usage set monitors = monitors + $3 where org_id = $1`

export async function insertCrowd(
  client: pg.Client,
  orgId: string,
  { count, at }: { count: number; at: Addresses },
): Promise<void> {
  const monitors = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(4, '0')
    const town = pick(`town ${index}`, TOWNS)
    const isPort = index % 5 === 4
    const host = `${town
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]/g, '')}-${number}.acme.example`
    return {
      name: `${pick(`place ${index}`, PLACES)} ${town} ${number}`,
      type: isPort ? 'PORT' : 'HTTP',
      address: isPort ? host : `https://${host}:${at.https}/health`,
      port: isPort ? at.redis : null,
    }
  })
  await client.query(INSERT, [orgId, JSON.stringify(monitors), count])
}

const SILENT = { code: 'TIMEOUT' as const, cause: 'Timed out after 30 s' }

/** A few bad periods each; one in four hundred is down right now. */
export function crowdDisruptions({ name }: Pick<DemoMonitor, 'name'>): Disruption[] {
  const parts = Math.floor(chance(`parts ${name}`) * 5)
  const past = Array.from({ length: parts }, (_, part): Disruption => {
    const at = (part + 0.1 + chance(`at ${name} ${part}`) * 0.6) / parts
    return {
      state: chance(`kind ${name} ${part}`) < 0.5 ? 'DOWN' : 'DEGRADED',
      minutesAgo: Math.round(2 * DAY + at * (PAST_DAYS - 3) * DAY),
      minutes: 2 + Math.round(chance(`length ${name} ${part}`) ** 3 * 200),
      ...SILENT,
    }
  })
  const now = chance(`now ${name}`)
  const since = 5 + Math.round(chance(`since ${name}`) * 500)
  if (now < 1 / 400) return [...past, { state: 'DOWN', minutesAgo: since, ...SILENT }]
  if (now < 1 / 120) return [...past, { state: 'DEGRADED', minutesAgo: since }]
  return past
}
