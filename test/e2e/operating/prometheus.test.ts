// The shipped alert rules and dashboard against a real Prometheus that scrapes a real service.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../../tools/services/ports.ts'
import { startStack } from '../../../tools/stack.ts'
import { until } from '../webhooks/fixture.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SHIPPED = join(ROOT, 'deploy/prometheus')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const run = promisify(execFile)

type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[] }
const panels = (JSON.parse(read('deploy/grafana/upvane.json')) as Dashboard).panels
const expressions = panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr.replaceAll('$job', 'upvane')),
)
const rules = read('deploy/prometheus/alerts.yml')
const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)

const directory = mkdtempSync(join(tmpdir(), 'upvane-prometheus-'))
cpSync(SHIPPED, directory, { recursive: true })
const stack = await startStack({ nats: false })
const service = await stack.start('start')
const port = await findFreePort()
const target = new URL(service.internalUrl).host
writeFileSync(
  join(directory, 'prometheus.yml'),
  read('deploy/prometheus/prometheus.yml')
    .replaceAll('15s', '1s')
    .replace('127.0.0.1:8099', target),
)
const prometheus = spawn(
  'prometheus',
  [
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ],
  // The directory's watchdog kills every process running in it.
  { stdio: 'ignore', cwd: stack.directory },
)
after(async () => {
  prometheus.kill('SIGTERM')
  if (prometheus.exitCode === null) await once(prometheus, 'exit')
  rmSync(directory, { recursive: true })
  await stack.stop()
})

async function sendQuery<T>(path: string): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
  const { status, data, error } = (await response.json()) as {
    status: string
    data: T
    error?: string
  }
  assert.equal(status, 'success', `${path}: ${error}`)
  return data
}

type Vector = { result: { value: [number, string] }[] }
const query = async (expr: string) =>
  (await sendQuery<Vector>(`query?query=${encodeURIComponent(expr)}`)).result

/** The names of metrics in a query, without the suffixes of histograms. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\bupvane_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )
}

test('promtool accepts the rules, and each fires for its cause and for nothing else', async () => {
  const inShipped = { cwd: SHIPPED }
  await run('promtool', ['check', 'config', 'prometheus.yml'], inShipped)
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
  await until('the first scrape', async () => (await query('up{job="upvane"} == 1')).length > 0)
  const known = await sendQuery<Record<string, unknown>>('metadata')
  const named = new Set([rules, ...expressions].flatMap(metricsIn))
  assert.ok(named.size > 30)
  assert.deepEqual(
    [...named].filter((name) => known[name] === undefined),
    [],
  )
  assert.equal(known['upvane_no_such_metric'], undefined)
})

test('every query of the dashboard is one that Prometheus can evaluate', async () => {
  assert.ok(expressions.length > 25)
  for (const expr of expressions) await query(expr)
})

test('a healthy service raises no alert, and one that is killed does', async () => {
  type Alerts = { alerts: { labels: { alertname: string } }[] }
  const raised = async () =>
    (await sendQuery<Alerts>('alerts')).alerts.map(({ labels }) => labels.alertname)
  await until('quiet', async () => (await raised()).length === 0)
  const { groups } = await sendQuery<{ groups: { rules: { name: string; health: string }[] }[] }>(
    'rules',
  )
  const evaluated = groups.flatMap((group) => group.rules)
  assert.deepEqual(
    evaluated.map(({ name, health }) => `${name} ${health}`),
    alerts.map((name) => `${name} ok`),
  )
  await service.kill()
  await until('the alert', async () => (await raised()).includes('UpvaneProcessDown'))
})
