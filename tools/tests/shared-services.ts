// What the files of a suite share, started when the first of them runs.
import { startMigratedPostgres } from '../migrated-postgres.ts'
import { nameShared } from '../services/shared-postgres.ts'
import { type ProductKind, startSharedProduct } from './shared-product.ts'
import type { Suite } from './suites.ts'

// Several files at once, each with several processes and pools.
const CONNECTIONS = '1500'

type Started = { env: Record<string, string>; stop(): Promise<void> }

export class SharedServices {
  readonly #started = new Map<string, Promise<Started>>()

  /** The variables with which the processes of these files find them. */
  async environmentFor(
    { name, files }: { name: string; files: readonly string[] },
    { sharesPostgres, sharedProducts = [] }: Suite,
  ): Promise<Record<string, string>> {
    const postgres = shares(sharesPostgres, files) && (await this.#once('postgres', startPostgres))
    const wanted = sharedProducts.find(({ files: starts = [''] }) =>
      files.every((file) => starts.some((start) => file.startsWith(start))),
    )
    // One for each suite, so that the rows of everybody stay few.
    const product =
      wanted && (await this.#once(keyOf(name, wanted), () => startSharedProduct(wanted)))
    return { ...(postgres && postgres.env), ...product?.env }
  }

  async stop(): Promise<void> {
    const started = await Promise.allSettled(this.#started.values())
    this.#started.clear()
    for (const each of started) if (each.status === 'fulfilled') await each.value.stop()
  }

  #once(key: string, start: () => Promise<Started>): Promise<Started> {
    const started = this.#started.get(key) ?? start()
    this.#started.set(key, started)
    return started
  }
}

const keyOf = (name: string, { command, added }: ProductKind) =>
  JSON.stringify([name, command, added])

function shares(sharing: Suite['sharesPostgres'], files: readonly string[]): boolean {
  if (sharing === undefined || sharing === true) return sharing ?? false
  return !files.some((file) => sharing.except.some((start) => file.startsWith(start)))
}

async function startPostgres(): Promise<Started> {
  const server = await startMigratedPostgres({ settings: { max_connections: CONNECTIONS } })
  return { env: nameShared(server), stop: () => server.stop() }
}
