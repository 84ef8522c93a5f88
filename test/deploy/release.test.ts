import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBlocks } from './document.ts'
import { buildRelease, canBuildImages, getRelease, PUBLIC_KEY, ROOT, VERSION } from './release.ts'
import { run, tryRun } from './shell.ts'

const read = (file: string) => readFileSync(file, 'utf8')

test('a release is the same, byte for byte, each time it is built', async () => {
  const { directory } = await getRelease()
  const second = await buildRelease('second')
  assert.equal(read(join(second.directory, 'SHA256SUMS')), read(join(directory, 'SHA256SUMS')))
  await run(['sha256sum', '--check', 'SHA256SUMS'], { cwd: directory })
  const sums = read(join(directory, 'SHA256SUMS'))
  const files = ['linux-x64.cdx.json', 'linux-x64.tar.gz', 'changed-packages.md']
  if (canBuildImages) files.push('linux-amd64.oci.tar')
  const expected = files.map((file) => `upvane-${VERSION}-${file}`)
  for (const name of ['sdk', 'cli']) expected.push(`upvane-${name}-${VERSION}.tgz`)
  expected.push('provenance.json')
  const named = sums
    .trim()
    .split('\n')
    .map((line) => line.slice(66))
  assert.deepEqual(named.toSorted(), expected.toSorted())
  // The same key signs the same content in the same way.
  const signature = 'SHA256SUMS.minisig'
  assert.equal(read(join(second.directory, signature)), read(join(directory, signature)))
})

test('a release is verified offline by its own command, and by minisign and sha256sum', async (t) => {
  const { directory, archive } = await getRelease()
  const unpacked = mkdtempSync(join(tmpdir(), 'upvane-verified-'))
  t.after(() => rmSync(unpacked, { recursive: true }))
  await run(['tar', '-xzf', archive, '-C', unpacked])
  const tree = join(unpacked, `upvane-${VERSION}`)
  const bin = join(unpacked, 'bin')
  mkdirSync(bin)
  const command = `exec ${join(tree, 'node_modules/.bin/node')} ${join(tree, 'src/main.ts')} "$@"`
  writeFileSync(join(bin, 'upvane'), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  const blocks = readBlocks(join(ROOT, 'docs/operating/releases.md'))
  const marked = blocks.filter(({ mark }) => mark === 'test=release.test.ts')
  assert.equal(marked.length, 2)
  // In a namespace without any network, and without settings.
  const offline = ['env', '-i', `PATH=${bin}:/usr/bin:/bin`, 'unshare', '--net', 'bash', '-ec']
  const printed = []
  for (const { text } of marked)
    printed.push(
      await run([...offline, text.replaceAll('/etc/upvane/release.pub', PUBLIC_KEY)], {
        cwd: directory,
      }),
    )
  assert.match(printed[0] ?? '', /Upvane 0\.2\.0, commit [0-9a-f]{40}: \d files are as released/)
  assert.match(printed[1] ?? '', /^Trusted comment: upvane 0\.2\.0 [0-9a-f]{40}$/m)
})

test('the provenance names every file with its digest, the commit and the lock file', async () => {
  const { directory } = await getRelease()
  const { subject, predicate } = JSON.parse(read(join(directory, 'provenance.json'))) as {
    subject: { name: string; digest: { sha256: string } }[]
    predicate: { buildDefinition: { resolvedDependencies: { name: string; digest?: object }[] } }
  }
  const sums = read(join(directory, 'SHA256SUMS'))
  assert.ok(subject.length >= 5)
  for (const { name, digest } of subject)
    assert.ok(sums.includes(`${digest.sha256}  ${name}\n`), name)
  const [source, lock] = predicate.buildDefinition.resolvedDependencies
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  assert.deepEqual(source, { name: 'source', digest: { gitCommit: commit } })
  const lockHash = execFileSync('sha256sum', [join(ROOT, 'package-lock.json')], {
    encoding: 'utf8',
  })
  assert.deepEqual(lock?.digest, { sha256: lockHash.slice(0, 64) })
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

test('a release refuses a dirty tree, another version, an undescribed migration, and what nobody can verify', async (t) => {
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
  assert.match(stderr, /The commit has no tag v99\.0\.0/)
  assert.match(stderr, /base image .* is not pinned/)
  assert.match(stderr, /Nothing is signed/)
})
