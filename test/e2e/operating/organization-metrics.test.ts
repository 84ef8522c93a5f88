// An organization's own Prometheus: scrapes the running product with a key, and answers every query of the dashboard for
// users. The configuration is the one that is shipped.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readExposition, samplesOf } from '../../kit/exposition.ts'
import { startProduct } from '../../kit/fixture.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { hasData, queriesOf, startPrometheus } from './start-prometheus.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DAY_MS = 86_400_000
const JOB = 'upvane-monitors'
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const expressions = queriesOf(read('deploy/grafana/upvane-monitors.json'), {
  job: JOB,
  monitor: '.*',
})

const web = await startWeb()
const fixture = await startProduct({ command: 'start' })
const { api, db, keys, service, stack } = fixture
const files = {
  'prometheus.yml': read('deploy/prometheus/monitors.yml')
    .replace('60s', '1s')
    .replace('127.0.0.1:8080', new URL(service.baseUrl).host),
  'upvane-api-key': `${keys.readOnly}\n`,
}
const prometheus = await startPrometheus({ files, watched: stack.directory })
after(async () => {
  await prometheus.stop()
  await fixture.stop()
  await web.close()
})

test('promtool accepts the configuration and the metrics', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-promtool-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    promtool(['check', 'config', join(directory, 'prometheus.yml')], '')
  } finally {
    rmSync(directory, { recursive: true })
  }
  await api.createMonitor({ name: 'A "quoted"\nname', type: 'HTTP', url: web.page({}).url })
  // Not for the other dialect: Uptime Kuma counts days, which promtool would call seconds.
  const headers = { 'X-API-Key': keys.readOnly }
  const text = await (await fetch(`${service.baseUrl}/prometheus/metrics`, { headers })).text()
  promtool(['check', 'metrics'], text)
})

let shopId = ''
test('Prometheus prefers OpenMetrics, and reads what a check found', async () => {
  const { id } = await api.createMonitor({ name: 'Shop', type: 'HTTP', url: web.page({}).url })
  shopId = id
  const down = web.page({ status: 503 })
  await api.createMonitor({ name: 'Broken', type: 'HTTP', url: down.url, timeoutSeconds: 2 })
  await until('the first samples', async () => {
    const ups = await prometheus.query(`upvane_monitor_up{job="${JOB}"}`).catch(() => [])
    const of = (name: string) => ups.find(({ metric }) => metric['name'] === name)?.value[1]
    return of('Shop') === '1' && of('Broken') === '0'
  })
  const [info] = await prometheus.query(`upvane_monitor_info{id="${id}"}`)
  assert.match(info?.metric['target'] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/page-/)
  const known = await prometheus.read<Record<string, { type: string }[]>>('metadata')
  // Only OpenMetrics knows this type.
  assert.equal(
    known['upvane_monitor_info']?.[0]?.type ?? known['upvane_monitor']?.[0]?.type,
    'info',
  )
  const [open] = await prometheus.query(`upvane_incidents_open{job="${JOB}"}`)
  assert.equal(open?.value[1], '1')
})

test('every query of the dashboard returns data', async () => {
  assert.ok(expressions.length >= 15)
  // As checks of a certificate and of a domain would have: no test reaches a registry.
  const expires = new Date(Date.now() + 40 * DAY_MS)
  await db.setMonitorStatus(shopId, { cert_expires_at: expires, domain_expires_at: expires })
  let missing = expressions
  await until('data for every query', async () => {
    const found = await Promise.all(missing.map((expr) => hasData(prometheus, expr)))
    missing = missing.filter((_, i) => !found[i])
    return missing.length === 0
  }).catch((error: unknown) => assert.fail(`${error}: ${missing.join('\n')}`))
})

test('what is scraped is what the API says', async () => {
  const headers = { 'X-API-Key': keys.readOnly }
  const text = await (await fetch(`${service.baseUrl}/prometheus/metrics`, { headers })).text()
  const states = new Map(
    samplesOf(readExposition(text), 'upvane_monitor_state').map(({ labels }) => [
      labels['id'],
      labels['state'],
    ]),
  )
  const list = (await api.get('/monitors?limit=100')).json as {
    data: { id: string; state: string }[]
  }
  assert.ok(list.data.length >= 3)
  for (const { id, state } of list.data) assert.equal(states.get(id), state)
})

function promtool(words: string[], input: string): void {
  const { status, stderr, stdout } = spawnSync('promtool', words, { input, encoding: 'utf8' })
  assert.equal(status, 0, `promtool ${words.join(' ')}: ${stdout}${stderr}`)
}
