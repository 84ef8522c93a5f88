// The package as a project gets it, by the commands of docs/cli.md.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { publint } from 'publint'
import own from './package.json' with { type: 'json' }
import { serveService } from './test/serve-service.ts'

const ROOT = join(import.meta.dirname, '..')
const FENCE = /^```sh test=cli\/pack\.slow\.test\.ts\n([^`]*)\n```$/gm
const run = promisify(execFile)

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
}

type Manifest = {
  bin: Record<string, string>
  type: string
  license: string
  engines: { node: string }
  dependencies: Record<string, string>
  publishConfig: { access: string }
}

/** An empty project that ran the guide's commands, with a folder of its own instead of /tmp. */
async function install(t: TestContext): Promise<{ project: string; printed: string }> {
  const project = mkdtempSync(join(tmpdir(), 'upvane-cli-test-'))
  t.after(() => rmSync(project, { recursive: true }))
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const guide = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8')
  const lines = [...guide.matchAll(FENCE)].flatMap(([, text = '']) => text.split('\n'))
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['npm', 'npm', 'npx'],
  )
  const dependencies = await packDependencies(project)
  let printed = ''
  for (const line of lines) {
    const [program = '', ...args] = line.replaceAll('/tmp', project).split(' ')
    if (line.startsWith('npm run pack')) await run(program, args, { cwd: ROOT })
    else {
      const offline = program === 'npm' ? [...dependencies, '--offline', '--silent'] : []
      printed = (await run(program, [...args, ...offline], { cwd: project })).stdout
    }
  }
  return { project, printed }
}

/** What the package needs from a registry, and what that needs, from what is installed here: tests reach no registry. */
async function packDependencies(project: string): Promise<string[]> {
  const names = new Set(
    Object.keys(own.dependencies).filter((name) => !name.startsWith('@upvane/')),
  )
  const archives: string[] = []
  // Grows while it is read.
  for (const name of names) {
    const folder = join(ROOT, 'node_modules', name)
    const options = ['--silent', '--ignore-scripts', '--pack-destination', project]
    const { stdout } = await run('npm', ['pack', folder, ...options], { cwd: project })
    archives.push(join(project, stdout.trim()))
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { dependencies = {} } = JSON.parse(text) as Partial<Manifest>
    for (const needed of Object.keys(dependencies)) names.add(needed)
  }
  return archives
}

test('the package installs into an empty project, and upv runs there', async (t) => {
  const { project, printed } = await install(t)
  assert.equal(printed.trim(), own.version)
  const upv = join(project, 'node_modules/.bin/upv')
  const help = await run(upv, ['help'])
  assert.match(help.stdout, /^ {2}upv monitors list /m)
  const service = await serveService()
  t.after(() => service.close())
  service.fake.add('monitors', { name: 'Packed' })
  const env = { PATH: process.env['PATH'] ?? '', HOME: project, ...service.env }
  const { stdout } = await run(upv, ['monitors', 'list'], { env })
  assert.match(stdout, /Packed/)
})

test('the package serves assistants, and starts without what only that needs', async (t) => {
  const { project } = await install(t)
  const upv = join(project, 'node_modules/.bin/upv')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: project,
    UPVANE_URL: 'http://127.0.0.1:1',
    UPVANE_API_KEY: 'upv_x',
  }
  const serving = spawn(upv, ['mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  serving.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  const [line] = (await once(serving.stdout, 'data')) as [Buffer]
  assert.match(line.toString(), /"name":"upvane"/)
  serving.stdin.end()
  assert.deepEqual(await once(serving, 'exit'), [0, null])

  rmSync(join(project, 'node_modules/@modelcontextprotocol'), { recursive: true })
  assert.match((await run(upv, ['--help'], { env })).stdout, /upv mcp/)
})

test('the package: one command, only its own compiled files, and ready to be published', async (t) => {
  const { project } = await install(t)
  const installed = join(project, 'node_modules/@upvane/cli')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest
  assert.deepEqual(Object.keys(manifest.bin), ['upv'], 'npx @upvane/cli starts the only command')
  const main = readFileSync(join(installed, manifest.bin['upv'] ?? ''), 'utf8')
  assert.ok(main.startsWith('#!/usr/bin/env node\n'))
  assert.equal(manifest.dependencies['@upvane/sdk'], own.version)
  assert.deepEqual(
    [manifest.type, manifest.license, manifest.publishConfig],
    ['module', 'Apache-2.0', { access: 'public' }],
  )
  const files = globSync('**/*', { cwd: installed, exclude: ['node_modules/**'] })
  for (const name of ['README.md', 'LICENSE']) assert.ok(files.includes(name), name)
  const strange = files.filter((file) => /\.ts$|\.test\.|^dist\/(?:sdk|cli)\b/.test(file))
  assert.deepEqual(
    strange.filter((file) => !file.endsWith('.d.ts')),
    [],
  )
})

test('publint has nothing to say about the package and the SDK', async (t) => {
  const { project } = await install(t)
  for (const name of ['cli', 'sdk']) {
    const pkgDir = join(project, 'node_modules/@upvane', name)
    const { messages } = await publint({ pkgDir, pack: false, level: 'warning', strict: true })
    assert.deepEqual(messages, [], name)
  }
})
