// Fills one organization of a running installation with monitors and months of history, for a demonstration.
// MASTER_KEYS=… node benchmarks/fill-history.ts --database URL --organization org_… [--monitors 5000] [--days 90]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { fromPublicId } from '../src/domain/values/id.ts'
import { fillHistory } from './history-rows.ts'
import { print } from './report.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    organization: { type: 'string' },
    monitors: { type: 'string', default: '5000' },
    days: { type: 'string', default: '90' },
    'raw-days': { type: 'string', default: '30' },
    dense: { type: 'string', default: '40' },
    'sparse-minutes': { type: 'string', default: '60' },
    'sparse-hour-days': { type: 'string', default: '90' },
  },
})
const orgId = fromPublicId('org', values.organization ?? '')
const masterKeys = process.env['MASTER_KEYS']
if (values.database === undefined || orgId === undefined || masterKeys === undefined)
  throw new Error(
    'Give --database, as its superuser, --organization org_…, and MASTER_KEYS in the environment',
  )

const client = new pg.Client({ connectionString: values.database })
await client.connect()
const size = {
  monitors: Number(values.monitors),
  days: Number(values.days),
  rawDays: Number(values['raw-days']),
  denseMonitors: Number(values.dense),
  sparseMinutes: Number(values['sparse-minutes']),
  sparseHourDays: Number(values['sparse-hour-days']),
}
await fillHistory(client, { orgId, masterKeys }, size, (step, seconds) =>
  print(`${step}: ${seconds.toFixed(1)} s`),
)
await client.end()
