// What of the demo's organization stands for each kind of thing on the pictures.
import pg from 'pg'
import { toId, toUuid } from '../../test/kit/ids.ts'
import type { Settled } from '../demo/settle.ts'
import type { Things } from './routes.ts'

export type Running = Partial<Settled> & {
  baseUrl: string
  databaseUrl: string
  person: { email: string; password: string }
}

// The one that is degraded right now.
const SLOW = 5
const INCIDENT = `select id from incidents where resolved_at is null and acknowledged_at is not null limit 1`
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
  const { rows: incidents } = await client.query<{ id: string }>(INCIDENT)
  const { rows: types } = await client.query<{ type: string; id: string }>(MONITORS, [
    toUuid(first.id),
  ])
  await client.end()
  return {
    ...Object.fromEntries(types.map(({ type, id }) => [type, toId('mon', id)])),
    monitorId: idAt(monitors, SLOW),
    incidentId: incidents[0] && toId('inc', incidents[0].id),
    endpointId: idAt(endpoints, 1),
    contactId: idAt(contacts, 3),
    windowId: windows?.[1],
    pageId: pages?.[0],
    statusPageId: pages?.[0],
    statusIncidentId: idAt(published, 0),
  }
}
