// As far as possible without a cluster: the manifests fit the Kubernetes schemas, and the service starts with the values
// of the Deployment.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { startNats } from '../../tools/services/nats.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import { type Stack, startStack } from '../../tools/stack.ts'
import { openDatabase } from '../kit/database.ts'
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
  assert.equal(kinds, 'Job\nDeployment\nPodDisruptionBudget\nService\nNetworkPolicy\n')
  const kindsOf = (file: string) => run([process.execPath, program, file])
  assert.equal(await kindsOf(INGRESS), 'Ingress\n')
  assert.equal(await kindsOf(NATS), 'Deployment\nService\nNetworkPolicy\n')
  assert.equal(await kindsOf(PROBE), 'Deployment\nPodDisruptionBudget\n')
  const wrong = join(home, 'wrong.yaml')
  writeFileSync(wrong, readFileSync(MANIFESTS, 'utf8').replace('replicas: 2', 'replicas: two'))
  assert.notEqual((await tryRun([process.execPath, program, wrong])).code, 0)
})

type Container = { args: string[]; env: { name: string; value?: string }[] }
type Manifest = {
  kind: string
  spec: { template: { spec: { containers: Container[] } } }
}
type World = { stack: Stack; home: string; started: ChildProcess[] }

/** What the volumes of the Deployment hold, in one directory. */
async function openWorld(t: { after(end: () => Promise<void>): void }): Promise<World> {
  const stack = await startStack({ nats: false })
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

/** Runs the container of a Deployment. Returns the address that its probes ask. */
async function startContainer(
  { home, started }: World,
  manifests: string,
  more: Record<string, string> = {},
) {
  const { args, env } = readContainer(manifests)
  const inHome = ({ name, value = '' }: Container['env'][number]) => [
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

test('with the values of the Deployment and an unchanged example.env, the kubelet finds the pod ready', async (t) => {
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

function readContainer(file: string): Container {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'))
  // Safe because the test above compares them with the schemas.
  const manifests = documents.map((document) => document.toJS() as Manifest)
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  const [container] = deployment?.spec.template.spec.containers ?? []
  assert.ok(container !== undefined)
  // Those with a value: the others come from the cluster.
  return { ...container, env: container.env.filter(({ value }) => value !== undefined) }
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
