// The proxies of docs/moving.md, as they are written there: jobs ping the address of the old tool, unchanged.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Upvane } from '@upvane/sdk'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { listen } from '../../kit/targets/listen.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/moving.md'), 'utf8')
const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f8091'
const WAIT_MS = 15_000

const root = mkdtempSync(join(tmpdir(), 'upv-proxy-'))
const product = await startProduct()
const { baseUrl } = product.service
const upvane = new Upvane({ baseUrl, apiKey: product.keys.full })
after(async () => {
  await product.stop()
  rmSync(root, { recursive: true })
})

type Settings = { port: number; id: string }

function blockOf(language: string): string {
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(GUIDE) ?? []
  assert.ok(block, `the guide has no block of ${language}`)
  return block
}

/** Only addresses and the id are replaced. */
const upstream = (block: string, id: string): string =>
  block
    .replaceAll('https://upvane.example.com', baseUrl)
    .replaceAll('upvane.example.com', new URL(baseUrl).host)
    .replaceAll('YOUR_ID', id)

function nginxFile({ port, id }: Settings): string {
  const server = upstream(blockOf('nginx'), id).replace(
    'server {',
    `server {\n  listen 127.0.0.1:${port};`,
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/${name};`)
    .join('\n')
  return `daemon off;\nmaster_process off;\npid ${root}/nginx.pid;\nerror_log stderr;\nevents {}
http {\naccess_log off;\n${temporary}\n${server}}\n`
}

const caddyFile = ({ port, id }: Settings): string =>
  `{\n  admin off\n}\n${upstream(blockOf('caddy'), id).replace('kuma.example.com, hc.example.com', `http://127.0.0.1:${port}`)}`

const PROXIES = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    toFile: nginxFile,
    toArguments: (path: string) => ['-e', 'stderr', '-p', root, '-c', path],
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    toFile: caddyFile,
    toArguments: (path: string) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
]

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}

async function untilOpen(url: string, child: ChildProcess, readLog: () => string): Promise<void> {
  const endsAtMs = Date.now() + WAIT_MS
  while (Date.now() < endsAtMs) {
    assert.equal(child.exitCode, null, readLog())
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail(readLog())
}

const PINGS: readonly [path: string, signal: string, body: string | null][] = [
  ['/api/push/eYaNuTzjHT?status=up&msg=OK&ping=12', 'SUCCESS', 'OK'],
  ['/api/push/eYaNuTzjHT?status=down&msg=No+space', 'FAIL', 'No space'],
  [`/ping/${UUID}/start`, 'START', null],
  [`/ping/${UUID}/7`, 'FAIL', null],
  [`/ping/${UUID}`, 'SUCCESS', null],
]

for (const { name, program, toFile, toArguments } of PROXIES)
  test(`jobs ping through ${name}`, { skip: !existsSync(program) }, async (t) => {
    const { id } = await upvane.monitors.create({
      name: `Job behind ${name}`,
      type: 'CRON',
      expectedPeriodSec: 3600,
    })
    const aliases = ['eYaNuTzjHT', UUID].map((token) => ({ monitorId: id, token }))
    const { prefix } = await upvane.request<{ prefix: string }>(
      'POST',
      '/api/ext/v1/ping-aliases',
      { body: { aliases } },
    )
    const port = await freePort()
    const path = join(root, `${name}.conf`)
    writeFileSync(path, toFile({ port, id: prefix.slice(-24) }))
    const child = spawn(program, toArguments(path), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { HOME: root, XDG_DATA_HOME: root, XDG_CONFIG_HOME: root },
    })
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => void (log += chunk.toString()))
    t.after(async () => {
      if (child.exitCode !== null) return
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    })
    const old = `http://127.0.0.1:${port}`
    await untilOpen(old, child, () => log)
    for (const [ping] of PINGS) assert.equal((await fetch(old + ping)).status, 200, ping)
    const posted = await fetch(`${old}/ping/${UUID}`, { method: 'POST', body: 'done' })
    assert.equal(posted.status, 200)
    const calls = await product.db.run<{ signal: string; body: string | null }>(
      `select signal, body from heartbeat_calls
        where monitor_no = (select no from monitors where id = $1) order by at`,
      [toUuid(id)],
    )
    assert.deepEqual(
      calls.map(({ signal, body }) => [signal, body]),
      [...PINGS.map(([, signal, body]) => [signal, body]), ['SUCCESS', 'done']],
    )
    for (const path of ['/api/push/unknown', '/ping/unknown', '/', '/api/v1/monitors', '/hb/x'])
      assert.equal((await fetch(old + path)).status, 404, path)
  })
