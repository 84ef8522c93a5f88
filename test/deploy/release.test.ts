import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildRelease, canBuildImages, getRelease, ROOT, VERSION } from './release.ts'
import { run, tryRun } from './shell.ts'

const read = (file: string) => readFileSync(file, 'utf8')

test('a release is the same, byte for byte, each time it is built', async () => {
  const { directory } = await getRelease()
  const second = await buildRelease('second')
  assert.equal(read(join(second.directory, 'SHA256SUMS')), read(join(directory, 'SHA256SUMS')))
  await run(['sha256sum', '--check', 'SHA256SUMS'], { cwd: directory })
  const sums = read(join(directory, 'SHA256SUMS'))
  assert.equal(sums.trim().split('\n').length, canBuildImages ? 5 : 4)
  assert.equal(sums.includes('upvane-0.2.0-linux-amd64.oci.tar'), canBuildImages)
})

test('an archive has the dashboard, the runtime and the packages, and nothing of development', async (t) => {
  const { archive } = await getRelease()
  const directory = mkdtempSync(join(tmpdir(), 'upvane-unpacked-'))
  t.after(() => rmSync(directory, { recursive: true }))
  await run(['tar', '-xzf', archive, '-C', directory])
  const tree = join(directory, `upvane-${VERSION}`)
  const node = join(tree, 'node_modules/.bin/node')
  const version = await run([node, join(tree, 'src/main.ts'), '--version'])
  assert.match(version, new RegExp(`^upvane ${VERSION.replaceAll('.', '\\.')} \\(Node 26\\.`))
  assert.match(read(join(tree, 'web/dist/index.html')), /<script/)
  assert.ok(existsSync(join(tree, 'web/dist/index.html.br')), 'the dashboard is not compressed')
  assert.match(read(join(tree, 'RELEASE')), /^upvane 0\.2\.0 linux-x64 [0-9a-f]{40}\n$/)
  const files = (await run(['tar', '-tzf', archive])).split('\n')
  const unwanted =
    /\/(?:vite|typescript|playwright-core|\.git|secrets|test)\/|\.test\.ts$|\/\.npmrc$/
  assert.deepEqual(
    files.filter((file) => unwanted.test(file) && !file.includes('/node_modules/')),
    [],
  )
  assert.ok(!files.some((file) => /node_modules\/(?:vite|typescript|react)\/$/.test(file)))
})

test('the SBOM names every package of the archive with its hash', async () => {
  const { directory, archive } = await getRelease()
  const sbom = JSON.parse(read(join(directory, `upvane-${VERSION}-linux-x64.cdx.json`))) as {
    bomFormat: string
    components: { name: string; purl: string; hashes: { content: string }[] }[]
  }
  assert.equal(sbom.bomFormat, 'CycloneDX')
  for (const { name, hashes } of sbom.components)
    assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, name)
  const files = (await run(['tar', '-tzf', archive])).split('\n')
  const PACKAGE = /^[^/]+\/node_modules\/((?:@[^/]+\/)?[^/.@][^/]*)\/package\.json$/
  const installed = files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? [])
  assert.ok(installed.length > 30)
  const named = new Set(sbom.components.map(({ name }) => name))
  assert.deepEqual(
    installed.filter((name) => !named.has(name)),
    [],
  )
})

test('the packages of SDK and CLI install and run', async (t) => {
  const { directory } = await getRelease()
  const project = mkdtempSync(join(tmpdir(), 'upvane-project-'))
  t.after(() => rmSync(project, { recursive: true }))
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const packages = ['sdk', 'cli'].map((name) => join(directory, `upvane-${name}-${VERSION}.tgz`))
  // From what is installed here: tests reach no registry.
  const options = ['--silent', '--ignore-scripts', '--pack-destination', project]
  const yaml = await run(['npm', 'pack', join(ROOT, 'node_modules/yaml'), ...options])
  const archives = [...packages, join(project, yaml.trim())]
  await run(['npm', 'install', '--offline', '--silent', ...archives], { cwd: project })
  const help = await tryRun([join(project, 'node_modules/.bin/upv'), '--help'])
  assert.match(help.stdout + help.stderr, /upv listen/)
  const program =
    "import { verifyWebhook } from '@upvane/sdk/webhooks'; console.log(typeof verifyWebhook)"
  const printed = await run([process.execPath, '--eval', program, '--input-type=module'], {
    cwd: project,
  })
  assert.equal(printed, 'function\n')
})

test('a release refuses a dirty tree, another version and an undescribed migration', async (t) => {
  const clone = mkdtempSync(join(tmpdir(), 'upvane-clone-'))
  t.after(() => rmSync(clone, { recursive: true }))
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, clone])
  writeFileSync(join(clone, 'migrations/9999-undescribed.sql'), 'select 1;\n')
  const release = [process.execPath, join(clone, 'tools/release.ts'), '99.0.0']
  const { code, stderr } = await tryRun(release)
  assert.equal(code, 1)
  assert.match(stderr, /uncommitted changes/)
  assert.match(stderr, /package\.json has another version than 99\.0\.0/)
  assert.match(stderr, /says nothing about migration 9999/)
})
