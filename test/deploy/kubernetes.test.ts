// As far as possible without a cluster: the manifests fit the Kubernetes schemas, and the service starts with the values
// of the Deployment.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { findFreePort } from '../../tools/services/ports.ts'
import { startStack } from '../../tools/stack.ts'
import { ROOT } from './release.ts'
import { run, tryRun } from './shell.ts'

const MANIFESTS = join(ROOT, 'deploy/kubernetes/upvane.yaml')
const INGRESS = join(ROOT, 'deploy/kubernetes/ingress.yaml')
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
  assert.equal(await run([process.execPath, program, INGRESS]), 'Ingress\n')
  const wrong = join(home, 'wrong.yaml')
  writeFileSync(wrong, readFileSync(MANIFESTS, 'utf8').replace('replicas: 2', 'replicas: two'))
  assert.notEqual((await tryRun([process.execPath, program, wrong])).code, 0)
})

type Container = { args: string[]; env: { name: string; value: string }[] }
type Manifest = {
  kind: string
  spec: { template: { spec: { containers: Container[] } } }
}

test('with the values of the Deployment and an unchanged example.env, the kubelet finds the pod ready', async (t) => {
  const stack = await startStack({ nats: false })
  t.after(() => stack.stop())
  const home = mkdtempSync(join(tmpdir(), 'upvane-pod-'))
  t.after(() => rmSync(home, { recursive: true }))
  writeFileSync(join(home, 'database_url'), stack.env['DATABASE_URL'] ?? '')
  writeFileSync(join(home, 'master_keys'), stack.env['MASTER_KEYS'] ?? '')
  const example = readFileSync(join(ROOT, 'deploy/example.env'), 'utf8')
  writeFileSync(join(home, 'upvane.env'), example)
  const { args, env } = readContainer()
  const inHome = ({ name, value }: Container['env'][number]) => [
    name,
    value.replace(/^\/etc\/upvane\/(?:secrets\/)?/, `${home}/`),
  ]
  const internalPort = String(await findFreePort())
  // The ports of the manifest may be taken on this machine.
  const ports = { PORT: String(await findFreePort()), INTERNAL_PORT: internalPort }
  const variables = { PATH: process.env['PATH'], ...Object.fromEntries(env.map(inHome)), ...ports }
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], {
    env: variables,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  t.after(() => end(child))
  const status = await statusOf(`http://${POD}:${internalPort}/readyz`, child)
  assert.equal(status, 200)
})

function readContainer(): Container {
  const documents = parseAllDocuments(readFileSync(MANIFESTS, 'utf8'))
  // Safe because the test above compares them with the schemas.
  const manifests = documents.map((document) => document.toJS() as Manifest)
  const deployment = manifests.find(({ kind }) => kind === 'Deployment')
  const [container] = deployment?.spec.template.spec.containers ?? []
  assert.ok(container !== undefined)
  return container
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
