// A whole service as real processes, with an operator who gets email and a heartbeat URL that records calls.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Environment, type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { type SmtpSink, startSmtpSink } from '../../kit/smtp-sink.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'

/** `npm run long watch` uses the default settings. */
export const HAS_DEFAULTS = process.env['WATCH_DEFAULTS'] === '1'
const PROMISE_MS = 60_000
const OPERATOR = 'operator@example.com'
const PLENTY = 1_000_000

type Condition = { code: string; message: string; since: string }

export type Watched = {
  stack: Stack
  db: Database
  api: Client
  page: Page
  sink: SmtpSink
  /** Changing the password makes the service's password an expired one. */
  login: { user: string; password: string }
  /** Calls to the heartbeat's failure URL. */
  failures: string[]
  /** Starts a role, or every role, and registers it by name. */
  start(role: string, env?: Environment): Promise<Service>
  service(role: string): Service
  subjects(): string[]
  /**
   * Breaks something, and waits for the email and for readiness and metrics to report it. Returns the seconds it took.
   */
  breaks(fault: Fault): Promise<number>
  /** Waits for the recovery email, and for a service without any condition. */
  recovers(code: string, about: RegExp): Promise<void>
  conditionsOf(service: Service): Promise<{ status: number; conditions: Condition[] }>
  metricsOf(service: Service): Promise<string>
  stop(): Promise<void>
}

type WatchedOptions = { withDefaults?: boolean }

type Fault = {
  code: string
  about: RegExp
  plant(): Promise<unknown>
  seenBy: Service
  /** What /readyz of `seenBy` may answer meanwhile; 200 if nothing else is said. */
  status?: number | readonly number[]
}

export async function startWatched(options: WatchedOptions = {}): Promise<Watched> {
  const { withDefaults = HAS_DEFAULTS } = options
  const login = { user: 'upvane', password: 'first-password' }
  const sink = await startSmtpSink({ login })
  const failures: string[] = []
  const heartbeat = await startHeartbeatAddress(failures)
  const web = await startWeb()
  const page = web.page({ status: 200 })
  const stack = await startStack({
    rateLimit: PLENTY,
    env: {
      LOG_LEVEL: 'warn',
      BASE_URL: 'http://upvane.example',
      SMTP_URL: `smtp://${login.user}:${login.password}@127.0.0.1:${sink.port}?tls=off`,
      SMTP_FROM: 'upvane@upvane.example',
      OPERATOR_EMAIL: OPERATOR,
      SELF_HEARTBEAT_URL: heartbeat.url,
      ...(withDefaults ? {} : { SELF_HEARTBEAT_SECONDS: '2', SHARD_LEASE_SECONDS: '4' }),
    },
  })
  const db = openDatabase(stack.databaseUrl)
  const services = new Map<string, Service>()
  const service = (role: string) => {
    const found = services.get(role)
    assert.ok(found, `${role} was not started`)
    return found
  }
  const start = async (role: string, more: Environment = {}) => {
    const started = await stack.start(role, { env: more })
    services.set(role, started)
    return started
  }
  let api: Client | undefined
  const subjects = () => sink.to(OPERATOR).map(({ headers }) => headers['subject'] ?? '')
  const watched: Watched = {
    stack,
    db,
    get api() {
      const { baseUrl } = services.get('api') ?? service('start')
      if (api?.baseUrl !== baseUrl) {
        api?.close()
        api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
      }
      return api
    },
    page,
    sink,
    login,
    failures,
    start,
    service,
    subjects,
    breaks: (fault) => breaks(watched, fault),
    recovers: (code, about) => recovers(watched, services, { code, about }),
    conditionsOf,
    metricsOf,
    async stop() {
      api?.close()
      await db.close()
      await stack.stop()
      await Promise.all([sink.close(), heartbeat.close(), web.close()])
    },
  }
  return watched
}

const gauge = (code: string) => `upvane_condition{code="${code}"} 1`

async function breaks(watched: Watched, fault: Fault): Promise<number> {
  const { code, about, plant, seenBy, status = 200 } = fault
  const count = () => watched.subjects().filter((subject) => isBeginning(subject, about)).length
  const before = count()
  await plant()
  const startMs = performance.now()
  await until(`the email about ${code}`, async () => count() > before, PROMISE_MS)
  const seconds = (performance.now() - startMs) / 1000
  assert.equal(count(), before + 1, 'one email')
  console.log(`${code}: the operator was notified after ${seconds.toFixed(1)} s`)
  const expected = [status].flat()
  await until(`${code} in /readyz`, async () => {
    const shown = await watched.conditionsOf(seenBy)
    return (
      expected.includes(shown.status) &&
      shown.conditions.some(
        (condition) => condition.code === code && Date.parse(condition.since) > 0,
      )
    )
  }).catch(async ({ message }: Error) => {
    const shown = await fetch(`${seenBy.internalUrl}/readyz`)
    assert.fail(`${message}: ${shown.status} ${await shown.text()}`)
  })
  assert.ok((await watched.metricsOf(seenBy)).includes(gauge(code)), gauge(code))
  return seconds
}

async function recovers(
  watched: Watched,
  services: ReadonlyMap<string, Service>,
  { code, about }: { code: string; about: RegExp },
): Promise<void> {
  const isEnd = (subject: string) => subject.startsWith('✓') && about.test(subject)
  const ends = () => watched.subjects().filter(isEnd).length
  const beginnings = () =>
    watched.subjects().filter((subject) => isBeginning(subject, about)).length
  const isOver = async () => ends() > 0 && ends() === beginnings()
  await until(`the end of ${code}`, isOver, 3 * PROMISE_MS)
  for (const service of services.values()) {
    if (service.process.exitCode !== null || service.process.signalCode !== null) continue
    await until('a service without a condition', async () => {
      const { conditions } = await watched.conditionsOf(service)
      return conditions.length === 0
    })
  }
  assert.equal(beginnings(), ends(), watched.subjects().join('\n'))
}

const isBeginning = (subject: string, about: RegExp) =>
  subject.startsWith('✕') && about.test(subject)

async function conditionsOf({ internalUrl }: Service) {
  const answer = await fetch(`${internalUrl}/readyz`)
  const { conditions = [] } = (await answer.json()) as { conditions?: Condition[] }
  return { status: answer.status, conditions }
}

async function metricsOf({ internalUrl }: Service): Promise<string> {
  return (await fetch(`${internalUrl}/metrics`)).text()
}

/** Records what is called under /fail. */
async function startHeartbeatAddress(failures: string[]) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url?.endsWith('/fail')) failures.push(Buffer.concat(chunks).toString())
      response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Safe because a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/ping`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
