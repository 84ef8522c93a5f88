// The names that the queries give to situations are those of the domain, and due organizations are those it calls ended.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { ENDED, ENDED_BY_NEWER, endOf, type Situation } from '../../domain/alerts/condition-end.ts'
import { findConditions, findDueOrganizations } from './conditions.ts'

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture?.stop())

type Subject = { orgId: string; monitorUuid: string; monitorNo: number }
type Arranged = { monitorUuid?: string; incidentUuid?: string; endpointUuid?: string }
type Arrange = (subject: Subject) => Promise<Arranged>

const insert = async (text: string, values: unknown[]) => {
  const { rows } = await database.admin.query<{ id: string }>(`${text} returning id`, values)
  return rows[0]?.id ?? ''
}

const incident =
  (resolution: string | null): Arrange =>
  async ({ orgId, monitorUuid }) => ({
    monitorUuid,
    incidentUuid: await insert(
      `insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code, resolved_at, resolution)
       values (new_uuid(), $1, $2, now(), 'x', 'TIMEOUT', case when $3::text is not null then now() end, $3)`,
      [orgId, monitorUuid, resolution],
    ),
  })

// A paused monitor is never due.
const SET_STATE = 'update monitor_states set state = $2, next_due_at = null where monitor_no = $1'
const monitor =
  (state: string): Arrange =>
  async ({ monitorUuid, monitorNo }) => {
    await database.admin.query(SET_STATE, [monitorNo, state])
    return { monitorUuid }
  }

const endpoint =
  (disabledReason: string | null, isFailing: boolean): Arrange =>
  async ({ orgId }) => ({
    endpointUuid: await insert(
      `insert into webhook_endpoints (id, org_id, url, event_types, enabled, disabled_reason, failing_since)
       values (new_uuid(), $1, 'https://example.com/', '{*}', $2::text is null, $2, case when $3 then now() end)`,
      [orgId, disabledReason, isFailing],
    ),
  })

// biome-ignore format: a table is read by its columns
const SITUATIONS: Record<Situation, Arrange> = {
  'DOWN OPEN':                 incident(null),
  'DOWN RESOLVED':             incident('RECOVERED'),
  'DOWN DELETED':              async ({ monitorUuid }) => ({ monitorUuid, incidentUuid: randomUUID() }),
  'DEGRADED DEGRADED':         monitor('DEGRADED'),
  'DEGRADED DOWN':             monitor('DOWN'),
  'DEGRADED UP':               monitor('UP'),
  'DEGRADED PENDING':          monitor('PENDING'),
  'DEGRADED PAUSED':           monitor('PAUSED'),
  'DEGRADED DELETED':          async () => ({ monitorUuid: randomUUID() }),
  'WEBHOOK_FAILING UNHEALTHY': endpoint(null, true),
  'WEBHOOK_FAILING FAILING':   endpoint('FAILING', true),
  'WEBHOOK_FAILING GONE':      endpoint('GONE', true),
  'WEBHOOK_FAILING HEALTHY':   endpoint(null, false),
  'WEBHOOK_FAILING MANUAL':    endpoint('MANUAL', true),
  'WEBHOOK_FAILING DELETED':   async () => ({ endpointUuid: randomUUID() }),
  'EXPIRING':                  async ({ monitorUuid }) => ({ monitorUuid }),
  'DNS_CHANGED':               async ({ monitorUuid }) => ({ monitorUuid }),
}

for (const [situation, arrange] of Object.entries(SITUATIONS))
  test(`${situation} is named so, and due if it ended`, async () => {
    const orgId = await database.createOrganization()
    const { uuid, no } = await database.tenants.transaction(orgId, (tx) =>
      createMonitor(tx, sampleSettings()),
    )
    const about = await arrange({ orgId, monitorUuid: uuid, monitorNo: no })
    const note = () =>
      database.admin.query(
        `insert into alert_troubles (id, org_id, kind, monitor_id, incident_id, endpoint_id, since, about, contact_ids, look_at)
         values (new_uuid(), $1, $2, $3, $4, $5, now(), '{}', '{}', 'infinity')`,
        [
          orgId,
          situation.split(' ')[0],
          about.monitorUuid ?? null,
          about.incidentUuid ?? null,
          about.endpointUuid ?? null,
        ],
      )
    const check = async (isDue: boolean) => {
      const rows = await findConditions(database.engine, orgId, 0)
      assert.deepEqual(new Set(rows.map((row) => row.situation)), new Set([situation]))
      const hasEnded = rows.some((row) => endOf(row, new Date()).endedAt !== null)
      const due = await findDueOrganizations(database.engine, 500)
      assert.deepEqual([hasEnded, due.includes(orgId)], [isDue, isDue])
    }
    const isIn = (list: readonly string[]) => list.includes(situation)
    await note()
    await check(isIn(ENDED))
    await note()
    await check(isIn(ENDED) || isIn(ENDED_BY_NEWER))
    await database.admin.query('update alert_troubles set ended_at = now() where org_id = $1', [
      orgId,
    ])
    assert.ok(!(await findDueOrganizations(database.engine, 500)).includes(orgId), 'once')
  })
