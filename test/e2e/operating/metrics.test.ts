// Each metric that operators alert on: the test causes the event and reads the number where Prometheus would.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Service } from '../../../tools/stack.ts'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { readMetric, readSamples } from '../../kit/read-metrics.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'

const NO_RELAY = {
  SMTP_URL: 'smtp://127.0.0.1:1?tls=off',
  SMTP_FROM: 'upvane@upvane.example',
  OPERATOR_EMAIL: 'operator@example.com',
  SELF_HEARTBEAT_SECONDS: '1',
}

const web = await startWeb()
const fixture = await startProduct()
const { api, stack, service } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const http = (script: Parameters<typeof web.page>[0], fields: Record<string, unknown> = {}) =>
  api.createMonitor({
    name: 'Watched',
    type: 'HTTP',
    url: web.page(script).url,
    intervalSeconds: 86_400,
    timeoutSeconds: 5,
    ...fields,
  })
const reaches = (
  of: Service,
  name: string,
  labels: Record<string, string>,
  isEnough: (value: number) => boolean,
) =>
  until(`${name} ${JSON.stringify(labels)}`, async () => {
    const value = await readMetric(of, name, labels)
    return value !== undefined && isEnough(value)
  })
const atLeast = (least: number) => (value: number) => value >= least
const exactly = (wanted: number) => (value: number) => value === wanted

test('mail: the operator cannot be reached because the relay is away', async () => {
  // No scheduler is running yet, which is what the operator would be notified of.
  const janitor = await stack.start('janitor', { env: NO_RELAY })
  await reaches(janitor, 'upvane_mail_failures_total', { kind: 'operator' }, atLeast(1))
  await reaches(janitor, 'upvane_database_size_bytes', {}, atLeast(5_000_000))
  await reaches(janitor, 'upvane_partition_days_ahead', {}, exactly(7))
  await janitor.stop()
})

test('deliveries: those that wait are counted', async () => {
  const { id } = await api.createEndpoint({ url: web.page('SILENCE').url })
  for (let i = 0; i < 6; i++) await api.testEndpoint(id)
  const dispatcher = await stack.start('dispatcher')
  await reaches(dispatcher, 'upvane_deliveries_due', {}, exactly(6))
  await dispatcher.kill()
})

test('slots that a change of a monitor writes off are counted once it is saved', async () => {
  const { id } = await http({}, { intervalSeconds: 30 })
  const makeLate = () =>
    fixture.db.run(
      `update monitor_states set next_due_at = now() - interval '10 minutes'
        where monitor_no = (select no from monitors where id = $1)`,
      [toUuid(id)],
    )
  const counted = async () => {
    const labels = { reason: 'ENGINE_DOWN' }
    const [row] = await fixture.db.run<{ n: number }>(
      `select coalesce(sum(count), 0)::int as n from missed where reason = 'ENGINE_DOWN'`,
    )
    const metric = (await readMetric(service, 'upvane_slots_missed_total', labels)) ?? 0
    assert.equal(metric, row?.n)
    return metric
  }
  await makeLate()
  const url = web.page({}).url
  assert.equal((await api.patch(`/monitors/${id}`, { url, intervalSeconds: 1 })).status, 400)
  assert.equal(await counted(), 0)
  assert.equal((await api.patch(`/monitors/${id}`, { url })).status, 200)
  const afterEdit = await counted()
  assert.ok(afterEdit >= 18)
  await makeLate()
  await api.post(`/monitors/${id}/pause`, {})
  assert.ok((await counted()) >= afterEdit + 18)
})

let scheduler: Service
test('slots that nobody could check are counted with their reason', async () => {
  const { id } = await http({}, { intervalSeconds: 30 })
  await fixture.db.run(
    `update monitor_states set next_due_at = next_due_at - interval '10 minutes'
      where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(id)],
  )
  scheduler = await stack.start('scheduler')
  const probe = await stack.start('probe')
  await reaches(scheduler, 'upvane_slots_missed_total', { reason: 'ENGINE_DOWN' }, atLeast(18))
  await probe.stop()
})

test('a probe counts its attempts, what is in flight, and what it refused', async () => {
  const probe = await stack.start('probe', { env: { PROBE_CAPACITY: '1' } })
  await reaches(scheduler, 'upvane_live_probes', { region: 'default' }, exactly(1))
  const ok = await http({})
  await reaches(probe, 'upvane_probe_attempts_total', { type: 'HTTP', outcome: 'OK' }, atLeast(1))
  await http('SILENCE', { timeoutSeconds: 2 })
  await reaches(probe, 'upvane_probe_in_flight', {}, exactly(1))
  await api.post(`/monitors/${ok.id}/check`, {})
  await reaches(probe, 'upvane_probe_busy_total', {}, atLeast(1))
  await reaches(
    probe,
    'upvane_probe_attempts_total',
    { type: 'HTTP', outcome: 'FAILED' },
    atLeast(1),
  )
  const verdicts = { region: 'default', verdict: 'PASSED' }
  await reaches(scheduler, 'upvane_checks_total', verdicts, atLeast(1))
  await reaches(scheduler, 'upvane_checks_total', { ...verdicts, verdict: 'FAILED' }, atLeast(1))

  await probe.kill()
  await reaches(scheduler, 'upvane_live_probes', { region: 'default' }, exactly(0))
})

test('heartbeats and status pages are counted by status', async () => {
  const cron = { name: 'Job', type: 'CRON', expectedPeriodSec: 3600, graceSeconds: 60 }
  const { heartbeatUrl } = await api.createMonitor(cron)
  await fetch(heartbeatUrl ?? '')
  await fetch(`${service.baseUrl}/hb/0123456789abcdef0123456789abcdef`)
  await fetch(`${service.baseUrl}/status/no-such-page`)
  await reaches(service, 'upvane_heartbeat_requests_total', { status: '200' }, exactly(1))
  await reaches(service, 'upvane_heartbeat_requests_total', { status: '404' }, exactly(1))
  await reaches(service, 'upvane_page_requests_total', { status: '404' }, exactly(1))
})

test('the bus: lost and found again', async () => {
  for (const each of [service, scheduler])
    await reaches(each, 'upvane_bus_connected', {}, exactly(1))
  await stack.nats?.kill()
  for (const each of [service, scheduler])
    await reaches(each, 'upvane_bus_connected', {}, exactly(0))
  await stack.nats?.restart()
  for (const each of [service, scheduler])
    await reaches(each, 'upvane_bus_connected', {}, exactly(1))
})

test("every process with a database compares its clock with the database's", async () => {
  for (const each of [service, scheduler])
    await reaches(each, 'upvane_clock_offset_seconds', {}, (value) => Math.abs(value) < 1)
})

test('no metric has many series', async () => {
  for (const each of [service, scheduler]) {
    const samples = await readSamples(each)
    const counts = Map.groupBy(samples, ({ name }) => name)
    for (const [name, series] of counts)
      assert.ok(series.length < 300, `${name} has ${series.length} series`)
  }
})
