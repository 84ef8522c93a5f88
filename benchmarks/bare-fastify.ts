// The baseline for the API: plain Fastify over the same rows, without authentication, rate limit, row-level security or
// log. Started by api.ts; reports its port when it listens.
import { fastify } from 'fastify'
import pg from 'pg'
import { monitorColumns } from '../src/store/monitors/columns.ts'
import { findFreePort } from '../tools/services/ports.ts'

type Row = Record<string, unknown> & { total: string }
type Query = { limit: string; offset: string }

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })

const FIND = {
  name: 'find',
  text: `select ${monitorColumns.text}
           from monitors m join monitor_states s on s.monitor_no = m.no
          where m.org_id = $1 and m.id = $2`,
}
const PAGE = {
  name: 'page',
  text: `select u.monitors as total, ${monitorColumns.text}
           from organization_usage u
           join monitors m on m.org_id = u.org_id
           join monitor_states s on s.monitor_no = m.no
          where u.org_id = $1
          order by m.created_at desc, m.id desc limit $2 offset $3`,
}

const app = fastify()

app.get<{ Params: { org: string; id: string } }>('/:org/monitors/:id', async ({ params }) => {
  const { rows } = await pool.query<Row>({ ...FIND, values: [params.org, params.id] })
  return rows[0] && toMonitor(rows[0])
})

app.get<{ Params: { org: string }; Querystring: Query }>(
  '/:org/monitors',
  async ({ params, query }) => {
    const limit = Number(query.limit)
    const offset = Number(query.offset)
    const { rows } = await pool.query<Row>({ ...PAGE, values: [params.org, limit, offset] })
    const pagination = { limit, offset, total: Number(rows[0]?.total ?? 0) }
    return { data: rows.map(toMonitor), pagination }
  },
)

const port = await findFreePort()
await app.listen({ host: '127.0.0.1', port })
process.send?.({ port })
process.on('disconnect', () => process.exit(0))

/** The same 33 fields in the same order; the id stays as the database writes it. */
function toMonitor(row: Row) {
  return {
    id: row['uuid'],
    name: row['name'],
    type: row['type'],
    state: row['state'],
    url: row['url'],
    host: row['host'],
    port: row['port'],
    method: row['method'],
    expectedStatus: row['expectedStatus'],
    requestHeaders: null,
    requestBody: null,
    followRedirects: row['followRedirects'],
    verifySsl: row['verifySsl'],
    keyword: row['keyword'],
    keywordMatch: row['keywordMatch'],
    dnsRecordType: row['dnsRecordType'],
    dnsExpected: row['dnsExpected'],
    dnsAlertOnChange: row['dnsAlertOnChange'],
    sslExpiryThresholdDays: row['sslExpiryThresholdDays'],
    intervalSeconds: row['intervalSeconds'],
    timeoutSeconds: row['timeoutSeconds'],
    expectedPeriodSec: row['expectedPeriodSec'],
    graceSeconds: row['graceSeconds'],
    degradedThresholdMs: row['degradedThresholdMs'],
    degradedThresholdMode: row['degradedThresholdMode'],
    degradedSamples: row['degradedSamples'],
    heartbeatUrl: null,
    lastCheckedAt: row['lastCheckedAt'],
    lastStatusChangedAt: row['lastStatusChangedAt'],
    lastResponseMs: row['lastResponseMs'],
    certExpiresAt: row['certExpiresAt'],
    createdAt: row['createdAt'],
    updatedAt: row['updatedAt'],
  }
}
