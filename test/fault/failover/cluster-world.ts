// The product without a single point of failure: two processes of each role, four probes in two regions, a PostgreSQL
// cluster and a NATS cluster, with targets, a receiver of webhooks, and callers that write.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterStack, startClusterStack } from '../../../tools/cluster/cluster-stack.ts'
import { type Page, startWeb, type Web } from '../../kit/targets/web.ts'
import { openTargets } from '../engine/targets.ts'
import { World } from '../engine/world.ts'
import { type Loss, losePrimary, until } from './lose-primary.ts'
import { Readers } from './readers.ts'
import { Writers } from './writers.ts'

const PLENTY = 1_000_000
const REGIONS = ['eu', 'us'] as const
const PAIR = [1, 2] as const

export type Failover = { how: Loss; writableMs: number; checkedMs: number; wroteMs: number }

export class ClusterWorld {
  readonly world: World<ClusterStack>
  readonly writers: Writers
  readonly readers: Readers
  readonly receiver: Page
  readonly #web: Web

  constructor(
    world: World<ClusterStack>,
    web: Web,
    callers: { writers: Writers; readers: Readers },
  ) {
    this.world = world
    this.#web = web
    this.receiver = web.page({})
    this.writers = callers.writers
    this.readers = callers.readers
  }

  /** Loses the primary with its disk, and measures until a write, a check and an API write succeed again. */
  async failOver(how: Loss): Promise<Failover> {
    const { lostMs, writableMs, repair } = await losePrimary(this.world.stack.postgres, how)
    const checkedMs = await until('a check', () => this.#hasResultSince(writableMs))
    const wroteMs = await until('an API write', async () => {
      return this.writers.lastSuccessMs > writableMs
    })
    await repair()
    const since = (ms: number) => ms - lostMs
    return {
      how,
      writableMs: since(writableMs),
      checkedMs: since(checkedMs),
      wroteMs: since(wroteMs),
    }
  }

  /** Kills each server in turn, and returns how long no target was checked after each kill. */
  async killNatsServers(downMs: number): Promise<number[]> {
    const gaps: number[] = []
    for (const server of this.world.stack.nats.servers) {
      const killedMs = Date.now()
      await server.kill()
      const { visits } = this.world.targets
      const seen = await until('a check', async () => (visits.at(-1)?.atMs ?? 0) > killedMs)
      gaps.push(seen - killedMs)
      await sleep(downMs)
      await server.restart()
      // Its clients went to the other servers: the next kill meets them there.
      await sleep(downMs)
    }
    return gaps
  }

  async stop(): Promise<void> {
    await Promise.all([this.writers.stop(), this.readers.stop()])
    await this.world.stop()
    await this.#web.close()
  }

  async #hasResultSince(ms: number): Promise<boolean> {
    const since = 'results where slot >= to_timestamp($1 / 1000.0)'
    return (await this.world.count(since, [ms]).catch(() => 0)) > 0
  }
}

export async function openClusterWorld(): Promise<ClusterWorld> {
  const targets = await openTargets(2)
  const stack = await startClusterStack({ rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  const world = new World(stack, targets)
  const web = await startWeb()
  const baseUrls = await startRoles(world)
  world.baseUrl = baseUrls[0] ?? ''
  const callers = { baseUrls, key: stack.keys.full2 }
  return new ClusterWorld(world, web, {
    writers: new Writers(callers),
    readers: new Readers(callers),
  })
}

async function startRoles({ crew }: World<ClusterStack>): Promise<string[]> {
  const pairOf = (command: string, env: Record<string, string> = {}) =>
    PAIR.map((no) => crew.hire(`${command}-${no}`, { command, env }))
  // One after the other: two cores are busy with a dozen servers already.
  const baseUrls = await Promise.all(pairOf('api'))
  await Promise.all(pairOf('scheduler', { REGION: 'eu' }))
  await Promise.all(pairOf('dispatcher'))
  await crew.hire('janitor', { command: 'janitor' })
  for (const region of REGIONS)
    await Promise.all(
      PAIR.map((no) =>
        crew.hire(`probe-${region}-${no}`, { command: 'probe', env: { REGION: region } }),
      ),
    )
  return baseUrls
}
