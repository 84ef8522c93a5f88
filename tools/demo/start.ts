// Starts the product, sets up Acme while everything is really checked once, stops the product to write the history, and
// starts it again.
import { setTimeout as delay, setInterval as every } from 'node:timers/promises'
import pg from 'pg'
import { fromPublicId } from '../../src/domain/values/id.ts'
import { type Service, type Stack, startStack } from '../stack.ts'
import { listWatched } from './company.ts'
import { addReaders, addTeam } from './people.ts'
import { type Settled, settle } from './settle.ts'
import { startTargets, type Targets } from './targets.ts'
import { writePast } from './write-past.ts'

const RATE_LIMIT = 100_000
const SETTLE_SECONDS = 25
const POLL_MS = 250
const PING_SECONDS = 60

type DemoOptions = { directory: string; port: number; monitors: number; isEmpty: boolean }
export type Demo = {
  stack: Stack
  service: Service
  /** Ids of items to take screenshots of; empty if nothing was set up. */
  things: Partial<Settled>
  stop(): Promise<void>
}

export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { directory, port, monitors, isEmpty } = options
  const targets = await startTargets(directory)
  const env = { ...targets.env, LOG_LEVEL: 'warn' }
  const stack = await startStack({
    nats: false,
    rateLimit: RATE_LIMIT,
    env,
    mayEmbedPostgres: true,
  })
  const stop = async () => {
    await stack.stop()
    await targets.close()
  }
  try {
    const settled = isEmpty ? undefined : await fill(stack, targets, monitors)
    const service = await stack.start('start', { port })
    if (settled === undefined) return { stack, service, things: {}, stop }
    const pinging = new AbortController()
    void keepPinging(service.baseUrl, settled, pinging.signal)
    const stopAll = async () => {
      pinging.abort()
      await stop()
    }
    return { stack, service, things: settled, stop: stopAll }
  } catch (error) {
    await stop()
    throw error
  }
}

async function fill(stack: Stack, { at }: Targets, count: number): Promise<Settled> {
  const watched = listWatched(at)
  const service = await stack.start('start')
  const team = await addTeam(stack)
  const where = { baseUrl: service.baseUrl, organizationId: stack.organizationId }
  const settled = await settle(where, stack.person, { watched, at })
  await confirmContacts(stack)
  await ping(service.baseUrl, settled)
  await addReaders(stack, settled.pages)
  const orgId = fromPublicId('org', stack.organizationId) ?? ''
  const people = new Map([...team, ['Ana Keller', await findOwner(stack)]])
  await untilChecked(stack, orgId)
  await service.stop()
  const crowd = Math.max(0, count - watched.length)
  await writePast(stack.databaseUrl, { orgId, watched, settled, at, people, crowd })
  return settled
}

/** No one reads the confirmation emails here. */
async function confirmContacts({ databaseUrl }: Stack): Promise<void> {
  await sendRequest(databaseUrl, 'update alert_contacts set confirmed_at = now()', [])
}

async function findOwner({ databaseUrl, person }: Stack): Promise<string> {
  const [row] = await sendRequest<{ id: string }>(
    databaseUrl,
    'select id from users where email = $1',
    [person.email],
  )
  return row?.id ?? ''
}

/** Or until the timeout, after which monitors may stay pending. */
async function untilChecked({ databaseUrl }: Stack, orgId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < SETTLE_SECONDS * 1000; waitedMs += POLL_MS) {
    const pending = await sendRequest(
      databaseUrl,
      `select 1 from monitor_states where org_id = $1 and state = 'PENDING' limit 1`,
      [orgId],
    )
    if (pending.length === 0) return
    await delay(POLL_MS)
  }
}

async function sendRequest<T>(url: string, text: string, values: unknown[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text, values)
  await client.end()
  return rows as T[]
}

/** All jobs report success except the last one, which fails. */
async function ping(baseUrl: string, { monitors }: Settled): Promise<void> {
  const tokens = monitors.flatMap(({ heartbeatUrl }) =>
    heartbeatUrl === null ? [] : [new URL(heartbeatUrl).pathname],
  )
  for (const [index, path] of tokens.entries()) {
    const fails = index === tokens.length - 1
    await fetch(`${baseUrl}${path}${fails ? '/fail' : ''}`, {
      method: 'POST',
      body: fails ? 'smtp: 421 4.7.0 too many connections, 1,204 emails waiting' : 'done',
    })
  }
}

async function keepPinging(baseUrl: string, settled: Settled, signal: AbortSignal): Promise<void> {
  try {
    // If a ping is lost, the next one makes up for it.
    for await (const _ of every(PING_SECONDS * 1000, undefined, { signal, ref: false }))
      await ping(baseUrl, settled).catch(() => undefined)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
