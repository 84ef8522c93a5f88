// Targets that not every region can reach: only a region that has seen a target work decides about it. Targets are on
// loopback, which is private; public ones are in test/fault/engine.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { proveRegion } from '../../kit/prove-region.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { Engine } from './fixture.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const run = promisify(execFile)
const NO_PRIVATE = { PROBE_ALLOW_CIDRS: '' }
// A dead probe is noticed after 6 s; the trial that found this was DOWN after 8 s.
const WATCHED_MS = 20_000
const POLL_MS = 500

let stack: Stack
let web: Web
let engine: Engine
before(async () => {
  web = await startWeb()
  stack = await startStack({ rateLimit: 1_000_000, env: { LOG_LEVEL: 'warn' } })
  const [api] = await Promise.all([stack.start('api'), stack.start('scheduler')])
  engine = new Engine(stack, api)
})
after(async () => {
  await engine?.stop()
  await web?.close()
})

const probe = (region: string, env: Record<string, string> = {}): Promise<Service> =>
  stack.start('probe', { env: { REGION: region, ...env } })

const upvane = (...words: string[]) =>
  run(process.execPath, [MAIN, ...words], { env: { ...process.env, ...stack.env } })

test('a private target of a site whose probe stopped is not DOWN, whatever other sites see', async () => {
  const siteB = await probe('site-b')
  const page = web.page({ status: 200 })
  const intranet = await engine.createChecked({ type: 'HTTP', url: page.url, intervalSeconds: 30 })
  assert.equal(intranet.state, 'UP')
  await probe('site-a', NO_PRIVATE)
  await upvane('org', 'set-region', stack.organizationId, 'site-b')
  await siteB.stop()

  const seen = new Set<string>()
  for (let waitedMs = 0; waitedMs < WATCHED_MS; waitedMs += POLL_MS) {
    seen.add((await engine.api.getMonitor(intranet.id)).state)
    await delay(POLL_MS)
  }
  assert.deepEqual([...seen], ['UP'])
  assert.deepEqual(await engine.incidentsOf(intranet.id), [])
  const { status, code } = await engine.checkRaw(intranet.id)
  assert.deepEqual([status, code], [500, 'internal_error'])

  // Chosen as home, but it has never seen the target work: the base does not move.
  await upvane('org', 'set-region', stack.organizationId, 'site-a')
  assert.equal((await engine.checkRaw(intranet.id)).status, 500)
  assert.equal((await engine.api.getMonitor(intranet.id)).state, 'UP')

  // The same site again, and a real outage there, which the other site cannot hide.
  await probe('site-b')
  await engine.until(intranet.id, ({ state }) => state === 'UP')
  page.become({ status: 404 })
  assert.equal((await engine.check(intranet.id)).state, 'DOWN')
})

test('a check in a region chosen by hand proves that region, and changes nothing else', async () => {
  await upvane('org', 'set-region', stack.organizationId, 'site-b')
  const page = web.page({ status: 200 })
  const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
  const before = await engine.api.getMonitor(id)
  const siteC = await probe('site-c')
  const { baseUrl } = engine.service
  await proveRegion({ baseUrl, key: stack.keys.full }, id, 'site-c')
  assert.deepEqual(await engine.api.getMonitor(id), before)
  const proven = await engine.db.run<{ name: string; counted: boolean }>(
    `select r.name, p.decided_at is not null as counted
       from region_proofs p join regions r on r.no = p.region
       join monitors m on m.no = p.monitor_no where m.url = $1 and p.passed_at is not null
      order by r.name`,
    [page.url],
  )
  assert.deepEqual(proven, [
    { name: 'site-b', counted: true },
    { name: 'site-c', counted: false },
  ])
  await siteC.stop()
})
