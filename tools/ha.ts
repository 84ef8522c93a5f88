// `npm run ha`: the product without a single point of failure, on one machine. All data is deleted at the end.
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterStack, startClusterStack } from './cluster/cluster-stack.ts'
import { explainMissing, readOptions, stopRequested } from './command.ts'
import { type Service, startService } from './stack.ts'

const USAGE = `npm run ha

  Runs PostgreSQL with Patroni, etcd and HAProxy, three NATS servers, and two processes of each role, until Ctrl-C.
  Enter loses the primary with its disk. Needs Debian's patroni, python3-etcd, etcd-server, haproxy, postgresql-15 and
  nats-server. Nothing is kept.

  --help   print this`

const ROLES = ['api', 'scheduler', 'dispatcher', 'janitor'] as const
const REGIONS = ['eu', 'us'] as const
const POLL_MS = 100

readOptions({}, USAGE)
const end = stopRequested()
const stack = await startClusterStack().catch(explainMissing)
const services = await startServices(stack)
console.log(welcome())

const lines = createInterface({ input: process.stdin })
lines.on('line', () => {
  losePrimary().catch((error: unknown) => console.error(error))
})
await end
lines.close()
await Promise.all(services.map((service) => service.stop()))
await stack.stop()

async function startServices({ directory, env }: ClusterStack): Promise<Service[]> {
  const started: Service[] = []
  for (const role of ROLES)
    for (let no = 0; no < 2; no++)
      started.push(await startService(role, directory, { REGION: 'eu', ...env }))
  for (const region of REGIONS)
    for (let no = 0; no < 2; no++)
      started.push(await startService('probe', directory, { ...env, REGION: region }))
  return started
}

async function losePrimary(): Promise<void> {
  const primary = await stack.postgres.findPrimary()
  if (primary === undefined) return console.log('There is no primary at the moment.')
  const startedMs = performance.now()
  await primary.loseMachine()
  console.log(`${primary.place.name} and its disk are lost.`)
  for (;;) {
    const next = await stack.postgres.findPrimary()
    if (next !== undefined) {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      console.log(`${next.place.name} is the primary after ${seconds} s.`)
      break
    }
    await sleep(POLL_MS)
  }
  primary.start()
  await stack.postgres.whole()
  console.log(`${primary.place.name} is back as a standby. Press Enter to lose the primary again.`)
}

function welcome(): string {
  const [first, second] = services
  return `
  Upvane is running on ${services.length} processes. Everything is thrown away when you stop it with Ctrl-C.

  API        ${first?.baseUrl}/api/v1
             ${second?.baseUrl}/api/v1
  Database   ${stack.databaseUrl}
  NATS       ${stack.nats.url}
  Logs       ${stack.postgres.directory}
  API key    ${stack.keys.full}

  Press Enter to lose the primary of PostgreSQL with its disk.
`
}
