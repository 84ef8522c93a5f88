// Does every screen of the dashboard answer within 100 ms at p99, for an organization with 5,000 monitors and 90 days
// of history? Through HTTP, on one process, one client and four at once.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type AppBench, startAppBench } from '../test/app/bench.ts'
import { toUuid } from '../test/kit/ids.ts'
import { fillHistory, type HistorySize } from './history-rows.ts'
import { describeMachine, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'
import { type Figure, listScreens, measureScreen } from './screen-load.ts'

const GOAL_MS = 100

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '5000' },
    days: { type: 'string', default: '90' },
    'raw-days': { type: 'string', default: '30' },
    dense: { type: 'string', default: '40' },
    'sparse-minutes': { type: 'string', default: '60' },
    'sparse-hour-days': { type: 'string', default: '90' },
    requests: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
})
const size: HistorySize = {
  monitors: Number(values.monitors),
  days: Number(values.days),
  rawDays: Number(values['raw-days']),
  denseMonitors: Number(values.dense),
  sparseMinutes: Number(values['sparse-minutes']),
  sparseHourDays: Number(values['sparse-hour-days']),
}

const bench = await startAppBench({ LOG_LEVEL: 'error' })
try {
  await main(bench)
} finally {
  await bench.stop()
}

async function main({ stack, orgId, join, service, db }: AppBench): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrl })
  await client.connect()
  const startedMs = performance.now()
  await fillHistory(client, toUuid(orgId), size, (step, seconds) =>
    print(`filled ${step} in ${seconds.toFixed(1)} s`),
  )
  await client.end()
  const fillSeconds = Math.round((performance.now() - startedMs) / 1000)
  const { visitor } = await join(orgId, 'OWNER')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const all = await listScreens(db, toUuid(orgId))
  const chosen = all.filter(({ name }) => name.includes(values.only))

  const busy = watchBusyness()
  const figures: Figure[] = []
  const base = `${service.baseUrl}/app/api/organizations/${orgId}`
  const setting = { base, cookie, requests: Number(values.requests) }
  for (const screen of chosen)
    for (const clients of [1, 4]) figures.push(await measureScreen(screen, { ...setting, clients }))
  const [{ bytes = 0 } = {}] = await db.run<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  report(
    { ...describeMachine(), ...size, fillSeconds, databaseMb: Math.round(bytes / 1e6) },
    figures,
    busy(),
  )
}

function report(
  setting: Record<string, string | number>,
  figures: readonly Figure[],
  busy: Parameters<typeof printRun>[0]['busy'],
): void {
  printRun({ question: `Does every screen answer within ${GOAL_MS} ms at p99?`, setting, busy })
  const head = ['screen', 'clients', 'p50 ms', 'p99 ms', 'max ms', 'kB']
  const rows = figures.map(({ screen, clients, p50, p99, max, bytes }) => [
    screen,
    String(clients),
    p50.toFixed(1),
    p99.toFixed(1),
    max.toFixed(1),
    (bytes / 1000).toFixed(1),
  ])
  print(table([head, ...rows]))
  const missed = figures.filter(({ p99 }) => p99 > GOAL_MS)
  for (const { screen, clients, p99 } of missed)
    print(`MISSED: ${screen}, ${clients} clients: ${p99.toFixed(1)} ms`)
  printJson({ setting, goalMs: GOAL_MS, figures, passed: missed.length === 0 })
  if (missed.length > 0) process.exitCode = 1
}
