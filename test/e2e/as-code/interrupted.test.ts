// An apply that is killed at every single request, before or after the product took it, and started again each time.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type KillPoint, type SeenRequest, startBench, startKiller } from './bench.ts'

const RESOURCES = Number(process.env['AS_CODE_RESOURCES'] ?? 16)
const OTHERS = 10
const MAX_RUNS = 4 * RESOURCES + 100

const bench = await startBench()
after(() => bench.stop())

/** Of every kind, with relations that need requests of their own. */
function makeFile(): string {
  const monitors = Array.from({ length: RESOURCES - OTHERS }, (_, at) => {
    const more = at % 10 === 0 ? ', tags: [t1], contacts: [c1], paused: true' : ''
    return `  m${at}: { name: Monitor ${at}, type: CRON${more} }\n`
  })
  return `version: 1
source: shop
contacts:
  c1: { name: C1, channel: TELEGRAM, settings: { chatId: "1", botToken: planted } }
  c2: { name: C2, channel: TELEGRAM, settings: { chatId: "2", botToken: planted } }
tags: { t1: { name: T1 }, t2: { name: T2 } }
monitors:
${monitors.join('')}statusPages:
  p1: { name: P1, monitors: [m0, m1] }
  p2: { name: P2, sections: [{ name: A, components: [{ monitor: m2 }, { name: By hand }] }] }
maintenanceWindows:
  w1: { name: W1, startsAt: 2036-12-07T02:00:00Z, endsAt: 2036-12-07T03:00:00Z, monitors: [m0] }
  w2: { name: W2, startsAt: 2036-12-07T02:00:00Z, endsAt: 2036-12-07T03:00:00Z, allMonitors: true, statusPages: [p1] }
webhookEndpoints:
  e1: { url: https://ops.example.com/1 }
  e2: { url: https://ops.example.com/2 }
`
}

test(`kill -9 at every request of an apply of ${RESOURCES} resources: exactly those, none twice`, async (t) => {
  const { key } = await bench.product.createOrganization()
  const file = bench.write('upvane.yaml', makeFile())
  const killed = new Set<string>()
  let isAlive = true
  const decide = ({ signature }: SeenRequest): KillPoint => {
    if (!isAlive || killed.has(signature)) return 'pass'
    killed.add(signature)
    isAlive = false
    return killed.size % 2 === 0 ? 'before' : 'after'
  }
  const killer = await startKiller(bench.product.service.baseUrl, decide)
  t.after(killer.close)
  let runs = 0
  for (let code: number | null = null; code !== 0; runs++) {
    assert.ok(runs < MAX_RUNS, `it never ends: ${killed.size} requests seen`)
    isAlive = true
    const ended = await killer.run(['apply', '--yes', '-f', file], { UPVANE_API_KEY: key })
    code = ended.code
    // Without a code it was killed.
    assert.ok(code === null || code === 0, `${code} ${ended.stdout} ${ended.stderr}`)
  }
  t.diagnostic(`${killed.size} kills in ${runs} runs`)
  assert.ok(killed.size >= RESOURCES)

  const api = bench.client(key)
  type Listed = { data: { name: string }[] }
  const names = [
    ...(await api.request<Listed>('GET', '/api/ext/v1/alert-contacts')).data.map(
      ({ name }) => name,
    ),
    ...(await api.request<Listed>('GET', '/api/ext/v1/tags')).data.map(({ name }) => name),
    ...(await api.monitors.list().all()).map(({ name }) => name),
    ...(await api.statusPages.list().all()).map(({ name }) => name),
    ...(await api.maintenanceWindows.list().all()).map(({ name }) => name),
    ...(await api.webhookEndpoints.list().all()).map(({ url }) => url),
  ]
  assert.equal(names.length, RESOURCES)
  assert.equal(new Set(names).size, RESOURCES)
  const planned = await bench.upv(key, ['plan', '--detailed-exitcode', '-f', file])
  assert.equal(planned.code, 0, planned.stdout)
})

test('Ctrl-C: stops after the request, says so, and continues later', async (t) => {
  const { key } = await bench.product.createOrganization()
  const file = bench.write('stopped.yaml', makeFile())
  let writes = 0
  let interrupt = (): void => undefined
  const decide = ({ method }: SeenRequest): KillPoint => {
    if (method === 'POST' && ++writes === 10) interrupt()
    return 'pass'
  }
  const killer = await startKiller(bench.product.service.baseUrl, decide)
  t.after(killer.close)
  const running = killer.start(['apply', '--yes', '-f', file], { UPVANE_API_KEY: key })
  interrupt = () => void running.process.kill('SIGINT')
  const { code, stderr } = await running.ended
  assert.equal(code, 1)
  assert.match(stderr, /interrupted\. Apply again to continue/)
  const made = (await bench.client(key).monitors.list().all()).length
  assert.ok(made < 15, `${made} monitors`)
  assert.equal((await bench.upv(key, ['apply', '--yes', '-f', file])).code, 0)
})
