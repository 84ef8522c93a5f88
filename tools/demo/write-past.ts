// Gives the organization that was just set up ninety days of history, while no process of the product runs.
import pg from 'pg'
import { fromPublicId } from '../../src/domain/values/id.ts'
import { writeHistory, writeRows } from '../history/whole-sets.ts'
import { actionRows, BACKDATE } from './backdate.ts'
import type { Watched } from './company.ts'
import { crowdDisruptions, insertCrowd } from './crowd.ts'
import { writeMeasures } from './measures.ts'
import * as past from './past.ts'
import { sendingRows } from './past-sending.ts'
import * as windows from './past-windows.ts'
import type { Settled } from './settle.ts'
import type { Addresses } from './targets.ts'

const RAW_DAYS = 14
const DAY_MS = 86_400_000

type Acme = {
  orgId: string
  watched: readonly Watched[]
  settled: Settled
  at: Addresses
  people: past.People
  /** Monitors in addition to the named ones. */
  crowd: number
}

type Monitor = past.DemoMonitor & { isOfCrowd: boolean }

const uuidOf = (id: string): string => {
  const uuid = fromPublicId(id.slice(0, id.indexOf('_')) as 'mon', id)
  if (uuid === undefined) throw new Error(`${id} is not an id`)
  return uuid
}

export async function writePast(databaseUrl: string, acme: Acme): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await writeHistory(client, RAW_DAYS, async () => {
      if (acme.crowd > 0) await insertCrowd(client, acme.orgId, { count: acme.crowd, at: acme.at })
      const now = new Date()
      const monitors = await readMonitors(client, acme)
      await forget(client, acme.orgId)
      await writeDisruptions(client, acme, monitors, now)
      for (const { text, values } of BACKDATE) await client.query(text, values(acme, now))
      await writeRows(client, 'audit_log', actionRows(acme, monitors, now))
      await writeWindows(client, acme.orgId, windows.listPastWindows(monitors, now))
    })
  } finally {
    await client.end()
  }
}

async function readMonitors(client: pg.Client, acme: Acme): Promise<Monitor[]> {
  const { rows } = await client.query<
    Omit<past.DemoMonitor, 'disruptions' | 'usualMs' | 'isPaused'>
  >(
    `select no::integer, id as uuid, name, type,
            case type when 'CRON' then expected_period_seconds else interval_seconds end as "intervalSeconds"
       from monitors where org_id = $1 order by no`,
    [acme.orgId],
  )
  const known = new Map(acme.settled.monitors.map(({ id }, i) => [uuidOf(id), acme.watched[i]]))
  return rows.map((row) => {
    const watched = known.get(row.uuid)
    return watched === undefined
      ? {
          ...row,
          usualMs: 40 + (row.no % 90),
          isPaused: false,
          isOfCrowd: true,
          disruptions: crowdDisruptions(row),
        }
      : {
          ...row,
          ...watched,
          type: row.type,
          isPaused: watched.isPaused ?? false,
          isOfCrowd: false,
        }
  })
}

/** What happened during the setup is not part of the history. */
async function forget(client: pg.Client, orgId: string): Promise<void> {
  for (const table of [
    'incidents',
    'events',
    'deliveries',
    'attempts',
    'alert_troubles',
    'alert_messages',
  ])
    await client.query(`delete from ${table} where org_id = $1`, [orgId])
  const own = '(select no from monitors where org_id = $1)'
  for (const table of ['state_spans', 'results', 'result_hours', 'missed'])
    await client.query(`delete from ${table} where monitor_no in ${own}`, [orgId])
}

async function writeDisruptions(
  client: pg.Client,
  { orgId, people, settled }: Acme,
  monitors: readonly Monitor[],
  now: Date,
): Promise<void> {
  const outages = past.outagesOf(monitors, now)
  await writeRows(client, 'state_spans', past.spanRows(monitors, now))
  await writeRows(client, 'incidents', past.incidentRows(orgId, outages, people))
  await writeRows(client, 'incident_timeline', past.timelineRows(orgId, outages))
  await writeRows(client, 'incident_evidence', past.evidenceRows(orgId, outages, now))
  await writeRows(client, 'incident_notes', past.noteRows(orgId, outages, people))
  await client.query(
    `update monitor_states s set state = u.state, last_status_changed_at = u.since
       from json_to_recordset($1) as u (no bigint, state text, since timestamptz)
      where s.monitor_no = u.no and s.state <> 'PAUSED'`,
    [JSON.stringify(past.currentStates(monitors, now))],
  )
  const recent = outages.filter(
    ({ from, monitor }) =>
      now.getTime() - from.getTime() < (RAW_DAYS - 1) * DAY_MS &&
      !monitors.some(({ no, isOfCrowd }) => isOfCrowd && no === monitor.no),
  )
  const sent = sendingRows(orgId, recent, {
    now,
    endpoints: settled.endpoints.map((endpoint) => ({ ...endpoint, uuid: uuidOf(endpoint.id) })),
    contacts: settled.contacts.map((contact) => ({ ...contact, uuid: uuidOf(contact.id) })),
  })
  await writeRows(client, 'events', sent.events)
  await writeRows(client, 'deliveries', sent.deliveries)
  await writeRows(client, 'attempts', sent.attempts)
  await writeRows(client, 'alert_messages', sent.alerts)
  await writeRows(client, 'incident_timeline', sent.lines)
  const causes = outages.map(({ monitor, from, code = 'TIMEOUT' }) => ({
    monitorNo: monitor.no,
    startedAt: from,
    code,
  }))
  await writeMeasures(client, monitors, { rawDays: RAW_DAYS, causes })
}

async function writeWindows(
  client: pg.Client,
  orgId: string,
  over: readonly windows.PastWindow[],
): Promise<void> {
  await writeRows(client, 'maintenance_windows', windows.windowRows(orgId, over))
  await writeRows(client, 'maintenance_window_monitors', windows.windowMonitorRows(orgId, over))
  await writeRows(client, 'maintenance_spans', windows.windowSpanRows(over))
}
