// The resources that the examples of the API description name, so that requests generated from them hit something real.
import type pg from 'pg'
import { readOperations } from '../db-kit/openapi-document.ts'
import { toUuid } from '../db-kit/public-id.ts'

type PageExample = { sections: { components: { monitorId: string }[] }[] }
type IncidentExample = {
  statusPageIds: string[]
  components: { componentId: string }[]
  incidentId: string
}

// A monitor has many columns, so the newest one, just created by the API, takes the id. It must hold no secret, since a
// secret can only be decrypted under the id it was sealed for.
const PLANT = [
  `update monitors set id = $2
    where no = (select max(no) from monitors where org_id = $1)`,
  `insert into incidents (id, org_id, monitor_id, started_at, resolved_at, resolution, cause, cause_code)
   values ($2, $1, $3, now(), now(), 'RECOVERED', 'HTTP 503, expected 200', 'UNEXPECTED_STATUS')`,
  `insert into status_pages (id, org_id, name, slug, published, theme, locale, timezone, history_days,
     show_uptime, show_response_time, allow_indexing, subscribers_enabled)
   values ($2, $1, 'Example', 'planted-example', true, 'SYSTEM', 'en', 'UTC', 90, true, true, true, true)`,
  `insert into status_page_sections (id, org_id, page_id, position, collapsed)
   values (gen_random_uuid(), $1, $2, 0, false)`,
  `insert into status_page_components (id, org_id, page_id, section_id, position, monitor_id)
   select $2, $1, page_id, id, 0, $3 from status_page_sections where page_id = $4`,
]

export async function plantExamples(db: pg.Client, organizationId: string): Promise<void> {
  const page = exampleOf('createStatusPage') as PageExample
  const incident = exampleOf('createStatusIncident') as IncidentExample
  const monitorId = uuidOf(page.sections[0]?.components[0]?.monitorId)
  const pageId = uuidOf(incident.statusPageIds[0])
  const values = [
    [monitorId],
    [uuidOf(incident.incidentId), monitorId],
    [pageId],
    [pageId],
    [uuidOf(incident.components[0]?.componentId), monitorId, pageId],
  ]
  for (const [index, statement] of PLANT.entries()) {
    const { rowCount } = await db.query(statement, [
      toUuid(organizationId),
      ...(values[index] ?? []),
    ])
    if (rowCount !== 1) throw new Error(`Nothing was planted by ${statement}`)
  }
}

function exampleOf(operationId: string): unknown {
  return readOperations().find(({ id }) => id === operationId)?.body?.example
}

const uuidOf = (id: string | undefined): string => toUuid(id ?? '')
