// How large and how fast is a public status page with 20 components, 90 days and 15 incidents, against bare node:http
// that sends the same bytes? And does it keep responding while PostgreSQL does not?
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { acmePage } from '../test/e2e/pages/acme.ts'
import { read } from '../test/e2e/pages/fixture.ts'
import { World } from '../test/e2e/pages/world.ts'
import { openDatabase } from '../test/kit/database.ts'
import { toUuid } from '../test/kit/ids.ts'
import { findFreePort } from '../tools/services/ports.ts'
import { type Stack, startStack } from '../tools/stack.ts'
import { type Contender, MIN_WARM_UP, percentile, takeTurns, toFigures } from './harness.ts'
import { Load } from './load.ts'
import { cpuMicros, describeMachine, pin, watchBusyness } from './machine.ts'
import { print, printJson, printRun, readOptions, table } from './report.ts'

const SERVER_CORE = '0'
const SHARED_CORE = '1'
const INCIDENTS = 15
const CONCURRENCY = 16
const OPERATIONS = 4000
const FIRST_BYTES = 1000
const PATH = '/status/acme'
const GOALS = { gzipBytes: 15_000, blockingRequests: 0, firstByteMs: 5, perSecond: 2000 }

if (process.argv[2] === 'bare') serveBare()
else await main()

async function main(): Promise<void> {
  const options = readOptions()
  const stack = await startStack({ nats: true, env: { LOG_LEVEL: 'error' } })
  const load = new Load(SHARED_CORE)
  const children: ChildProcess[] = []
  try {
    pin(stack.postgres.pid, SHARED_CORE)
    await seed(stack)
    const api = await stack.start('api')
    pin(api.process.pid ?? 0, SERVER_CORE)
    const packed = await read(api.baseUrl, PATH, { headers: { 'Accept-Encoding': 'gzip' } })
    const bare = await startBare(packed.body)
    children.push(bare.process)
    const busy = watchBusyness()
    const ours = contender(load, portOf(api.baseUrl), api.process.pid ?? 0)
    const slots = await takeTurns(
      { ours, bare: contender(load, bare.port, bare.process.pid ?? 0) },
      { operations: OPERATIONS, rounds: options.rounds, warmUp: MIN_WARM_UP },
    )
    const figures = toFigures('page', slots, {})
    const firstBytes = await load.run(job(portOf(api.baseUrl), FIRST_BYTES, 1))
    const cpuUs = Math.min(...slots.ours.map(({ cpuUs: { node = 0 } }) => node))
    const found = {
      gzipBytes: packed.body.length,
      blockingRequests: blockingRequests((await read(api.baseUrl, PATH)).text),
      firstByteMs: percentile(firstBytes, 0.99),
      perSecond: Math.round(1e6 / cpuUs),
      frozen: await readFrozen(stack, api.baseUrl),
    }
    const setting = { ...describeMachine(), components: 20, days: 90, incidents: INCIDENTS }
    const run = { question: 'A public status page', setting, busy: busy() }
    printRun(run)
    print(table([['measure', 'found', 'goal'], ...rowsOf(found)]))
    for (const { measure, oursUs, bareUs, ratio } of figures)
      print(
        `${measure}: ours ${oursUs.toFixed(1)} us, bare ${bareUs.toFixed(1)} us, ratio ${ratio.toFixed(2)}`,
      )
    const misses = missesOf(found)
    for (const miss of misses) print(`MISSED: ${miss}`)
    printJson({ ...run, found, goals: GOALS, figures, passed: misses.length === 0 })
    if (misses.length > 0) process.exitCode = 1
  } finally {
    load.stop()
    for (const child of children) child.disconnect()
    await stack.stop()
  }
}

type Found = typeof GOALS & { frozen: { answers: number; slowestMs: number } }

function rowsOf({ frozen, ...found }: Found): string[][] {
  return [
    ['gzip', `${found.gzipBytes} B`, `<= ${GOALS.gzipBytes}`],
    ['blocking requests', String(found.blockingRequests), '0'],
    ['time to the whole answer, p99 of 1,000', `${found.firstByteMs.toFixed(2)} ms`, '<= 5'],
    ['answers a second and core', String(found.perSecond), `>= ${GOALS.perSecond}`],
    [
      'answers while PostgreSQL is frozen',
      `${frozen.answers}, up to ${frozen.slowestMs} ms`,
      'all',
    ],
  ]
}

function missesOf(found: Found): string[] {
  return [
    ...(found.gzipBytes > GOALS.gzipBytes ? ['gzip'] : []),
    ...(found.blockingRequests > 0 ? ['blocking requests'] : []),
    ...(found.firstByteMs > GOALS.firstByteMs ? ['time to the answer'] : []),
    ...(found.perSecond < GOALS.perSecond ? ['answers a second'] : []),
  ]
}

async function seed(stack: Stack): Promise<void> {
  const db = openDatabase(stack.databaseUrl)
  const world = new World(db, toUuid(stack.organizationId))
  const page = acmePage('acme', 'degraded')
  const known = page.incidents ?? []
  const more = Array.from({ length: INCIDENTS - known.length }, (_, index) => ({
    title: `Reports of region ${index + 1} were late`,
    startedMinutesAgo: (20 + index) * 1440,
    minutes: 20 + index,
    affects: { 'Exports and scheduled reports': 'DEGRADED' },
    updates: [
      {
        status: 'RESOLVED',
        message: 'A worker was replaced. Nothing is missing.',
        minutesAgo: (20 + index) * 1440 - 20,
      },
    ],
  }))
  await world.seedPage({ ...page, incidents: [...known, ...more] })
  await db.close()
}

function contender(load: Load, port: number, pid: number): Contender {
  return {
    run: async (operations) => void (await load.run(job(port, operations, CONCURRENCY))),
    cpuMicros: { node: () => cpuMicros(pid) },
  }
}

function job(port: number, count: number, concurrency: number) {
  const request = `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
  return { port, requests: [request], count, concurrency, expectedStatus: 200 }
}

/** Style sheets and scripts that block the first paint. */
function blockingRequests(html: string): number {
  const sheets = html.match(/<link[^>]+rel="stylesheet"/g)?.length ?? 0
  const scripts = [...html.matchAll(/<script(?![^>]*\b(?:defer|async|type="module")\b)/g)].length
  return sheets + scripts
}

async function readFrozen(stack: Stack, baseUrl: string): Promise<Found['frozen']> {
  await delay(1_100)
  stack.postgres.freeze()
  try {
    const times: number[] = []
    for (let i = 0; i < 30; i++) {
      const { status, firstByteMs } = await read(baseUrl, PATH)
      if (status !== 200) throw new Error(`answered ${status} while the database was frozen`)
      times.push(firstByteMs)
      await delay(100)
    }
    return { answers: times.length, slowestMs: Math.round(Math.max(...times)) }
  } finally {
    stack.postgres.thaw()
  }
}

async function startBare(body: Buffer): Promise<{ process: ChildProcess; port: number }> {
  const child = fork(import.meta.filename, ['bare'])
  child.send(body.toString('base64'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  pin(child.pid ?? 0, SERVER_CORE)
  return { process: child, port }
}

function serveBare(): void {
  process.once('message', async (text: string) => {
    const body = Buffer.from(text, 'base64')
    const headers = {
      'Content-Type': 'text/html',
      'Content-Encoding': 'gzip',
      'Content-Length': body.length,
    }
    const server = createServer((_, response) => response.writeHead(200, headers).end(body))
    const port = await findFreePort()
    server.listen(port, '127.0.0.1', () => process.send?.({ port }))
  })
  process.once('disconnect', () => process.exit(0))
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
