// What do 1,000 stream clients of 20 organizations cost one process, at 50 changes a second? And how long does a change
// take to reach them?
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { toUuid } from '../test/kit/ids.ts'
import { addMonitors } from '../test/private/crowd.ts'
import { type AppFixture, startAppFixture } from '../test/private/fixture.ts'
import { percentile } from './harness.ts'
import { cpuMicros, describeMachine, familyCpuMicros, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'
import { Crowd, type Followed } from './stream-crowd.ts'

const CHANGES_A_SECOND = 50
const WARM_UP_MS = 5_000
const GOALS = { megabytes: 50, corePercent: 20, lagMs: 2_000 }
const MIB = 1024 * 1024

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    organizations: { type: 'string', default: '20' },
    monitors: { type: 'string', default: '100' },
  },
})
const ORGANIZATIONS = Number(values.organizations)
const MONITORS_EACH = Number(values.monitors)
const clients = Number(values.clients)
const seconds = Number(values.seconds)

const fixture = await startAppFixture({
  LOG_LEVEL: 'error',
  STREAMS_PER_SESSION: '1000',
  STREAMS_PER_USER: '10000',
  STREAMS_PER_ORGANIZATION: '10000',
})
try {
  await run(fixture)
} finally {
  await fixture.stop()
}

async function run({ service, stack }: AppFixture): Promise<void> {
  const pid = service.process.pid ?? 0
  const organizations = await seed()
  const crowd = new Crowd(new URL(service.baseUrl))
  // Everything has been loaded and compiled before it is measured.
  await crowd.follow(organizations, ORGANIZATIONS)
  const changes = startChanges(organizations, crowd)
  await delay(WARM_UP_MS)
  const emptyBytes = residentBytes(pid)
  const busy = watchBusyness()

  await crowd.follow(organizations, clients - ORGANIZATIONS)
  await delay(WARM_UP_MS)
  crowd.reset()
  changes.reset()
  const [startMs, startUs] = [performance.now(), cpuMicros(pid)]
  const startDbUs = familyCpuMicros(stack.postgres.pid)
  await delay(seconds * 1000)
  const elapsedUs = (performance.now() - startMs) * 1000
  const found = {
    clients: crowd.open,
    changesASecond: (changes.count * 1e6) / elapsedUs,
    messagesASecond: (crowd.messages * 1e6) / elapsedUs,
    megabytes: (residentBytes(pid) - emptyBytes) / MIB,
    corePercent: (100 * (cpuMicros(pid) - startUs)) / elapsedUs,
    databaseCorePercent: (100 * (familyCpuMicros(stack.postgres.pid) - startDbUs)) / elapsedUs,
    lagMs: percentile(crowd.lagsMs, 0.99),
    medianLagMs: percentile(crowd.lagsMs, 0.5),
  }
  await changes.stop()
  crowd.close()
  report(found, busy())
}

async function seed(): Promise<Followed[]> {
  const made: Followed[] = []
  for (let index = 0; index < ORGANIZATIONS; index += 1) {
    const { id } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'READ_ONLY')
    await addMonitors(fixture.db, toUuid(id), MONITORS_EACH)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    made.push({ id, uuid: toUuid(id), cookie })
  }
  return made
}

/** Each change is a check result, identified by its response time. */
function startChanges(organizations: readonly Followed[], crowd: Crowd) {
  let number = 0
  let count = 0
  let isOver = false
  const running = (async () => {
    const startMs = performance.now()
    while (!isOver) {
      number += 1
      const { uuid } = organizations[number % ORGANIZATIONS] ?? { uuid: '' }
      await fixture.db.run(
        `update monitor_states set last_response_ms = $2, last_checked_at = now(), state = 'UP'
          where monitor_no = (select no from monitors where org_id = $1 order by no offset $3 limit 1)`,
        [uuid, number, Math.floor(number / ORGANIZATIONS) % MONITORS_EACH],
      )
      count += 1
      crowd.expect(number)
      const dueMs = startMs + (number * 1000) / CHANGES_A_SECOND
      await delay(Math.max(0, dueMs - performance.now()))
    }
  })()
  return {
    get count() {
      return count
    },
    reset() {
      count = 0
    },
    async stop() {
      isOver = true
      await running
    },
  }
}

function residentBytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

type Found = Record<string, number> & { megabytes: number; corePercent: number; lagMs: number }

function report(found: Found, busy: ReturnType<ReturnType<typeof watchBusyness>>): void {
  const setting = {
    ...describeMachine(),
    organizations: ORGANIZATIONS,
    monitors: MONITORS_EACH,
    seconds,
  }
  const run = { question: 'Followers of changes', setting, busy }
  const goalOf = (name: string) => GOALS[name as keyof typeof GOALS]
  const rows = Object.entries(found).map(([name, value]) => {
    const goal = goalOf(name)
    return [name, value.toFixed(1), goal === undefined ? '' : `<= ${goal}`]
  })
  const misses = Object.entries(found).filter(([name, value]) => value > (goalOf(name) ?? Infinity))
  printRun(run)
  print(table([['measure', 'found', 'goal'], ...rows]))
  for (const [name] of misses) print(`MISSED: ${name}`)
  printJson({ ...run, found, goals: GOALS, passed: misses.length === 0 })
  if (misses.length > 0) process.exitCode = 1
}
