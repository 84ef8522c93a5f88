// What the dashboard's screens ask, and how long each answer takes.
import { Agent, request } from 'node:http'
import type { Database } from '../test/kit/database.ts'
import { toId } from '../test/kit/ids.ts'
import { percentile } from './harness.ts'

const WARM_UP = 10
const DAY_MS = 86_400_000

export type Screen = { name: string; path(n: number): string }
export type Figure = {
  screen: string
  clients: number
  p50: number
  p99: number
  max: number
  bytes: number
}

/** Every read of every screen, about things that exist. */
export async function listScreens(db: Database, orgUuid: string): Promise<Screen[]> {
  const ids = async (prefix: string, text: string) =>
    (await db.run<{ id: string }>(text, [orgUuid])).map(({ id }) => toId(prefix, id))
  const monitors = await ids(
    'mon',
    'select id from monitors where org_id = $1 order by no limit 40',
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
    ...incidentPaths(incidents),
    ...otherPaths(deliveries),
  }
  return Object.entries(paths).map(([name, path]) => ({ name, path }))
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

export type Setting = { requests: number; base: string; cookie: string; clients: number }

/** `base` is the organization's address. */
export async function measureScreen(
  { name, path }: Screen,
  { base, cookie, clients, requests }: Setting,
): Promise<Figure> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const ask = (n: number) => timed(new URL(`${base}${path(n)}`), { agent, cookie })
  for (let n = 0; n < WARM_UP; n++) await ask(n)
  const each = requests / clients
  const rounds = Array.from({ length: clients }, async (_, worker) => {
    const taken: { ms: number; bytes: number }[] = []
    for (let n = 0; n < each; n++) taken.push(await ask(worker * each + n))
    return taken
  })
  const taken = (await Promise.all(rounds)).flat()
  agent.destroy()
  const times = taken.map(({ ms }) => ms)
  const figure = {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: Math.max(...times),
  }
  return { screen: name, clients, ...figure, bytes: Math.max(...taken.map(({ bytes }) => bytes)) }
}

function timed(url: URL, { agent, cookie }: { agent: Agent; cookie: string }) {
  return new Promise<{ ms: number; bytes: number }>((resolve, reject) => {
    const startedMs = performance.now()
    const sent = request(url, { agent, headers: { Cookie: cookie } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ ms: performance.now() - startedMs, bytes })
        else reject(new Error(`${url.pathname}${url.search} was answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
