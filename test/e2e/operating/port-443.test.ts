// Probes that join through port 443: behind the shipped Caddyfile and nginx.conf, with authorities of our own, straight
// and through a proxy that asks for a password and permits this one host and port. In a network of its own, because the
// shipped files name ports.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Nats } from '../../../tools/services/nats.ts'
import { type Environment, type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startConnectProxy } from '../../kit/targets/connect-proxy.ts'
import { isInside, runInNamespace } from '../../kit/targets/namespace.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { startShippedNats } from './shipped-nats.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAIN = join(ROOT, 'src/main.ts')
const HOST = 'upvane.example.com'
const GUIDE = readFileSync(join(ROOT, 'docs/operating/regions.md'), 'utf8')
const [, COMMAND = ''] = /^```sh test=port-443\.test\.ts\n(.+)\n```$/m.exec(GUIDE) ?? []
const CADDY = '/usr/bin/caddy'
const NGINX = '/usr/sbin/nginx'
const WITHIN_MS = 240_000
const REVOKED_WITHIN_MS = 2000
const STRANGERS_WITHIN_MS = 10_000
const skip =
  process.getuid?.() !== 0 || !existsSync(CADDY) || !existsSync(NGINX)
    ? 'needs root, Caddy and nginx'
    : false

if (isInside()) describeInside()
else
  test('probes join through port 443, in a network of their own', {
    skip,
    timeout: 600_000,
  }, () => {
    const { passed, failed, output } = runInNamespace(
      import.meta.filename,
      ['ip link set lo up'],
      WITHIN_MS,
    )
    process.stdout.write(output)
    assert.deepEqual([failed, passed], [0, 3], output)
  })

function describeInside(): void {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-443-'))
  const at = (name: string) => join(directory, name)
  const children: ChildProcess[] = []
  let stack: Stack
  let nats: Nats
  let service: Environment
  let main: Service
  let web: Web
  let api: Client

  before(async () => {
    web = await startWeb()
    stack = await startStack({
      nats: false,
      ownPostgres: true,
      rateLimit: 1e6,
      env: { LOG_LEVEL: 'warn' },
    })
    const setUp = () => upvane(['nats', 'setup', '--dir', directory], stack.env)
    ;({ nats, service } = await startShippedNats(directory, setUp, '127.0.0.1', 8098))
    main = await stack.start('start', {
      port: 8080,
      env: { ...service, BASE_URL: `https://${HOST}`, REGION: 'eu-west' },
    })
    api = new Client({ baseUrl: main.baseUrl, key: stack.keys.full, rateLimit: 1e6 })
    mkdirSync(at('bin'))
    // The line of `region add`, as a person runs it.
    writeFileSync(at('bin/upvane'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, {
      mode: 0o755,
    })
    writeFileSync(at('hosts'), `127.0.0.1 localhost ${HOST}\n`)
  })

  after(async () => {
    api?.close()
    await Promise.all(children.map(end))
    await stack?.stop()
    await Promise.all([nats?.stop(), web?.close()])
    rmSync(directory, { recursive: true })
  })

  test('behind the shipped Caddyfile, straight', async (t) => {
    const ca = await startCaddy()
    const line = await lineFor('us-east', ca)
    const probe = joinBy(line, 'us-east')
    await checksRunIn('us-east', probe)
    await revokes('us-east-1', probe, t)
  })

  test('behind the shipped nginx.conf, through a proxy that asks for a password', async (t) => {
    const ca = await startNginx()
    const places = { [`${HOST}:443`]: { host: '127.0.0.1', port: 443 } }
    const proxy = await startConnectProxy({ places })
    t.after(() => proxy.close())
    const line = await lineFor('ap-south', ca)
    const address = (password: string) => `http://${proxy.user}:${password}@127.0.0.1:${proxy.port}`
    const wrong = joinBy(line, 'refused', { NATS_PROXY: address('wrong') })
    assert.deepEqual(await once(wrong.child, 'close'), [2, null])
    assert.match(wrong.log(), /HTTP 407\. Put its user and password into NATS_PROXY/)
    const lost = joinBy(line, 'lost', {})
    assert.deepEqual(await once(lost.child, 'close'), [2, null])
    assert.match(lost.log(), /NATS cannot be reached/)
    const env = { HTTPS_PROXY: address(encodeURIComponent(proxy.password)), NO_PROXY: 'localhost' }
    const probe = joinBy(line, 'ap-south', env)
    await checksRunIn('ap-south', probe)
    assert.deepEqual([...new Set(proxy.asked)], [`${HOST}:443 407`, `${HOST}:443 200`])
    // The probe is restarted as a container is: the same line, with a token that was used.
    await end(probe.child)
    const asked = proxy.asked.length
    const again = joinBy(line, 'ap-south', env)
    // Once to see whether it is still welcome, and once to serve.
    await until('its connection', async () => proxy.asked.length >= asked + 2, 30_000)
    assert.match(again.log(), /^Already joined ap-south as ap-south-1\.$/m)
    await delay(2000)
    await revokes('ap-south-1', again, t)
    const other = await upvane(['probe', 'join', '--no-start'], {
      ...env,
      PROBE_FILE: at('ap-south.json'),
    })
    assert.match(other.stderr, /^NATS refuses this user .+probably revoked/m)
  })

  test('another authority is refused, strangers are disconnected, and other paths are not passed on', async () => {
    const stranger = createAuthority()
    writeFileSync(at('stranger.pem'), stranger.root)
    stranger.remove()
    const line = await lineFor('us-east', at('stranger.pem'))
    const refused = joinBy(line, 'stranger')
    assert.deepEqual(await once(refused.child, 'close'), [2, null])
    assert.match(refused.log(), /not signed by the authority in the token/)
    // Other doors of NATS: only WebSockets of clients are passed on.
    const ca = readFileSync(at('front-ca.pem'), 'utf8')
    for (const path of ['/leafnode', '/mqtt', '/probe/leafnode', '/probe/mqtt', '/Probe'])
      assert.equal(await upgrade(path, ca), 404, path)
    const startMs = performance.now()
    assert.equal(await upgrade('/probe', ca), 101)
    const tookMs = performance.now() - startMs
    assert.ok(tookMs < STRANGERS_WITHIN_MS, `who does not sign in is there for ${tookMs} ms`)
    for (const args of [
      ['--through', 'http://x'],
      ['--through', `https://${HOST}`, '--nats-url', 'tls://x'],
    ]) {
      const { code, stderr } = await upvane(['region', 'add', 'x', ...args])
      assert.equal(code, 2, stderr)
    }
  })

  type Joined = { child: ChildProcess; log(): string }

  /** Runs what `region add` prints in a shell of the other machine, which resolves the host unless it has settings. */
  function joinBy(line: string, name: string, env?: Environment): Joined {
    const knowsHost = env === undefined
    const script = knowsHost ? `mount --bind ${at('hosts')} /etc/hosts; ${line}` : line
    const command = knowsHost ? ['unshare', '--mount', 'sh', '-c', script] : ['sh', '-c', script]
    const [program = '', ...args] = command
    // A shell does not pass a signal on to what it runs.
    const child = spawn(program, args, {
      detached: true,
      env: {
        PATH: `${at('bin')}:${process.env['PATH']}`,
        PROBE_FILE: at(`${name}.json`),
        PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        INTERNAL_PORT: '0',
        ...env,
      },
    })
    let log = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (log += text))
    children.push(child)
    return { child, log: () => log }
  }

  async function lineFor(region: string, caFile: string): Promise<string> {
    const [program, ...args] = COMMAND.replace('us-east', region).split(' ')
    assert.equal(program, 'upvane')
    const { stdout, stderr } = await upvane([...args, '--ca-file', caFile])
    assert.match(stdout, /^PROBE_TOKEN=upvane-probe-2\.[\w-]+ upvane probe join\n$/, stderr)
    return stdout.trim()
  }

  async function checksRunIn(region: string, { log }: Joined): Promise<void> {
    await until('a live probe', () => isLive(`${region}-1`), 30_000).catch((error: Error) =>
      assert.fail(`${error.message}\n${log()}`),
    )
    await upvane(['org', 'set-region', stack.organizationId, region])
    const { id } = await api.createMonitor({ type: 'HTTP', url: web.page({}).url, name: region })
    await until('a check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
    const { stdout } = await upvane(['region', 'list'])
    assert.match(stdout, new RegExp(`${region} {2}1 of 1 live`))
  }

  async function revokes(name: string, { log }: Joined, t: TestContext): Promise<void> {
    assert.doesNotMatch(log(), /connection to NATS was lost/)
    const { stdout } = await upvane(['probe', 'revoke', name, '--json'])
    const startMs = performance.now()
    assert.equal((JSON.parse(stdout) as { disconnected: boolean }).disconnected, true)
    await until(
      'the end of its connection',
      async () => /connection to NATS was lost/.test(log()),
      5000,
    )
    const tookMs = Math.round(performance.now() - startMs)
    t.diagnostic(`${name} was disconnected within ${tookMs} ms`)
    assert.ok(tookMs < REVOKED_WITHIN_MS)
    await delay(3000)
    assert.match(log(), /Authorization/i)
    await until('its absence', async () => !(await isLive(name)), 30_000)
  }

  async function isLive(name: string): Promise<boolean> {
    const { stdout } = await upvane(['probe', 'list', '--json'])
    const probes = JSON.parse(stdout) as { name: string; isLive: boolean }[]
    return probes.some((probe) => probe.name === name && probe.isLive)
  }

  /** Its own authority signs. Returns that authority's file. */
  async function startCaddy(): Promise<string> {
    const shipped = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')
    const { port } = new URL(main.internalUrl)
    const text = shipped
      .replace('on_demand_tls', 'admin off\n\tlocal_certs\n\tskip_install_trust\n\ton_demand_tls')
      .replace('127.0.0.1:8099', `127.0.0.1:${port}`)
    writeFileSync(at('Caddyfile'), text)
    const args = ['run', '--adapter', 'caddyfile', '--config', at('Caddyfile')]
    startServer(CADDY, args, {
      HOME: directory,
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
    })
    const root = at('caddy/pki/authorities/local/root.crt')
    await until('Caddy', async () => existsSync(root) && (await accepts(443)), 20_000)
    return root
  }

  async function startNginx(): Promise<string> {
    await Promise.all(children.splice(0).map(end))
    const authority = createAuthority()
    const { key, cert } = authority.issue(HOST, { san: `DNS:${HOST}` })
    writeFileSync(at('front-ca.pem'), authority.root)
    authority.remove()
    writeFileSync(at('fullchain.pem'), cert)
    writeFileSync(at('privkey.pem'), key)
    const shipped = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    const server = shipped.replaceAll('/etc/ssl/upvane', directory)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join('\n')
    const head = `daemon off;\nmaster_process off;\npid ${at('nginx.pid')};\nerror_log stderr;\nevents {}\n`
    writeFileSync(at('nginx.conf'), `${head}http {\naccess_log off;\n${temporary}\n${server}}\n`)
    startServer(NGINX, ['-e', 'stderr', '-p', directory, '-c', at('nginx.conf')], {})
    await until('nginx', () => accepts(443), 20_000)
    return at('front-ca.pem')
  }

  function startServer(program: string, args: string[], env: Environment): void {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    child.stderr.resume()
    children.push(child)
  }

  async function upvane(args: string[], env: Environment = service) {
    const whole = env['PROBE_FILE'] === undefined ? { ...stack.env, ...env } : env
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: directory, env: whole })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
    child.stdin.end()
    const [code] = (await once(child, 'close')) as [number]
    return { code, stdout, stderr }
  }
}

/** The status of the response. A WebSocket that is opened is silent, until the other side ends it. */
async function upgrade(path: string, ca: string): Promise<number | undefined> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
    'Sec-WebSocket-Version': '13',
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const asked = request({
    host: '127.0.0.1',
    port: 443,
    servername: HOST,
    path,
    ca,
    headers: { ...headers, Host: HOST },
  })
  asked.once('error', reject).once('response', ({ statusCode }) => resolve(statusCode))
  asked.once('upgrade', ({ statusCode }, socket) => {
    socket.resume().once('close', () => resolve(statusCode))
  })
  asked.end()
  return promise.finally(() => asked.destroy())
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: '127.0.0.1', port })
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** With its group, if it leads one. */
async function end(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  signal(pid, 'SIGTERM')
  const isOver = await Promise.race([ended, delay(10_000, undefined, { ref: false })])
  if (isOver === undefined) signal(pid, 'SIGKILL')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch {
    process.kill(pid, name)
  }
}
