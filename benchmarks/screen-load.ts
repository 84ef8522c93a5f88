// The requests of the dashboard's screens, and how long each response takes.
import { Agent, request } from 'node:http'
import type { Database } from '../test/kit/database.ts'
import { toId } from '../test/kit/ids.ts'
import { percentile } from './harness.ts'

// Until the server's code is compiled.
const WARM_UP = 30
// Exports are long, so only a few.
const FILES = 8
const DAY_MS = 86_400_000

type Screen = {
  name: string
  path(n: number): string
  /** Exports are streamed as they are read, so the time to the first line counts. */
  isFile: boolean
}
export type Figure = {
  screen: string
  clients: number
  p50: number
  p99: number
  max: number
  bytes: number
  /** CPU time of the server's process and of PostgreSQL, per response. */
  cpuMs: number
}

/** Every read of every screen, for items that exist. */
export async function listScreens(db: Database, orgUuid: string): Promise<Screen[]> {
  const ids = async (prefix: string, text: string) =>
    (await db.run<{ id: string }>(text, [orgUuid])).map(({ id }) => toId(prefix, id))
  const monitors = await ids(
    'mon',
    'select id from monitors where org_id = $1 order by no limit 40',
  )
  const jobs = await ids(
    'mon',
    `select id from monitors where org_id = $1 and type = 'CRON' order by no limit 40`,
  )
  const [call] = await db.run<{ uuid: string; at: Date }>(
    `select m.id as uuid, c.at from monitors m join heartbeat_calls c on c.monitor_no = m.no
      where m.org_id = $1 and m.type = 'CRON' order by m.no, c.at desc limit 1`,
    [orgUuid],
  )
  const incidents = await ids(
    'inc',
    'select id from incidents where org_id = $1 order by started_at desc limit 200',
  )
  const deliveries = await ids(
    'whd',
    `select id from deliveries where org_id = $1 and channel = 'WEBHOOK' order by id desc limit 200`,
  )
  const paths: Paths = {
    ...monitorPaths(monitors),
    ...jobPaths(jobs),
    ...(call && {
      'a call': () => `/monitors/${toId('mon', call.uuid)}/checks/${call.at.toISOString()}`,
    }),
    ...incidentPaths(incidents),
    ...otherPaths(deliveries),
    ...filePaths(monitors),
  }
  return Object.entries(paths).map(([name, path]) => ({
    name,
    path,
    isFile: name.endsWith('.csv'),
  }))
}

type Paths = Record<string, (n: number) => string>

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? ''
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

function monitorPaths(monitors: readonly string[]): Paths {
  const monitor = (rest: string) => (n: number) => `/monitors/${pick(monitors, n)}/${rest}`
  return {
    overview: () => '/overview',
    monitors: (n) => `/overview/monitors?limit=50&offset=${(n % 20) * 50}`,
    'monitors, last page': () => '/overview/monitors?limit=100&offset=4900',
    'monitors, filtered': () => '/overview/monitors?state=DOWN,DEGRADED&type=HTTP,KEYWORD&limit=50',
    'monitors, search': (n) => `/overview/monitors?q=host-${n}&limit=50`,
    'monitors, by name': () => '/overview/monitors?sort=name&limit=50',
    'monitors, by uptime': (n) => `/overview/monitors?sort=uptime&limit=50&offset=${(n % 5) * 50}`,
    'monitors, by p95': (n) => `/overview/monitors?sort=p95&limit=50&offset=${(n % 5) * 50}`,
    'monitors, by change': () => '/overview/monitors?sort=changed&limit=50',
    monitor: (n) => `/overview/monitors/${pick(monitors, n)}`,
    'chart, 3 h': monitor('response-times?range=3h'),
    'chart, 24 h': monitor('response-times?range=24h'),
    'chart, 7 d': monitor('response-times?range=7d'),
    'chart, 30 d': monitor('response-times?range=30d'),
    'chart, 90 d': monitor(`response-times?from=${ago(89)}&to=${ago(0)}`),
    'check log': monitor('checks?limit=100'),
    'check log, failed': monitor('checks?failed=true&limit=100'),
    'check log, 20 days ago': monitor(`checks?limit=100&cursor=${ago(20)}`),
  }
}

/** CRON monitors decrypt a secret; DOMAIN monitors show another expiry. */
function jobPaths(jobs: readonly string[]): Paths {
  return {
    'monitors, jobs and domains': (n) =>
      `/overview/monitors?type=CRON,DOMAIN&limit=50&offset=${(n % 10) * 50}`,
    'monitor, a job': (n) => `/overview/monitors/${pick(jobs, n)}`,
    'check log, a job': (n) => `/monitors/${pick(jobs, n)}/checks?limit=100`,
  }
}

function filePaths(monitors: readonly string[]): Paths {
  return {
    'monitors.csv': () => '/exports/monitors.csv',
    'checks.csv': (n) => `/exports/monitors/${pick(monitors, n)}/checks.csv`,
    'incidents.csv': () => '/exports/incidents.csv',
    'audit-log.csv': () => '/exports/audit-log.csv',
  }
}

function incidentPaths(incidents: readonly string[]): Paths {
  return {
    incidents: (n) => `/overview/incidents?limit=50&offset=${(n % 20) * 50}`,
    'incidents, search': () => '/overview/incidents?q=refused&limit=50',
    'incidents, a week': () => `/overview/incidents?from=${ago(30)}&to=${ago(23)}&limit=50`,
    incident: (n) => `/overview/incidents/${pick(incidents, n)}`,
  }
}

function otherPaths(deliveries: readonly string[]): Paths {
  return {
    webhooks: () => '/overview/webhook-endpoints',
    deliveries: () => '/overview/webhook-deliveries?limit=50',
    'deliveries, troubled': () => '/overview/webhook-deliveries?troubled=true&limit=50',
    'one delivery': (n) => `/overview/webhook-deliveries/${pick(deliveries, n)}`,
    'alerts sent': () => '/overview/alert-messages?limit=50',
    calendar: () => `/overview/calendar?from=${ago(20)}&to=${ago(-22)}`,
    search: (n) => `/search?q=${['host-4', 'check', 'refused', 'page'][n % 4]}`,
    'audit log': () => '/audit-log?limit=50',
  }
}

type Setting = {
  requests: number
  base: string
  cookie: string
  clients: number
  /** CPU time of the servers so far. */
  cpuMicros(): number
}

/** `base` is the organization's URL. */
export async function measureScreen(
  { name, path, isFile }: Screen,
  { base, cookie, clients, requests, cpuMicros }: Setting,
): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const ask = (n: number) => timed(new URL(`${base}${path(n)}`), { agent, cookie })
  const most = isFile ? FILES : requests
  for (let n = 0; n < Math.min(WARM_UP, most); n++) await ask(n)
  const each = most / clients
  const startedUs = cpuMicros()
  const rounds = Array.from({ length: clients }, async (_, worker) => {
    const timings: Timing[] = []
    for (let n = 0; n < each; n++) timings.push(await ask(worker * each + n))
    return timings
  })
  const timings = (await Promise.all(rounds)).flat()
  const cpuMs = (cpuMicros() - startedUs) / 1000 / timings.length
  agent.destroy()
  const times = timings.map(({ ms, firstMs }) => (isFile ? firstMs : ms))
  return {
    screen: isFile ? `${name}, first line` : name,
    clients,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: Math.max(...(isFile ? timings.map(({ ms }) => ms) : times)),
    bytes: Math.max(...timings.map(({ bytes }) => bytes)),
    cpuMs,
  }
}

type Timing = { ms: number; firstMs: number; bytes: number }

function timed(url: URL, { agent, cookie }: { agent: Agent; cookie: string }) {
  return new Promise<Timing>((resolve, reject) => {
    const startedMs = performance.now()
    const sinceStart = () => performance.now() - startedMs
    const sent = request(url, { agent, headers: { Cookie: cookie } }, (response) => {
      let bytes = 0
      let firstMs = Number.NaN
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstMs = sinceStart()
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ ms: sinceStart(), firstMs, bytes })
        else reject(new Error(`${url.pathname}${url.search} was answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
