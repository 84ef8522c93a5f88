// Monitors whose checks run in several regions at once. The name of the target leads to another address in each region, so
// that it can fail in some of them: as behind GeoDNS, or when a provider has an outage in one part of the world.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { toUuid } from '../../kit/ids.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { listen } from '../../kit/targets/listen.ts'
import { Engine } from './fixture.ts'

const EXT = '/api/ext/v1'
const NAME = 'shop.test'
const SITES = ['site-a', 'site-b', 'site-c'] as const
type Site = (typeof SITES)[number]
const addressOf = (site: Site) => `127.0.0.${SITES.indexOf(site) + 2}`

/** Where the target answers 503. */
const failing = new Set<Site>()
const server = createServer((request, response) => {
  const site = SITES.find((one) => addressOf(one) === request.socket.localAddress)
  response.writeHead(site !== undefined && failing.has(site) ? 503 : 200).end('hello')
})

let stack: Stack
let engine: Engine
let scheduler: Service
let url: string
const probes = new Map<Site, Service>()
const closing: (() => unknown)[] = []
before(async () => {
  const { port, close } = await listen(server, '0.0.0.0')
  closing.push(close)
  url = `http://${NAME}:${port}/`
  stack = await startStack({ rateLimit: 1_000_000, env: { LOG_LEVEL: 'warn' } })
  const [api, first] = await Promise.all([stack.start('api'), stack.start('scheduler')])
  scheduler = first
  engine = new Engine(stack, api)
  await Promise.all(SITES.map(startProbe))
  // Nobody sends anything here: there is no dispatcher.
  const settings = { url: 'https://hooks.slack.com/services/T0/B0/x' }
  const contact = { name: 'Ops', channel: 'SLACK', settings }
  const answer = await engine.api.post(`${EXT}/alert-contacts`, contact)
  assert.equal(answer.status, 201, answer.text)
})
after(async () => {
  await engine?.stop()
  for (const close of closing) await close()
})

async function startProbe(site: Site): Promise<void> {
  const dns = await startDnsServer(({ type, name }) =>
    type === 'A' ? { answers: [{ type, name, ttl: 1, data: addressOf(site) }] } : undefined,
  )
  closing.push(() => dns.close())
  const env = { REGION: site, PROBE_DNS_SERVERS: dns.address }
  probes.set(site, await stack.start('probe', { env }))
}

type Setting = { regions?: readonly string[]; downWhen?: number }

/** A monitor that every region has reached once. */
async function watch({ regions = SITES, ...more }: Setting = {}, fields: object = {}) {
  failing.clear()
  const { id } = await engine.create({ type: 'HTTP', url, ...fields })
  // As docs/operating/regions.md says.
  const body = { regions, mode: 'EACH', ...more }
  const answer = await engine.api.put(`${EXT}/monitors/${id}/regions`, body)
  assert.equal(answer.status, 200, answer.text)
  await engine.until(id, ({ lastCheckedAt }) => lastCheckedAt !== null)
  assert.equal((await engine.check(id)).state, 'UP')
  return id
}

/** What each region said in the latest check, and how many results that check has. */
async function latest(id: string) {
  const rows = await engine.db.run<{ region: string; verdict: number; results: number }>(
    `select g.name as region, r.verdict,
            (select count(*)::int from results a where a.monitor_no = r.monitor_no and a.slot = r.slot) as results
       from region_results r join regions g on g.no = r.region join monitors m on m.no = r.monitor_no
      where m.id = $1 and r.slot = (select max(slot) from results where monitor_no = m.no) order by g.name`,
    [toUuid(id)],
  )
  return rows.map(({ region, verdict, results }) => `${region} ${verdict} ${results}`)
}

async function reasonsOf(id: string): Promise<string[]> {
  const rows = await engine.db.run<{ cause: string }>(
    `select about ->> 'cause' as cause from alert_troubles where monitor_id = $1 order by id`,
    [toUuid(id)],
  )
  return rows.map(({ cause }) => cause)
}

test('every check runs in every region, and has one result', async () => {
  const id = await watch()
  assert.deepEqual(await latest(id), ['site-a 0 1', 'site-b 0 1', 'site-c 0 1'])
  const monitor = await engine.checkSampled(id)
  const [row] = await engine.db.run<{ median: number }>(
    `select percentile_disc(0.5) within group (order by response_ms) as median
       from region_results where monitor_no = (select no from monitors where id = $1)
        and slot = (select max(slot) from region_results)`,
    [toUuid(id)],
  )
  assert.equal(monitor.lastResponseMs, row?.median)

  const log = await engine.api.get(`${EXT}/monitors/${id}/checks?limit=1`)
  type Line = { region: string | null; regions: { region: string; outcome: string }[] }
  const [line] = (log.json as { data: Line[] }).data
  assert.equal(line?.region, null)
  assert.deepEqual(
    line?.regions.map(({ region, outcome }) => `${region} ${outcome}`).toSorted(),
    SITES.map((site) => `${site} PASSED`),
  )
  const times = await engine.api.get(`${EXT}/monitors/${id}/response-times?region=site-b`)
  const { data } = times.json as { data: { passed: number; failed: number }[] }
  const passed = data.reduce((sum, step) => sum + step.passed, 0)
  assert.ok(passed >= 2, times.text)
  const nowhere = await engine.api.get(`${EXT}/monitors/${id}/response-times?region=mars`)
  assert.deepEqual((nowhere.json as { data: unknown[] }).data, [])
})

test('one of three fails: DEGRADED with the next check, and the text says which', async () => {
  const id = await watch()
  failing.add('site-b')
  assert.equal((await engine.check(id)).state, 'DEGRADED')
  assert.deepEqual(await engine.incidentsOf(id), [])
  assert.deepEqual(await latest(id), ['site-a 0 1', 'site-b 2 1', 'site-c 0 1'])
  assert.deepEqual(await reasonsOf(id), [
    'Down from 1 of 3 regions: site-b. Up from site-a and site-c',
  ])
  const types = (await engine.eventTypesOf(id)).filter((type) => type !== 'monitor.updated')
  assert.deepEqual(types, ['monitor.up', 'monitor.degraded'])
  failing.clear()
  assert.equal((await engine.check(id)).state, 'UP')
})

test('two of three fail: DOWN, and one message', async () => {
  const id = await watch()
  failing.add('site-a').add('site-c')
  assert.equal((await engine.check(id)).state, 'DOWN')
  const [incident, ...others] = await engine.incidentsOf(id)
  assert.deepEqual(others, [])
  assert.match(
    incident?.cause ?? '',
    /503.*\. Down from 2 of 3 regions: site-a and site-c\. Up from site-b$/,
  )
  assert.equal((await engine.check(id)).state, 'DOWN')
  assert.equal((await engine.incidentsOf(id)).length, 1)
  assert.equal((await reasonsOf(id)).length, 1)
  failing.delete('site-a')
  assert.equal((await engine.check(id)).state, 'DEGRADED')
  assert.notEqual((await engine.incidentsOf(id))[0]?.resolvedAt, null)
})

test('downWhen: one is enough, or all have to fail', async () => {
  const one = await watch({ downWhen: 1 })
  const all = await watch({ downWhen: 3 })
  failing.add('site-c')
  assert.equal((await engine.check(one)).state, 'DOWN')
  failing.add('site-a')
  assert.equal((await engine.check(all)).state, 'DEGRADED')
  failing.add('site-b')
  assert.equal((await engine.check(all)).state, 'DOWN')
})

test('a region that never reached the target is not counted while others pass', async () => {
  failing.clear()
  failing.add('site-c')
  const { id } = await engine.create({ type: 'HTTP', url })
  const body = { regions: SITES, mode: 'EACH', downWhen: 1 }
  assert.equal((await engine.api.put(`${EXT}/monitors/${id}/regions`, body)).status, 200)
  await engine.until(id, ({ lastCheckedAt }) => lastCheckedAt !== null)
  assert.equal((await engine.check(id)).state, 'UP')
  assert.deepEqual(await latest(id), ['site-a 0 1', 'site-b 0 1', 'site-c 2 1'])
  failing.clear()
  await engine.check(id)
  failing.add('site-c')
  assert.equal((await engine.check(id)).state, 'DOWN')
})

test('a region whose probe is gone is left out; the majority of the others decides', async () => {
  const id = await watch()
  await probes.get('site-c')?.kill()
  const since = performance.now()
  while ((await latest(id)).length !== 2) {
    assert.ok(performance.now() - since < 30_000, 'the region was not left out')
    await engine.checkRaw(id)
    await delay(500)
  }
  failing.add('site-a')
  assert.equal((await engine.check(id)).state, 'DEGRADED')
  failing.add('site-b')
  assert.equal((await engine.check(id)).state, 'DOWN')
  failing.clear()
  await startProbe('site-c')
  assert.equal((await engine.check(id)).state, 'UP')
})

test('a scheduler that is killed in the middle of checks records every slot once, with its regions', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await watch({}, { intervalSeconds: 30 }))
  const requests = ids.map((id) => engine.checkRaw(id).catch(() => undefined))
  await delay(3)
  await scheduler.kill()
  scheduler = await stack.start('scheduler')
  await Promise.all(requests)
  // One slot for each under the new owner.
  for (const id of ids) {
    const { lastCheckedAt: before } = await engine.api.getMonitor(id)
    const since = performance.now()
    while ((await engine.api.getMonitor(id)).lastCheckedAt === before) {
      assert.ok(performance.now() - since < 60_000, 'no slot ran')
      await delay(250)
    }
  }
  const wrong = await engine.db.run(
    `select m.id, r.slot, count(g.region)::int as regions
       from monitors m join results r on r.monitor_no = m.no
       left join region_results g on g.monitor_no = r.monitor_no and g.slot = r.slot
      where m.id = any ($1::uuid[]) and r.verdict in (0, 1, 2)
        and r.slot > m.created_at + interval '2 seconds'
      group by 1, 2 having count(g.region) not in (0, 3)`,
    [ids.map(toUuid)],
  )
  assert.deepEqual(wrong, [])
  const alone = await engine.db.run(
    `select from region_results g where not exists (
       select from results r where r.monitor_no = g.monitor_no and r.slot = g.slot)`,
  )
  assert.deepEqual(alone, [])
})
