// Fills one organization of a running installation with monitors and months of history, for a demonstration.
// MASTER_KEYS=… node benchmarks/fill-history.ts --database URL --organization org_… [--monitors 5000] [--days 90]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { fromPublicId } from '../src/domain/values/id.ts'
import { fillHistory } from './history-rows.ts'
import { historySize, SIZE_OPTIONS } from './history-step.ts'
import { print } from './report.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    organization: { type: 'string' },
    ...SIZE_OPTIONS,
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
const size = historySize(values)
await fillHistory(client, { orgId, masterKeys }, size, (step, seconds) =>
  print(`${step}: ${seconds.toFixed(1)} s`),
)
await client.end()
