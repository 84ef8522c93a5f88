// One running product that the files of a suite share, each with its own organizations: starting one costs several seconds
// of CPU time. The test runner starts it and names it in the environment; without it, every file starts its own.
import { randomBytes } from 'node:crypto'
import { fillDemo } from '../accounts.ts'
import {
  type Environment,
  type Service,
  type Stack,
  startService,
  startStack,
  toConnection,
} from '../stack.ts'

const VARIABLE = 'TEST_PRODUCT'
const PLENTY = 1_000_000

/** Tests send requests faster than people do. */
export const TEST_DEFAULTS = {
  rateLimit: PLENTY,
  env: {
    LOG_LEVEL: 'warn',
    APP_REQUESTS_PER_SESSION: '0',
    APP_REQUESTS_PER_ORGANIZATION: '0',
    APP_REQUESTS_PER_NETWORK: '0',
  },
}

/** Only files that want the same can share. */
export type ProductKind = {
  command: 'api' | 'start'
  /** What is added to the defaults. */
  added: Environment
}

type Running = {
  kind: ProductKind
  service: Pick<Service, 'baseUrl' | 'internalUrl'>
  stack: Pick<Stack, 'databaseUrl' | 'env' | 'directory'>
}

// All tests come from one address, and many send keys that do not exist.
const MANY_CLIENTS = { UNAUTHENTICATED_LIMIT_PER_MINUTE: '0' }

/** For the test runner. Returns what test processes need in their environment. */
export async function startSharedProduct({
  command,
  added,
}: ProductKind): Promise<{ env: Environment; stop(): Promise<void> }> {
  const { rateLimit, env } = TEST_DEFAULTS
  const stack = await startStack({ rateLimit, env: { ...env, ...MANY_CLIENTS, ...added } })
  const { baseUrl, internalUrl } = await stack.start(command)
  const { databaseUrl, env: whole, directory } = stack
  const running: Running = {
    kind: { command, added },
    service: { baseUrl, internalUrl },
    stack: { databaseUrl, env: whole, directory },
  }
  return { env: { [VARIABLE]: JSON.stringify(running) }, stop: () => stack.stop() }
}

type Attached = { stack: Stack; service: Service }

/** The shared product with new organizations, keys and a person. Undefined if there is none of that kind. */
export async function attachProduct(wanted: ProductKind): Promise<Attached | undefined> {
  const text = process.env[VARIABLE]
  if (text === undefined) return undefined
  const running = JSON.parse(text) as Running
  if (!isSame(running.kind, wanted)) return undefined
  const { databaseUrl, env, directory } = running.stack
  const email = `demo-${randomBytes(6).toString('hex')}@example.com`
  const demo = await fillDemo(toConnection({ databaseUrl, env }), email)
  const services: Service[] = []
  const stack: Stack = {
    ...demo,
    databaseUrl,
    env,
    directory,
    nats: undefined,
    get postgres() {
      return refuse('Its PostgreSQL')
    },
    async start(command = 'start', { port, env: more = {} } = {}) {
      const service = await startService(command, directory, { ...env, ...more }, port)
      services.push(service)
      return service
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
    },
  }
  const service: Service = {
    ...running.service,
    get process() {
      return refuse('Its process')
    },
    stop: () => refuse('Its process'),
    kill: () => refuse('Its process'),
  }
  return { stack, service }
}

function isSame(a: ProductKind, b: ProductKind): boolean {
  const sorted = ({ added }: ProductKind) => JSON.stringify(Object.entries(added).toSorted())
  return a.command === b.command && sorted(a) === sorted(b)
}

function refuse(what: string): never {
  throw new Error(`${what} is shared with other test files: start with { own: true }.`)
}
