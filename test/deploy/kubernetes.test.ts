// As far as possible without a cluster: the manifests fit the Kubernetes schemas, the service starts with their values, and
// its pods fit into PostgreSQL's default number of connections.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { startNats } from '../../tools/services/nats.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import { type Stack, startStack } from '../../tools/stack.ts'
import { openDatabase } from '../kit/database.ts'
import { readSamples } from '../kit/read-metrics.ts'
import { ROOT } from './release.ts'
import { run, tryRun } from './shell.ts'

const MANIFESTS = join(ROOT, 'deploy/kubernetes/upvane.yaml')
const INGRESS = join(ROOT, 'deploy/kubernetes/ingress.yaml')
const NATS = join(ROOT, 'deploy/kubernetes/nats.yaml')
const PROBE = join(ROOT, 'deploy/kubernetes/probe.yaml')
const READY_SECONDS = 40
// Not the address that INTERNAL_HOST has by default: the kubelet comes from elsewhere.
const POD = '127.0.0.2'
const PACKAGES = ['kubernetes-models@5.1.0', 'js-yaml@4.1.0']
const PROGRAM = `
import { readFileSync } from 'node:fs'
import { loadAll } from 'js-yaml'
const documents = loadAll(readFileSync(process.argv[2], 'utf8'))
for (const document of documents) {
  const { [document.kind]: Model } = await import('kubernetes-models/' + document.apiVersion)
  new Model(document).validate()
  console.log(document.kind)
}`

test('every manifest fits the schema of its kind, and a misspelled field does not', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'upvane-kubernetes-'))
  t.after(() => rmSync(home, { recursive: true }))
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  await run(['npm', 'install', '--silent', '--ignore-scripts', '--no-audit', ...PACKAGES], {
    cwd: home,
  })
  const program = join(home, 'validate.mjs')
  writeFileSync(program, PROGRAM)
  const kinds = await run([process.execPath, program, MANIFESTS])
  assert.equal(kinds, 'Job\nStatefulSet\nPodDisruptionBudget\nService\nNetworkPolicy\n')
  const kindsOf = (file: string) => run([process.execPath, program, file])
  assert.equal(await kindsOf(INGRESS), 'Ingress\n')
  assert.equal(await kindsOf(NATS), 'Deployment\nService\nNetworkPolicy\n')
  assert.equal(await kindsOf(PROBE), 'Deployment\nPodDisruptionBudget\nNetworkPolicy\n')
  const wrong = join(home, 'wrong.yaml')
  writeFileSync(wrong, readFileSync(MANIFESTS, 'utf8').replace('replicas: 2', 'replicas: two'))
  assert.notEqual((await tryRun([process.execPath, program, wrong])).code, 0)
})

test('every pod that stays has a NetworkPolicy, which opens only ports that it has', () => {
  const all = readAllManifests()
  const staying = all.filter(({ kind }) => /^(?:Deployment|StatefulSet)$/.test(kind))
  assert.equal(staying.length, 3)
  for (const { metadata, spec } of staying) {
    const { labels = {} } = spec.template?.metadata ?? {}
    const policies = all.filter(
      (each) =>
        each.kind === 'NetworkPolicy' && selects(each.spec.podSelector?.matchLabels, labels),
    )
    assert.equal(policies.length, 1, metadata.name)
    const ports = spec.template?.spec.containers.flatMap((each) => each.ports ?? []) ?? []
    const names = ports.map(({ name }) => name)
    const rules = policies.flatMap((policy) => policy.spec.ingress ?? [])
    const opened = rules.flatMap((rule) => rule.ports.map(({ port }) => port))
    assert.ok(opened.length > 0)
    for (const port of opened) assert.ok(names.includes(port), `${metadata.name} has no ${port}`)
    // Figures and readiness are for those who watch the cluster.
    const open = rules.filter(({ from }) => from === undefined)
    assert.ok(!open.some((rule) => rule.ports.some(({ port }) => port === 'internal')))
  }
})

type Labels = Record<string, string>

const selects = (wanted: Labels = {}, labels: Labels): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

type Variable = { name: string; value?: string }
type Container = { args: string[]; env?: Variable[]; ports?: { name: string }[] }
type Manifest = {
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    template?: { metadata?: { labels?: Labels }; spec: { containers: Container[] } }
    podSelector?: { matchLabels: Labels }
    ingress?: { from?: object[]; ports: { port: string }[] }[]
  }
}
type World = { stack: Stack; home: string; started: ChildProcess[] }

/** What the volumes of a pod hold, in one directory. */
async function openWorld(t: { after(end: () => Promise<void>): void }): Promise<World> {
  const stack = await startStack({ nats: false, ownPostgres: true })
  const home = mkdtempSync(join(tmpdir(), 'upvane-pod-'))
  const started: ChildProcess[] = []
  t.after(async () => {
    await Promise.all(started.map(end))
    await stack.stop()
    rmSync(home, { recursive: true })
  })
  writeFileSync(join(home, 'database_url'), stack.env['DATABASE_URL'] ?? '')
  writeFileSync(join(home, 'master_keys'), stack.env['MASTER_KEYS'] ?? '')
  const example = readFileSync(join(ROOT, 'deploy/example.env'), 'utf8')
  writeFileSync(join(home, 'upvane.env'), example)
  return { stack, home, started }
}

/** Runs the container of a pod that stays. Returns the address that its probes ask. */
async function startContainer(
  { home, started }: World,
  manifests: string,
  more: Record<string, string> = {},
) {
  const { args, env } = readContainer(manifests)
  const inHome = ({ name, value = '' }: Variable) => [
    name,
    value.replace(/^\/etc\/upvane\/(?:secrets\/)?/, `${home}/`),
  ]
  const internalPort = String(await findFreePort())
  // The ports of the manifest may be taken on this machine.
  const ports = { PORT: String(await findFreePort()), INTERNAL_PORT: internalPort }
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], {
    env: { PATH: process.env['PATH'], ...Object.fromEntries(env.map(inHome)), ...more, ...ports },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  started.push(child)
  return { url: `http://${POD}:${internalPort}/readyz`, child }
}

test('with the values of the StatefulSet and an unchanged example.env, the kubelet finds the pod ready', async (t) => {
  const { url, child } = await startContainer(await openWorld(t), MANIFESTS)
  assert.equal(await statusOf(url, child), 200)
})

test('with the secrets of make-secrets.sh, nats.conf and the values of probe.yaml, a probe is live in its region', async (t) => {
  const world = await openWorld(t)
  const { home, stack } = world
  const secrets = join(home, 'made')
  await run([join(ROOT, 'deploy/make-secrets.sh'), secrets, '127.0.0.1:5432', 'upvane-nats:4222'])
  // Both files of the projected volume. Other tests may use the port of its figures.
  const config = readFileSync(join(ROOT, 'deploy/nats.conf'), 'utf8').replace(/^http:.*$/m, '')
  cpSync(join(secrets, 'nats_users.conf'), join(home, 'nats_users.conf'))
  writeFileSync(join(home, 'nats.conf'), config)
  const nats = await startNats({ configFile: join(home, 'nats.conf') })
  t.after(() => nats.stop())
  const urlOf = (name: string) =>
    readFileSync(join(secrets, name), 'utf8')
      .trim()
      .replace('upvane-nats:4222', `127.0.0.1:${nats.port}`)
  writeFileSync(join(home, 'nats_probe_url'), urlOf('nats_probe_url'))
  const service = await startContainer(world, MANIFESTS, { NATS_URL: urlOf('nats_url') })
  assert.equal(await statusOf(service.url, service.child), 200)
  // What the pod gets from its own name.
  const probe = await startContainer(world, PROBE, { PROBE_NAME: 'upvane-probe-eu-west-0' })
  assert.equal(await statusOf(probe.url, probe.child), 200)
  const db = openDatabase(stack.databaseUrl)
  t.after(() => db.close())
  const isListed = () =>
    db.count('probes', `region = 'eu-west' and name = $1`, ['upvane-probe-eu-west-0'])
  for (const deadline = Date.now() + READY_SECONDS * 1000; (await isListed()) === 0; ) {
    assert.ok(Date.now() < deadline, 'the service knows no probe of eu-west')
    await delay(200)
  }
})

// What each command may have open at once: the login's limit while the test runs it.
const COMMANDS = [
  { args: ['migrate'], role: 'upvane_owner', connections: 1 },
  { args: ['backup', 'upvane.dump'], role: 'upvane_owner', connections: 2 },
  { args: ['doctor'], role: 'upvane', connections: 3 },
]
const DEFAULT_ROOM = `
  select sum(case name when 'max_connections' then 1 else -1 end * boot_val::integer)::integer as connections
    from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`

test("PostgreSQL's default is enough for all pods that may exist at once, a migration, a backup and doctor", async (t) => {
  const world = await openWorld(t)
  const { stack, home } = world
  const db = openDatabase(stack.databaseUrl)
  t.after(() => db.close())
  for (const { args, role, connections } of COMMANDS) {
    await db.run(`alter role ${role} connection limit ${connections}`)
    const main = join(ROOT, 'src/main.ts')
    const ran = await tryRun([process.execPath, main, ...args], { cwd: home, env: stack.env })
    const printed = `${ran.stdout}${ran.stderr}`
    await db.run(`alter role ${role} connection limit -1`)
    // Of doctor: no process runs yet.
    assert.ok(ran.code === 0 || args[0] === 'doctor', printed)
    assert.doesNotMatch(printed, /connection/)
  }
  const nats = await startNats()
  t.after(() => nats.stop())
  // So that every pool exists.
  const more = {
    NATS_URL: nats.url,
    SMTP_URL: 'smtp://127.0.0.1:1?tls=off',
    SMTP_FROM: 'a@b.example',
  }
  const { url, child } = await startContainer(world, MANIFESTS, more)
  assert.equal(await statusOf(url, child), 200)
  const samples = await readSamples({ internalUrl: url.replace('/readyz', '') })
  const ofPod = samples
    .filter(
      ({ name, labels }) =>
        /^upvane_database_\w+_connections$/.test(name) && labels['state'] === 'max',
    )
    .reduce((sum, { value }) => sum + value, 0)
  const stated = /a pod opens at most (\d+)/.exec(readFileSync(MANIFESTS, 'utf8'))?.[1]
  assert.equal(Number(stated), ofPod)
  const ofCommands = COMMANDS.reduce((sum, { connections }) => sum + connections, 0)
  const [room] = await db.run<{ connections: number }>(DEFAULT_ROOM)
  const needed = podsWithDatabase() * ofPod + ofCommands
  assert.ok(needed <= (room?.connections ?? 0), `${needed} of ${room?.connections}`)
  t.diagnostic(`${ofPod} connections of a pod; ${needed} of ${room?.connections} in all`)
})

/** At the same time, at most. The Job is among the commands. */
function podsWithDatabase(): number {
  const connected = readAllManifests().filter(({ kind, spec }) => {
    const containers = spec.template?.spec.containers ?? []
    const variables = containers.flatMap(({ env = [] }) => env.map(({ name }) => name))
    return kind !== 'Job' && variables.includes('DATABASE_URL_FILE')
  })
  // Of a Deployment, pods that are ending would come on top.
  assert.deepEqual(
    connected.map(({ kind }) => kind),
    ['StatefulSet'],
  )
  return connected.reduce((sum, { spec }) => sum + (spec.replicas ?? 1), 0)
}

/** Safe because the first test compares them with the schemas. */
const readManifests = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as Manifest)

function readAllManifests(): Manifest[] {
  const files = readdirSync(join(ROOT, 'deploy/kubernetes'))
  return files.flatMap((file) => readManifests(join(ROOT, 'deploy/kubernetes', file)))
}

function readContainer(file: string): Container & Required<Pick<Container, 'env'>> {
  const staying = readManifests(file).find(({ kind }) => /^(?:Deployment|StatefulSet)$/.test(kind))
  const [container] = staying?.spec.template?.spec.containers ?? []
  assert.ok(container !== undefined)
  // Those with a value: the others come from the cluster.
  return { ...container, env: (container.env ?? []).filter(({ value }) => value !== undefined) }
}

async function statusOf(url: string, child: ChildProcess): Promise<number> {
  let status = 0
  for (const deadline = Date.now() + READY_SECONDS * 1000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`)
    status = (await fetch(url).catch(() => undefined))?.status ?? 0
    if (status === 200) break
    await delay(200)
  }
  return status
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
