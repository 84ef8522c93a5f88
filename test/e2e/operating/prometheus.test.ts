// The shipped alert rules and dashboard for operators against a real Prometheus that scrapes a real service. Also runs the
// commands of alerts.md.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startProduct } from '../../kit/fixture.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'
import { hasData, queriesOf, startPrometheus } from './start-prometheus.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SHIPPED = join(ROOT, 'deploy/prometheus')
const ALL_DATA_MS = 120_000
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const run = promisify(execFile)

const expressions = queriesOf(read('deploy/grafana/upvane.json'), { job: 'upvane' })
const rules = read('deploy/prometheus/alerts.yml')
const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)

const web = await startWeb()
const fixture = await startProduct({ command: 'start' })
const { api, service, stack } = fixture
const config = read('deploy/prometheus/prometheus.yml')
  .replaceAll('15s', '1s')
  .replace('127.0.0.1:8099', new URL(service.internalUrl).host)
const prometheus = await startPrometheus({
  files: { 'prometheus.yml': config, 'alerts.yml': rules },
  watched: stack.directory,
})
after(async () => {
  await prometheus.stop()
  await fixture.stop()
  await web.close()
})

/** The names of metrics in a query, without the suffixes of histograms. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\bupvane_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )
}

test('promtool accepts the rules, and each fires for its cause and for nothing else', async () => {
  const inShipped = { cwd: SHIPPED }
  await run('promtool', ['check', 'config', 'prometheus.yml'], inShipped)
  await run('promtool', ['check', 'rules', 'alerts.yml'], inShipped)
  await run('promtool', ['test', 'rules', 'alerts.test.yml'], inShipped)
  const tests = read('deploy/prometheus/alerts.test.yml')
  for (const alert of alerts) {
    const cases = tests.split('alertname: ').filter((part) => part.startsWith(alert))
    assert.ok(cases.length >= 2, `${alert} needs a test that fires and one that does not`)
  }
})

test('every alert has a runbook where it says, and every runbook an alert', () => {
  const runbooks = [...read('docs/operating/alerts.md').matchAll(/^### (Upvane\w+)$/gm)]
  assert.deepEqual(
    runbooks.map(([, name]) => name),
    alerts,
  )
  for (const alert of alerts)
    assert.ok(rules.includes(`docs/operating/alerts.md#${alert.toLowerCase()}\n`), alert)
})

test('every metric in the rules and the dashboard exists in the service', async () => {
  await until('the first scrape', async () => {
    const scraped = await prometheus.query('up{job="upvane"} == 1').catch(() => [])
    return scraped.length > 0
  })
  const known = await prometheus.read<Record<string, unknown>>('metadata')
  const named = new Set([rules, ...expressions].flatMap(metricsIn))
  assert.ok(named.size > 30)
  assert.deepEqual(
    [...named].filter((name) => known[name] === undefined),
    [],
  )
  assert.equal(known['upvane_no_such_metric'], undefined)
})

test('every query of the dashboard returns data from a service that works', async () => {
  assert.ok(expressions.length > 25)
  // What a healthy service never counts is shown as 0 instead of as nothing.
  const shownAsZero = expressions.filter((expr) => expr.endsWith('or on () vector(0)'))
  assert.equal(shownAsZero.length, 4)

  await api.createMonitor({ name: 'Shop', type: 'HTTP', url: web.page({}).url })
  const job = await api.createMonitor({ name: 'Job', type: 'CRON', expectedPeriodSec: 300 })
  const endpoint = await api.createEndpoint({ url: web.page({}).url })
  // Some rates need two observations in different scrapes.
  const work = async () => {
    await api.testEndpoint(endpoint.id)
    await fetch(job.heartbeatUrl ?? '')
    await fetch(`${service.baseUrl}/status/no-such-page`)
    await delay(500)
  }
  let missing = expressions
  await until(
    'data for every query',
    async () => {
      await work()
      const found = await Promise.all(missing.map((expr) => hasData(prometheus, expr)))
      missing = missing.filter((_, i) => !found[i])
      return missing.length === 0
    },
    ALL_DATA_MS,
  ).catch((error: unknown) => assert.fail(`${error}: ${missing.join('\n')}`))
})

test('a healthy service raises no alert, and one that is killed does', async () => {
  type Alerts = { alerts: { labels: { alertname: string } }[] }
  const raised = async () =>
    (await prometheus.read<Alerts>('alerts')).alerts.map(({ labels }) => labels.alertname)
  await until('quiet', async () => (await raised()).length === 0)
  type Groups = { groups: { rules: { name: string; health: string }[] }[] }
  const { groups } = await prometheus.read<Groups>('rules')
  const evaluated = groups.flatMap((group) => group.rules)
  assert.deepEqual(
    evaluated.map(({ name, health }) => `${name} ${health}`),
    alerts.map((name) => `${name} ok`),
  )
  await service.kill()
  await until('the alert', async () => (await raised()).includes('UpvaneProcessDown'))
})
