// The product's servers without a single point of failure: a PostgreSQL cluster and a NATS cluster, prepared with
// organizations and keys.
import { createMigratedDatabase } from '../migrated-postgres.ts'
import { openTemporaryDirectory } from '../services/temporary-directory.ts'
import { prepareProduct, type Stack, type StackOptions } from '../stack.ts'
import { type NatsCluster, startNatsCluster } from './nats-cluster.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'

export type ClusterStack = Omit<Stack, 'postgres' | 'nats' | 'start'> & {
  postgres: PostgresCluster
  nats: NatsCluster
}

export async function startClusterStack(options: StackOptions = {}): Promise<ClusterStack> {
  const nats = await startNatsCluster()
  // Not in PostgreSQL's directory: its watchdog runs under PostgreSQL's account.
  const home = openTemporaryDirectory('upvane-services-', 'none.pid')
  try {
    const postgres = await startPostgresCluster()
    const stop = async () => {
      await home.close()
      await Promise.all([postgres.stop(), nats.stop()])
    }
    const prepare = async () => {
      await createMigratedDatabase(postgres)
      return prepareProduct(postgres, nats.url, options)
    }
    const product = await prepare().catch(async (error) => {
      await postgres.stop()
      throw error
    })
    return { ...product, postgres, nats, directory: home.path, stop }
  } catch (error) {
    await Promise.all([home.close(), nats.stop()])
    throw error
  }
}
