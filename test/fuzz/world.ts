// What exists while the fuzzing runs, so that requests hit real resources of the right organization.
import pg from 'pg'
import type { Stack } from '../../tools/stack.ts'
import { Client, type Reply } from '../db-kit/client.ts'
import { randomId } from '../db-kit/public-id.ts'
import { seedIncident } from '../db-kit/seed-incident.ts'
import type { IdChoice, KeyName, OddId, Plan } from './plan.ts'

const FEWEST = 12
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
    return (
      pool[choice.index % Math.max(1, pool.length)] ??
      randomId(collection === 'incidents' ? 'inc' : 'mon')
    )
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

  /** Remembers what the answer made and forgets what it removed. */
  async learn({ method, key }: Plan, path: string, reply: Reply): Promise<void> {
    const name = ownerOf(key)
    const pools = this.#pools.get(name)
    const [collection = '', id = ''] = path.split('?', 1)[0]?.split('/').slice(3) ?? []
    if (pools === undefined) return
    if (reply.status === 201) remember(pools, collection, reply.json<{ id: string }>().id)
    if (reply.status === 200 && method === 'DELETE') {
      const pool = pools.get(collection) ?? []
      pools.set(
        collection,
        pool.filter((known) => known !== id),
      )
      if (pool.length <= FEWEST) await this.#fill(name as Organization)
    }
  }

  async #fill(name: Organization): Promise<void> {
    const pools = this.#pools.get(name) ?? new Map<string, string[]>()
    for (let i = pools.get('monitors')?.length ?? 0; i < FEWEST; i++) {
      const body = { name: `Monitor ${i}`, type: 'HTTP', url: 'https://example.com/' }
      const reply = await this.#clients
        .get(name)
        ?.send({ method: 'POST', path: '/api/v1/monitors', body })
      if (reply?.status !== 201) return
      remember(pools, 'monitors', reply.json<{ id: string }>().id)
    }
    // Incidents go with their monitors, so the pool is made anew.
    pools.set('incidents', [])
    for (const monitorId of pools.get('monitors') ?? []) {
      const startedAt = new Date(Date.now() - 3_600_000)
      const ended = await seedIncident(this.#db, monitorId, { startedAt, resolvedAt: new Date() })
      // Another lane may have deleted the monitor meanwhile.
      if (ended !== undefined) remember(pools, 'incidents', ended)
    }
  }
}

function ownerOf(key: KeyName): string {
  return key === 'otherOrganization' || key === 'freePlan' || key === 'noSubscription'
    ? key
    : 'full'
}

function remember(pools: Pools, collection: string, id: string): void {
  pools.set(collection, [...(pools.get(collection) ?? []), id])
}
