// `upvane start`, as install.sh sets it up, with NATS and the credentials of docs/operating/regions.md.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Nats } from '../../../tools/services/nats.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Environment, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { startShippedNats } from './shipped-nats.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const PLENTY = 1_000_000
const directory = mkdtempSync(join(tmpdir(), 'upvane-start-nats-'))
const at = (name: string) => join(directory, name)

let nats: Nats
let stack: Stack
let web: Web
let api: Client
let db: Database
let service: Environment

before(async () => {
  web = await startWeb()
  stack = await startStack({ nats: false, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  db = openDatabase(stack.databaseUrl)
  const setUp = () => upvane(['nats', 'setup', '--dir', directory])
  ;({ nats, service } = await startShippedNats(directory, setUp))
  const { baseUrl } = await stack.start('start', { env: { ...service, REGION: 'eu-west' } })
  api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
})

after(async () => {
  api?.close()
  await db?.close()
  await stack?.stop()
  await Promise.all([nats?.stop(), web?.close()])
  rmSync(directory, { recursive: true })
})

test('start runs and checks from its own region', async () => {
  const { id } = await api.createMonitor({ type: 'HTTP', url: web.page({}).url, name: 'Shop' })
  await until('a first check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
  const doctor = await upvane(['doctor'], { ...service, REGION: 'eu-west' })
  assert.match(doctor.stdout, /^ok +NATS +reachable/m, doctor.stdout)
})

test('a second one in another region leaves every check with its home', async () => {
  await stack.start('start', { env: { ...service, REGION: 'us-east' } })
  await until('both', async () => (await liveRegions()).join() === 'eu-west,us-east', 20_000)
  await upvane(['org', 'set-region', stack.organizationId, 'eu-west'])
  const names = Array.from({ length: 20 }, (_, index) => `Page ${index}`)
  for (const name of names)
    await api.createMonitor({ type: 'HTTP', url: web.page({}).url, name, intervalSeconds: 30 })
  const checked = () =>
    db.run<{ region: string }>(
      `select distinct g.name as region from results r
         join regions g on g.no = r.region join monitors m on m.no = r.monitor_no
        where m.name like 'Page %'`,
    )
  await until(
    'a check of each',
    async () =>
      (await db.count(
        'monitor_states',
        `state = 'UP' and monitor_no in (select no from monitors where name like 'Page %')`,
        [],
      )) === 20,
    40_000,
  )
  assert.deepEqual(
    (await checked()).map(({ region }) => region),
    ['eu-west'],
  )
})

test('a probe that joined runs beside the service, with the service’s settings', async () => {
  const token = await upvane(['region', 'add', 'eu-west'], service)
  assert.equal(token.code, 0, token.stderr)
  writeFileSync(at('token'), token.stdout)
  const env = {
    ...service,
    PROBE_FILE: at('probe.json'),
    INTERNAL_PORT: String(await findFreePort()),
  }
  const joined = await upvane(['probe', 'join', '--no-start', '--token-file', at('token')], env)
  assert.equal(joined.code, 0, joined.stderr)
  assert.ok(existsSync(at('probe.json')))
  const child = spawn(process.execPath, [MAIN, 'probe'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...stack.env, ...env },
  })
  try {
    const isLive = `name = 'eu-west-1' and last_seen_at > now() - interval '10 seconds'`
    await until('its probe', async () => (await db.count('probes', isLive, [])) === 1, 20_000)
  } finally {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  }
})

async function liveRegions(): Promise<string[]> {
  const rows = await db.run<{ region: string }>(
    `select distinct region from probes where last_seen_at > now() - interval '10 seconds' order by 1`,
  )
  return rows.map(({ region }) => region)
}

async function upvane(args: string[], env: Environment = service ?? {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: directory,
    env: { ...stack.env, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}
