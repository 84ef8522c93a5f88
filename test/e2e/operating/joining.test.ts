// Probes in two regions that join by token, over TLS, with the shipped NATS configuration. Runs the commands of
// docs/operating/regions.md with its own values.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import type { Nats } from '../../../tools/services/nats.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Environment, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { proveRegion } from '../../kit/prove-region.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { startShippedNats } from './shipped-nats.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAIN = join(ROOT, 'src/main.ts')
const PLENTY = 1_000_000
const directory = mkdtempSync(join(tmpdir(), 'upvane-joining-'))
const at = (name: string) => join(directory, name)

let nats: Nats
let stack: Stack
let web: Web
let api: Client
let baseUrl: string
let db: Database
let service: Environment
const probes: ChildProcess[] = []

before(async () => {
  web = await startWeb()
  stack = await startStack({ nats: false, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  db = openDatabase(stack.databaseUrl)
  const setUp = () => upvane(['nats', 'setup', '--dir', directory])
  ;({ nats, service } = await startShippedNats(directory, setUp))
  const [first] = await Promise.all([
    stack.start('api', { env: service }),
    stack.start('scheduler', { env: service }),
  ])
  baseUrl = first.baseUrl
  api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
})

after(async () => {
  api?.close()
  await Promise.all(probes.map(end))
  await db?.close()
  await stack?.stop()
  await Promise.all([nats?.stop(), web?.close()])
  rmSync(directory, { recursive: true })
})

test('probes of two regions join by token and run checks', async () => {
  const tokens = { 'eu-west': await tokenOf('eu-west'), 'us-east': await tokenOf('us-east') }
  await Promise.all(Object.entries(tokens).map(([region, token]) => startJoined(region, token)))
  await live(2)
  await upvane(['org', 'set-region', stack.organizationId, 'eu-west'])
  const page = web.page({})
  const { id } = await api.createMonitor({ type: 'HTTP', url: page.url, name: 'Broken' })
  await until('a first check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
  await proveRegion({ baseUrl, key: stack.keys.full }, id, 'us-east')
  page.become({ status: 500 })
  await api.post(`/monitors/${id}/check`, {})
  await until('the incident', async () => (await api.getMonitor(id)).state === 'DOWN', 20_000)
  const { incidents } = await api.get(`/incidents?monitorId=${id}`)
  const { openedBy } = (await api.get(`/incidents/${incidents.data[0]?.id}`)).incident
  assert.equal(openedBy['location'], 'us-east', 'confirmed from the second region')
  const good = await api.createMonitor({ type: 'HTTP', url: web.page({}).url, name: 'Good' })
  await until('a check', async () => (await api.getMonitor(good.id)).state === 'UP', 20_000)
  assert.equal(await regionOf('Good'), 'eu-west', 'checked from home')
  const { mode } = statSync(at('eu-west.json'))
  assert.equal(mode & 0o777, 0o600)
})

function post(path: string, body: object): Promise<Response> {
  const headers = { 'X-API-Key': stack.keys.full, 'Content-Type': 'application/json' }
  return fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

test('probe list and region list show them with version and last word', async () => {
  const rows = JSON.parse((await upvane(['probe', 'list', '--json'])).stdout) as {
    name: string
    version: string
    isLive: boolean
    lateMs: number
  }[]
  assert.deepEqual(
    rows.map(({ name, isLive }) => [name, isLive]),
    [
      ['eu-west-1', true],
      ['us-east-1', true],
    ],
  )
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
  }
  assert.ok(rows.every((row) => row.version === version && row.lateMs >= 0))
  const { stdout } = await upvane(['region', 'list'])
  assert.match(stdout, /eu-west {2}1 of 1 live/)
})

test('doctor on the machine of a joined probe is sound', async () => {
  const { code, stdout } = await upvane(['doctor'], {
    ...probeEnvironment('eu-west'),
    DISK_WATERMARK_PERCENT: '100',
  })
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^ok +NATS +reachable, and permits what a probe needs$/m)
  assert.match(stdout, /^ok +files +1 readable by /m)
  assert.match(stdout, /^skip +database /m)
})

test('a probe that may not reach private addresses of its region: joining and doctor say so', async () => {
  await db.run('update organizations set private_targets = true')
  const refused = '10.231.0.1'
  const { id } = await api.createMonitor({ type: 'HTTP', url: `http://${refused}/x`, name: 'Far' })
  const environment = (PROBE_ALLOW_CIDRS: string) => ({ ...service, PROBE_ALLOW_CIDRS })
  const token = await tokenOf('eu-west')
  const { stderr, code } = await joinOnce(token, 'narrow')
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    /^PROBE_ALLOW_CIDRS .+ does not permit 10\.231\.0\.1, which monitors of region eu-west have\./m,
  )
  const wide = await joinOnce(await tokenOf('eu-west'), 'wide', {
    PROBE_ALLOW_CIDRS: '127.0.0.0/8,10.231.0.0/24',
  })
  assert.doesNotMatch(wide.stderr, /PROBE_ALLOW_CIDRS/)
  const { stdout } = await upvane(['doctor'], environment(''))
  assert.match(
    stdout,
    /^warn +private hosts +eu-west-1 in region eu-west may not reach 10\.231\.0\.1, which/m,
  )
  await api.delete(`/monitors/${id}`)
  const after = await upvane(['doctor'], environment(''))
  assert.doesNotMatch(after.stdout, /may not reach 10\.231/)
})

test('a token works once, also for two that use it at the same moment', async () => {
  const token = await tokenOf('ap-south')
  const both = await Promise.all(['a', 'b', 'c'].map((name) => joinOnce(token, name)))
  const joined = both.filter(({ code }) => code === 0)
  assert.equal(joined.length, 1, both.map(({ stderr }) => stderr).join('\n'))
  const late = await joinOnce(token, 'd')
  assert.equal(late.code, 2)
  assert.match(late.stderr, /already used|was used before/)
  assert.equal(await db.count('probes', 'region = $1', ['ap-south']), 1)
})

test('a token that has expired is refused by NATS and by the installation', async () => {
  const short = await tokenOf('ap-south', '--expires-in', '1s')
  await new Promise((resolve) => setTimeout(resolve, 2100))
  const { code, stderr } = await joinOnce(short, 'expired')
  assert.equal(code, 2)
  assert.match(stderr, /has expired/)
  const other = await tokenOf('ap-south')
  await db.run(`update probe_tokens set expires_at = now() where used_at is null`)
  assert.match((await joinOnce(other, 'expired-2')).stderr, /unknown, expired or already used/)
})

test('what is no token, and a token with another authority, is refused', async () => {
  for (const text of [
    '',
    'hello\n',
    'upvane-probe-2.e30\n',
    `upvane-probe-2.${'A'.repeat(40_000)}`,
  ])
    assert.match((await joinOnce(text, 'none')).stderr, /not a token/)
  const token = await tokenOf('ap-south')
  const [prefix = '', body = ''] = token.trim().split('.')
  const fields = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string>
  const stranger = createAuthority()
  const bad = { ...fields, ca: stranger.root }
  stranger.remove()
  const forged = `${prefix}.${Buffer.from(JSON.stringify(bad)).toString('base64url')}`
  const { code, stderr } = await joinOnce(forged, 'wrong-authority')
  assert.equal(code, 2)
  assert.match(stderr, /not signed by the authority/)
  assert.equal((await joinOnce(token, 'wrong-authority')).code, 0, 'the token itself is still good')
})

test('a revoked probe is disconnected at once, and its checks go to others', async () => {
  const page = web.page({ status: 200 })
  const { id } = await api.createMonitor({ type: 'HTTP', url: page.url, name: 'Shop' })
  await until('a first check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
  await proveRegion({ baseUrl, key: stack.keys.full }, id, 'us-east')
  const outcome = JSON.parse((await upvane(['probe', 'revoke', 'eu-west-1', '--json'])).stdout)
  assert.deepEqual(outcome, { name: 'eu-west-1', region: 'eu-west', disconnected: true })
  await until(
    'a check from the other region',
    async () => {
      // 500 until the dead probe is noticed.
      await post(`/api/v1/monitors/${id}/check`, {})
      return (await regionOf('Shop')) === 'us-east'
    },
    25_000,
  )
  const lastSeen = await seenAt('eu-west-1')
  await nats.restart()
  const again = await upvane(['probe', 'join', '--no-start'], { PROBE_FILE: at('eu-west.json') })
  assert.equal(again.code, 2)
  assert.match(
    again.stderr,
    /^NATS refuses this user .+probably revoked.+ delete the file in PROBE_FILE/m,
  )
  const doctor = await upvane(['doctor'], probeEnvironment('eu-west'))
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /^fail +NATS +NATS refuses this user.+run upvane probe join with it/m)
  const before = await seenAt('us-east-1')
  await until('the other probe', async () => (await seenAt('us-east-1')) > before, 20_000)
  assert.equal(await seenAt('eu-west-1'), lastSeen, 'it is not let in again')
})

test('every step is in the operator log, and no secret is', async () => {
  const lines = await db.run<{ action: string; detail: object }>(
    'select action, detail from operator_log order by at',
  )
  const actions = new Set(lines.map(({ action }) => action))
  for (const action of ['nats setup', 'region add', 'probe join', 'probe revoke', 'org set-region'])
    assert.ok(actions.has(action), action)
  const seed = (JSON.parse(readFileSync(at('eu-west.json'), 'utf8')) as { seed: string }).seed
  assert.ok(!JSON.stringify(lines).includes(seed))
})

async function tokenOf(region: string, ...more: string[]): Promise<string> {
  const { stdout, stderr, code } = await upvane(['region', 'add', region, ...more], service)
  assert.equal(code, 0, stderr)
  return stdout
}

async function seenAt(probe: string): Promise<number> {
  const { at } = await db.one<{ at: Date }>(
    'select last_seen_at as at from probes where name = $1',
    [probe],
  )
  return at.getTime()
}

/** Of the latest result: a check that was sent just before its probe was revoked ends without a verdict. */
async function regionOf(monitor: string): Promise<string> {
  const { name } = await db.one<{ name: string }>(
    `select g.name from results r join regions g on g.no = r.region
      where r.monitor_no = (select no from monitors where name = $1) order by r.slot desc limit 1`,
    [monitor],
  )
  return name
}

async function startJoined(region: string, token: string): Promise<void> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN, 'probe', 'join'], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...probeEnvironment(region), INTERNAL_PORT: String(port) },
  })
  probes.push(child)
  child.stdin?.end(token)
  await until(`the probe of ${region}`, async () => existsSync(at(`${region}.json`)), 20_000)
}

// What a remote machine has: no database, no master key, no NATS address.
function probeEnvironment(name: string): Environment {
  return {
    PATH: process.env['PATH'] ?? '',
    ...COMPILE_CACHE,
    PROBE_FILE: at(`${name}.json`),
    PROBE_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  }
}

const joinOnce = (token: string, name: string, more: Environment = {}) =>
  upvane(['probe', 'join', '--no-start'], { ...probeEnvironment(name), ...more }, token)

async function live(count: number): Promise<void> {
  const isLive = `last_seen_at > now() - interval '10 seconds'`
  await until(
    `${count} live probes`,
    async () => (await db.count('probes', isLive, [])) === count,
    20_000,
  )
}

async function upvane(args: string[], env: Environment = service ?? {}, input = '') {
  const whole = env['PROBE_FILE'] === undefined ? { ...stack.env, ...env } : env
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: directory, env: whole })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  child.stdin.on('error', () => {}).end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
