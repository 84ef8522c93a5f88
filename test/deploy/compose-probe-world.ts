// What compose-probe.test.ts runs in namespaces of its own: a service with NATS on an address that containers reach, and
// beside it a probe in a container. Fails unless everything holds.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { startStack } from '../../tools/stack.ts'
import { startShippedNats } from '../e2e/operating/shipped-nats.ts'
import { until } from '../e2e/webhooks/fixture.ts'
import { Client } from '../kit/client.ts'
import { openDatabase } from '../kit/database.ts'
import { Guide } from './guide.ts'
import { ROOT } from './release.ts'
import { run } from './shell.ts'

const ADDRESS = '10.231.0.1'
const NETWORK = '10.231.0.0/24'
const PLENTY = 1_000_000
const WAIT_MS = 60_000
const PROBE = 'us-east-1'
const COMPOSE = 'docker compose -p upvane-probe -f deploy/compose.probe.yaml'
const home = process.cwd()
const guide = new Guide(join(ROOT, 'docs/operating/install.md'), 'test=compose-probe.test.ts')

await run(['ip', 'link', 'add', 'outside', 'type', 'bridge'])
await run(['ip', 'address', 'add', `${ADDRESS}/24`, 'dev', 'outside'])
await run(['ip', 'link', 'set', 'outside', 'up'])
const page = createServer((_, response) => response.end('ok'))
page.listen(0, ADDRESS)
const stack = await startStack({ nats: false, ownPostgres: true, rateLimit: PLENTY })
const db = openDatabase(stack.databaseUrl)
await db.run('update organizations set private_targets = true')
const { nats, service } = await startShippedNats(
  home,
  () => upvane(['nats', 'setup', '--dir', home], {}),
  ADDRESS,
)
const { baseUrl } = await stack.start('start', { env: { ...service, REGION: 'eu-west' } })
const api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })

// "with a token in the file `token`", and the private network that its monitor is in.
writeFileSync(join(home, 'token'), await upvane(['region', 'add', 'us-east'], service))
const example = join(home, 'deploy/probe.example.env')
const settings = readFileSync(example, 'utf8')
writeFileSync(example, settings.replace(/^PROBE_ALLOW_CIDRS=.*$/m, `PROBE_ALLOW_CIDRS=${NETWORK}`))
const startedMs = Date.now()
for (const text of guide.take('Containers')) await shell(text)
await until('a live probe', isLive, WAIT_MS)
console.log(`joined and live after ${seconds()} s`)
await upvane(['org', 'set-region', stack.organizationId, 'us-east'], service)
const port = (page.address() as { port: number }).port
const monitor = { type: 'HTTP', url: `http://${ADDRESS}:${port}/`, name: 'Private' }
const { id } = await api.createMonitor(monitor)
await until('a check', async () => (await api.getMonitor(id)).state === 'UP', WAIT_MS)
assert.deepEqual(await checkedFrom(new Date(0)), ['us-east'])
console.log(`checked from us-east after ${seconds()} s`)
await shell('podman healthcheck run upvane-probe-probe-1')

const identity = await readIdentity()
assert.match(identity, new RegExp(PROBE))
await shell(`${COMPOSE} down`)
const [{ now: downAt }] = (await db.run('select now()')) as [{ now: Date }]
await shell(`${COMPOSE} up --detach`)
await until('a check by the new container', () => recheck(downAt), WAIT_MS)
assert.equal(await readIdentity(), identity)
const names = (await listProbes()).map(({ name }) => name)
assert.deepEqual(
  names.filter((name) => name.startsWith('us-east')),
  [PROBE],
)
console.log(`the same probe in a new container after ${seconds()} s`)
await shell(`${COMPOSE} down`)
await Promise.all([db.close(), api.close()])
await stack.stop()
await nats.stop()
page.close()

type ListedProbe = { name: string; isLive: boolean }

function upvane(args: string[], env: Record<string, string>): Promise<string> {
  return run([process.execPath, join(ROOT, 'src/main.ts'), ...args], {
    cwd: home,
    env: { ...stack.env, ...env },
  })
}

/** With the name that documents have for Compose: with-podman.sh defines it. */
function shell(text: string): Promise<string> {
  return run(['bash', '-euo', 'pipefail', '-c', text], { cwd: home })
}

async function listProbes(): Promise<ListedProbe[]> {
  return JSON.parse(await upvane(['probe', 'list', '--json'], service)) as ListedProbe[]
}

async function isLive(): Promise<boolean> {
  return (await listProbes()).some((probe) => probe.name === PROBE && probe.isLive)
}

/** What the volume keeps. */
async function readIdentity(): Promise<string> {
  const format = '{{.Mountpoint}}'
  const directory = await run(['podman', 'volume', 'inspect', '--format', format, 'upvane_probe'])
  return readFileSync(join(directory.trim(), 'probe.json'), 'utf8')
}

/** The regions whose probes checked the monitor after a moment. */
async function checkedFrom(after: Date): Promise<string[]> {
  const rows = await db.run<{ name: string }>(
    `select distinct g.name from results r join regions g on g.no = r.region
      where r.slot > $1 and r.verdict = 0`,
    [after],
  )
  return rows.map(({ name }) => name)
}

/** Answered with 500 until the service has noticed that the probe is back. */
async function recheck(after: Date): Promise<boolean> {
  const headers = { 'X-API-Key': stack.keys.full, 'Content-Type': 'application/json' }
  const url = `${baseUrl}/api/v1/monitors/${id}/check`
  await fetch(url, { method: 'POST', headers, body: '{}' })
  return (await checkedFrom(after)).includes('us-east')
}

function seconds(): string {
  return ((Date.now() - startedMs) / 1000).toFixed(1)
}
