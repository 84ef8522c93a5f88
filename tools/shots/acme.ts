// The demo organization's example of each kind of item, for screenshots.
import pg from 'pg'
import { toId, toUuid } from '../../test/kit/ids.ts'
import type { Settled } from '../demo/settle.ts'
import type { Things } from './routes.ts'

export type Running = Partial<Settled> & {
  baseUrl: string
  databaseUrl: string
  person: { email: string; password: string }
}

// The monitor that is degraded right now.
const SLOW = 5
const INCIDENTS = `
  select distinct on (1) case when resolved_at is not null then 'endedId'
         when acknowledged_at is not null then 'incidentId' else 'untakenId' end as what, id
    from incidents where org_id = (select org_id from monitors where id = $1)
   order by 1, acknowledged_at is null, started_at desc`
const MONITORS = `
  select distinct on (type) type, id from monitors
   where org_id = (select org_id from monitors where id = $1) order by type, name = 'Public API' desc, no`

const idAt = (list: readonly { id: string }[] | undefined, index: number) => list?.[index]?.id

export async function findThings(running: Running): Promise<Things> {
  const { monitors = [], endpoints, contacts, windows, pages, published, databaseUrl } = running
  const [first] = monitors
  if (first === undefined) return {}
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const of = [toUuid(first.id)]
  const { rows: incidents } = await client.query<{ what: string; id: string }>(INCIDENTS, of)
  const { rows: types } = await client.query<{ type: string; id: string }>(MONITORS, of)
  await client.end()
  const found = Object.fromEntries(incidents.map(({ what, id }) => [what, toId('inc', id)]))
  return {
    ...Object.fromEntries(types.map(({ type, id }) => [type, toId('mon', id)])),
    monitorId: idAt(monitors, SLOW),
    ...found,
    // If no acknowledged incident is ongoing, use another: a long-running demo recovers.
    incidentId: found['incidentId'] ?? found['untakenId'] ?? found['endedId'],
    endpointId: idAt(endpoints, 1),
    contactId: idAt(contacts, 3),
    windowId: windows?.[1],
    pageId: pages?.[0],
    statusPageId: pages?.[0],
    statusIncidentId: idAt(published, 0),
  }
}
