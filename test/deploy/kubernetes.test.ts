// Validates the manifests against the Kubernetes schemas, as far as possible without a cluster.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './release.ts'
import { run, tryRun } from './shell.ts'

const MANIFESTS = join(ROOT, 'deploy/kubernetes/upvane.yaml')
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
  assert.equal(kinds, 'Job\nDeployment\nService\nNetworkPolicy\n')
  const wrong = join(home, 'wrong.yaml')
  writeFileSync(wrong, readFileSync(MANIFESTS, 'utf8').replace('replicas: 2', 'replicas: two'))
  assert.notEqual((await tryRun([process.execPath, program, wrong])).code, 0)
})
