// Three NATS servers that are one cluster, on loopback.

import { type Nats, startNats } from '../services/nats.ts'
import { findFreePort } from '../services/ports.ts'

const SERVERS = 3

export type NatsCluster = {
  servers: readonly Nats[]
  /** All addresses, as NATS_URL takes them. */
  url: string
  stop(): Promise<void>
}

export async function startNatsCluster(): Promise<NatsCluster> {
  const ports: number[] = []
  for (let i = 0; i < SERVERS; i++) ports.push(await findFreePort())
  const servers = await Promise.all(
    ports.map((port) => startNats({ config: configOf(port, ports) })),
  )
  return {
    servers,
    url: servers.map(({ url }) => url).join(','),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  }
}

function configOf(port: number, all: readonly number[]): string {
  const routes = all
    .filter((other) => other !== port)
    .map((other) => `nats-route://127.0.0.1:${other}`)
  return `max_payload: 4MB
cluster {
  name: upvane
  listen: 127.0.0.1:${port}
  routes: [${routes.map((route) => `"${route}"`).join(', ')}]
}
`
}
