// Does the dashboard's memory stay flat while the list of 5,000 monitors and one monitor are open, and each second 20
// monitors change state and 20 more are checked? Measures the heap after a forced GC, six times over the run.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { CDPSession, Page } from 'playwright-core'
import { toId, toUuid } from '../test/kit/ids.ts'
import { startWebFixture } from '../test/web/fixture.ts'
import { fillHistory } from './history-rows.ts'
import { describeMachine, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'

const MONITORS = 5_000
const READINGS = 6
const BATCH_MS = 250
const IN_A_BATCH = 5
// Allowed growth from the first reading to the last, for caches.
const MOST_GROWTH = 1.1
const SPARE_BYTES = 1_000_000
const MIB = 1024 * 1024

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } })
const minutes = Number(values.minutes)

const FLIP = `
  with flipped as (
    update monitor_states s
       set state = case s.state when 'UP' then 'DOWN' else 'UP' end, last_status_changed_at = now(),
           last_checked_at = now(), last_response_ms = 20 + (random() * 400)::integer
      from monitors m
     where m.no = s.monitor_no and m.org_id = $1 and s.state in ('UP', 'DOWN')
       and m.no = any ($2::bigint[])
    returning m.id, m.org_id, s.state
  )
  insert into events (id, org_id, type, occurred_at, body)
  select new_uuid(), org_id, 'monitor.' || lower(state), now(),
         json_build_object('data', json_build_object('monitor', json_build_object('id', ids.id)))
    from flipped join unnest($3::uuid[], $4::text[]) ids (uuid, id) on ids.uuid = flipped.id`
const CHECK = `
  update monitor_states set last_checked_at = now(), last_response_ms = 20 + (random() * 400)::integer
   where monitor_no = any ($1::bigint[])`

type ListedMonitor = { no: string; id: string; publicId: string }
type Reading = { minute: number; heapMb: number; nodes: number; listeners: number }

const fixture = await startWebFixture({ env: { LOG_LEVEL: 'error' } })
const client = new pg.Client({ connectionString: fixture.stack.databaseUrl })
await client.connect()
try {
  await main()
} finally {
  await client.end()
  await fixture.stop()
}

async function main(): Promise<void> {
  const { orgId } = fixture
  const org = toUuid(orgId)
  const size = { monitors: MONITORS, days: 30, rawDays: 1, denseMonitors: 5, sparseMinutes: 240 }
  const owner = { orgId: org, masterKeys: fixture.stack.env['MASTER_KEYS'] ?? '' }
  await fillHistory(client, owner, { ...size, sparseHourDays: 1 }, () => {})
  const listed = await listMonitors(org)
  const [first] = listed
  if (first === undefined) throw new Error('No monitor was made')
  const list = await fixture.open(orgId, 'MEMBER', '/monitors')
  const detail = await fixture.open(orgId, 'MEMBER', `/monitors/${first.publicId}`)
  await list.page.locator('tbody tr[data-row]').first().waitFor()
  await detail.page.getByRole('heading', { level: 1 }).waitFor()

  const busy = watchBusyness()
  const changes = startChanges(org, listed)
  const screens = { list: await follow(list.page), monitor: await follow(detail.page) }
  const readings: Record<keyof typeof screens, Reading[]> = { list: [], monitor: [] }
  for (let reading = 1; reading <= READINGS; reading++) {
    await delay((minutes * 60_000) / READINGS)
    const minute = (reading * minutes) / READINGS
    for (const name of ['list', 'monitor'] as const) {
      readings[name].push(await read(screens[name], minute))
      print(`${name}: ${JSON.stringify(readings[name].at(-1))}`)
    }
  }
  const changed = await changes.stop()
  report(readings, { changed, wrong: [...list.wrong, ...detail.wrong], busy: busy() })
}

async function listMonitors(org: string): Promise<ListedMonitor[]> {
  const { rows } = await client.query<{ no: string; id: string }>(
    `select no, id from monitors where org_id = $1 order by no`,
    [org],
  )
  return rows.map(({ no, id }) => ({ no, id, publicId: toId('mon', id) }))
}

/** Every tenth batch includes the monitor that is open. */
function startChanges(org: string, listed: readonly ListedMonitor[]) {
  let isOn = true
  let states = 0
  let batches = 0
  const some = () =>
    Array.from(
      { length: IN_A_BATCH },
      () => listed[Math.floor(Math.random() * listed.length)],
    ).filter((one) => one !== undefined)
  const run = async () => {
    while (isOn) {
      const next = delay(BATCH_MS)
      batches += 1
      const flipped = [...some(), ...(batches % 10 === 0 ? listed.slice(0, 1) : [])]
      await client.query(FLIP, [
        org,
        flipped.map(({ no }) => no),
        flipped.map(({ id }) => id),
        flipped.map(({ publicId }) => publicId),
      ])
      await client.query(CHECK, [some().map(({ no }) => no)])
      states += flipped.length
      await next
    }
  }
  const running = run()
  return {
    async stop() {
      isOn = false
      await running
      return states
    },
  }
}

async function follow(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.enable')
  return session
}

async function read(session: CDPSession, minute: number): Promise<Reading> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    minute,
    heapMb: Number((of('JSHeapUsedSize') / MIB).toFixed(2)),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
  }
}

type Circumstances = {
  changed: number
  wrong: readonly string[]
  busy: Parameters<typeof printRun>[0]['busy']
}

function report(
  readings: Record<string, Reading[]>,
  { changed, wrong, busy }: Circumstances,
): void {
  const statesASecond = Number((changed / (minutes * 60)).toFixed(1))
  const setting = { ...describeMachine(), monitors: MONITORS, minutes, statesASecond }
  printRun({ question: 'Is memory flat after live updates?', setting, busy })
  const rows = Object.entries(readings).flatMap(([screen, own]) =>
    own.map(({ minute, heapMb, nodes, listeners }) =>
      [screen, minute.toFixed(1), heapMb.toFixed(2), nodes, listeners].map(String),
    ),
  )
  print(table([['screen', 'minute', 'heap MiB', 'nodes', 'listeners'], ...rows]))
  const grown = Object.entries(readings).filter(([, own]) => !isFlat(own))
  for (const [screen] of grown) print(`MISSED: ${screen} grows`)
  for (const line of wrong) print(`WRONG: ${line}`)
  const passed = grown.length === 0 && wrong.length === 0
  printJson({ setting, readings, wrong, passed })
  if (!passed) process.exitCode = 1
}

function isFlat(readings: readonly Reading[]): boolean {
  const first = (readings[0]?.heapMb ?? 0) * MIB
  const last = (readings.at(-1)?.heapMb ?? Number.POSITIVE_INFINITY) * MIB
  const nodes = (readings.at(-1)?.nodes ?? 0) / (readings[0]?.nodes ?? 1)
  return last <= first * MOST_GROWTH + SPARE_BYTES && nodes <= MOST_GROWTH
}
