// What exists while the fuzzer runs, so that requests hit real resources of the right organization.
import pg from 'pg'
import type { Stack } from '../../tools/stack.ts'
import { Client, type Reply } from '../db-kit/client.ts'
import { randomId, toUuid } from '../db-kit/public-id.ts'
import { seedIncident } from '../db-kit/seed-incident.ts'
import { plantExamples } from './examples.ts'
import type { IdChoice, KeyName, OddId, Plan } from './plan.ts'

const FEWEST = 12
const FEWEST_ENDPOINTS = 6
const FEWEST_WINDOWS = 6
const FEWEST_PAGES = 6
const HOUR_MS = 3_600_000
const PREFIXES: Readonly<Record<string, string>> = {
  monitors: 'mon',
  incidents: 'inc',
  'maintenance-windows': 'mw',
  'status-pages': 'sp',
  'status-incidents': 'sin',
  'webhook-endpoints': 'whe',
  'webhook-deliveries': 'whd',
}
const END_DELIVERY = `
  with ended as (
    update deliveries
       set status = 'FAILED', next_attempt_at = null, completed_at = now(), last_attempt_at = now(),
           attempt_count = 1, last_response_status = 500, last_error = 'HTTP 500, expected 2xx'
     where id = $1
    returning id, org_id
  )
  insert into attempts (delivery_id, number, id, org_id, trigger, started_at, duration_ms, outcome,
                        response_status, response_body, error_code, error)
  select id, 1, gen_random_uuid(), org_id, 'AUTOMATIC', now(), 84, 'FAILED', 500, 'Oops', 'BAD_STATUS',
         'HTTP 500, expected 2xx' from ended`
const ORGANIZATIONS = ['full', 'otherOrganization', 'freePlan'] as const
type Organization = (typeof ORGANIZATIONS)[number]
/** Ids by collection, such as `monitors`. */
type Pools = Map<string, string[]>

export class World {
  readonly #pools = new Map<string, Pools>(ORGANIZATIONS.map((name) => [name, new Map()]))
  readonly #clients: ReadonlyMap<Organization, Client>
  readonly #db: pg.Client

  private constructor(clients: ReadonlyMap<Organization, Client>, db: pg.Client) {
    this.#clients = clients
    this.#db = db
  }

  static async open(stack: Stack, baseUrl: string): Promise<World> {
    const db = new pg.Client({ connectionString: stack.databaseUrl })
    await db.connect()
    const clients = ORGANIZATIONS.map(
      (name) => [name, new Client(baseUrl, stack.keys[name])] as const,
    )
    const world = new World(new Map(clients), db)
    for (const name of ORGANIZATIONS) await world.#fill(name)
    const monitor = { name: 'Example', type: 'HTTP', url: 'https://example.com/' }
    await world.#create('full', 'monitors', monitor)
    await plantExamples(db, stack.organizationId)
    return world
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) client.close()
    await this.#db.end()
  }

  pathOf({ operation, path, key, ids }: Plan): string {
    if (path !== undefined) return path
    return operation.path.replace(/([^/]+)\/\{[^}]+\}/, (_, collection: string) => {
      return `${collection}/${this.#idOf(key, collection, ids)}`
    })
  }

  #idOf(key: KeyName, collection: string, choice: IdChoice): string {
    if (choice.kind === 'odd') return choice.text
    const pool = this.#poolFor(ownerOf(key), collection, choice)
    return pool[choice.index % Math.max(1, pool.length)] ?? randomId(PREFIXES[collection] ?? 'mon')
  }

  #poolFor(owner: string, collection: string, { kind, index }: Exclude<IdChoice, OddId>): string[] {
    const own = this.#pools.get(owner) ?? new Map<string, string[]>()
    if (kind === 'own') return own.get(collection) ?? []
    if (kind === 'unknown') return []
    if (kind === 'otherKind') {
      const others = [...own.keys()].filter((name) => name !== collection)
      return own.get(others[index % Math.max(1, others.length)] ?? '') ?? []
    }
    const foreign = owner === 'otherOrganization' ? 'full' : 'otherOrganization'
    return this.#pools.get(foreign)?.get(collection) ?? []
  }

  /** Adds what the response created and drops what it deleted. */
  async learn({ method, key }: Plan, path: string, reply: Reply): Promise<void> {
    const name = ownerOf(key)
    const pools = this.#pools.get(name)
    const [pathOnly = ''] = path.split('?', 1)
    const [collection = '', id = '', action] = pathOnly.split('/').slice(3)
    if (pools === undefined) return
    if (reply.status === 201) remember(pools, collection, reply.json<{ id: string }>().id)
    if (reply.status === 200 && action === 'test')
      remember(pools, 'webhook-deliveries', reply.json<{ id: string }>().id)
    if (reply.status === 200 && method === 'DELETE')
      await this.#forget(name as Organization, pools, { collection, id })
  }

  async #forget(name: Organization, pools: Pools, gone: { collection: string; id: string }) {
    const { collection, id } = gone
    const pool = pools.get(collection) ?? []
    pools.set(
      collection,
      pool.filter((known) => known !== id),
    )
    const fewest = collection === 'monitors' ? FEWEST : FEWEST_ENDPOINTS
    if (pool.length <= fewest) await this.#fill(name)
  }

  async #fill(name: Organization): Promise<void> {
    const pools = this.#pools.get(name) ?? new Map<string, string[]>()
    await this.#fillEndpoints(name, pools)
    await this.#fillWindows(name, pools)
    await this.#fillPages(name, pools)
    for (let i = pools.get('monitors')?.length ?? 0; i < FEWEST; i++) {
      const body = { name: `Monitor ${i}`, type: 'HTTP', url: 'https://example.com/' }
      const id = await this.#create(name, 'monitors', body)
      if (id === undefined) return
      remember(pools, 'monitors', id)
    }
    // Incidents are deleted with their monitors, so the pool is rebuilt.
    pools.set('incidents', [])
    for (const monitorId of pools.get('monitors') ?? []) {
      const startedAt = new Date(Date.now() - 3_600_000)
      const ended = await seedIncident(this.#db, monitorId, { startedAt, resolvedAt: new Date() })
      // A concurrent request may have deleted the monitor meanwhile.
      if (ended !== undefined) remember(pools, 'incidents', ended)
    }
  }

  /** Each endpoint with a pending delivery and one that has ended; a small plan allows fewer. */
  async #fillEndpoints(name: Organization, pools: Pools): Promise<void> {
    for (let i = pools.get('webhook-endpoints')?.length ?? 0; i < FEWEST_ENDPOINTS; i++) {
      const id = await this.#create(name, 'webhook-endpoints', { url: 'https://example.com/hook' })
      if (id === undefined) return
      remember(pools, 'webhook-endpoints', id)
      const waiting = await this.#create(name, `webhook-endpoints/${id}/test`, {})
      const ended = await this.#create(name, `webhook-endpoints/${id}/test`, {})
      if (ended !== undefined) await this.#db.query(END_DELIVERY, [toUuid(ended)])
      for (const delivery of [waiting, ended])
        if (delivery !== undefined) remember(pools, 'webhook-deliveries', delivery)
    }
  }

  /** Some open now, some upcoming, some recurring; a small plan allows fewer. */
  async #fillWindows(name: Organization, pools: Pools): Promise<void> {
    for (let i = pools.get('maintenance-windows')?.length ?? 0; i < FEWEST_WINDOWS; i++) {
      const startMs = Date.now() + (i % 2 === 0 ? -HOUR_MS : HOUR_MS)
      const id = await this.#create(name, 'maintenance-windows', {
        name: `Window ${i}`,
        startsAt: new Date(startMs).toISOString(),
        endsAt: new Date(startMs + 2 * HOUR_MS).toISOString(),
        allMonitors: true,
        ...(i % 3 === 0 && { recurrence: { frequency: 'DAILY' } }),
      })
      if (id === undefined) return
      remember(pools, 'maintenance-windows', id)
    }
  }

  /** Each page with an incident on it; a small plan allows fewer. */
  async #fillPages(name: Organization, pools: Pools): Promise<void> {
    for (let i = pools.get('status-pages')?.length ?? 0; i < FEWEST_PAGES; i++) {
      const sections = [{ components: [{ name: 'Component' }] }]
      const id = await this.#create(name, 'status-pages', { name: `Page ${i}`, sections })
      if (id !== undefined) remember(pools, 'status-pages', id)
    }
    // Incidents may have been deleted with their pages, so the pool is rebuilt.
    pools.set('status-incidents', [])
    for (const pageId of pools.get('status-pages') ?? []) {
      const body = { title: 'Problem', message: 'Hm', statusPageIds: [pageId] }
      const id = await this.#create(name, 'status-incidents', body)
      if (id !== undefined) remember(pools, 'status-incidents', id)
    }
  }

  /** The id of the created resource, or undefined if it was refused. */
  async #create(name: Organization, path: string, body: object): Promise<string | undefined> {
    const ask = { method: 'POST', path: `/api/v1/${path}`, body }
    const reply = await this.#clients.get(name)?.send(ask)
    if (reply === undefined || reply.status >= 300) return undefined
    return reply.json<{ id: string }>().id
  }
}

function ownerOf(key: KeyName): string {
  return key === 'otherOrganization' || key === 'freePlan' || key === 'noSubscription'
    ? key
    : 'full'
}

// Deliveries outlive their endpoints; the newest ones most likely still have theirs.
function remember(pools: Pools, collection: string, id: string): void {
  const known = [...(pools.get(collection) ?? []), id]
  pools.set(collection, collection === 'webhook-deliveries' ? known.slice(-FEWEST) : known)
}
