// One check that opens an incident, followed through four processes by its trace.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startProduct } from '../../kit/fixture.ts'
import { attributeOf, type OtlpSpan, startOtlpReceiver } from '../../kit/otlp-receiver.ts'
import { readMetric } from '../../kit/read-metrics.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'

const STEPS = ['due', 'probe', 'result', 'state', 'incident', 'event', 'delivery']
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
// Part of every URL that a check, a webhook or a request of this test uses.
const SECRET = 'SECRET-IN-AN-ADDRESS'

const web = await startWeb()
const receiver = await startOtlpReceiver()
const fixture = await startProduct({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=upvane%20ops',
  },
})
const { api, stack, service } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
  await receiver.close()
})
const [, , dispatcher] = await Promise.all([
  stack.start('scheduler'),
  stack.start('probe'),
  stack.start('dispatcher'),
])

const named = (name: string) => receiver.spans.filter((span) => span.name === name)
const parentOf = ({ traceId, parentSpanId }: OtlpSpan): OtlpSpan | undefined =>
  receiver.spans.find((span) => span.traceId === traceId && span.spanId === parentSpanId)

test('a check that opens an incident is one trace of seven steps over three processes', async () => {
  const hook = web.page({})
  await api.createEndpoint({ url: hook.url, eventTypes: ['incident.opened'] })
  await api.createMonitor({
    name: 'Broken',
    type: 'HTTP',
    url: `${web.page({ status: 500 }).url}?key=${SECRET}`,
    intervalSeconds: 86_400,
    timeoutSeconds: 5,
  })
  await until('the last step', async () => named('delivery').length > 0)
  const [delivery] = named('delivery')
  assert.ok(delivery)
  const ofTrace = (name: string) =>
    named(name).filter(({ traceId }) => traceId === delivery.traceId).length
  await until(
    'the spans of the other processes',
    async () => ofTrace('due') === 1 && ofTrace('probe') > 0,
  )
  const trace = receiver.spans.filter(({ traceId }) => traceId === delivery.traceId)
  assert.deepEqual([...new Set(trace.map(({ name }) => name))].toSorted(), STEPS.toSorted())

  const line = ['delivery', 'event', 'incident', 'state', 'result', 'due']
  let span: OtlpSpan | undefined = delivery
  for (const name of line) {
    assert.equal(span?.name, name)
    span = span && parentOf(span)
  }
  assert.equal(span, undefined, 'due is the root')
  const attempts = trace.filter(({ name }) => name === 'probe')
  for (const attempt of attempts) {
    assert.equal(parentOf(attempt)?.name, 'due')
    assert.equal(attributeOf(attempt, 'upvane.cause'), 'UNEXPECTED_STATUS')
  }
  const processes = new Set(trace.map(({ resource }) => resource['process.pid']))
  assert.equal(processes.size, 3, 'scheduler, probe and dispatcher')
  assert.equal(attributeOf(delivery, 'upvane.outcome'), 'SUCCEEDED')
})

test('a request continues the trace of its caller, and one that is not sampled is not recorded', async () => {
  const get = (traceparent: string) =>
    fetch(`${service.baseUrl}/api/v1/monitors?name=${SECRET}`, {
      headers: { 'X-API-Key': fixture.keys.full, traceparent },
    })
  await get(`00-${TRACE_ID.replace('4b', '5c')}-${PARENT}-00`)
  const { headers } = await get(`00-${TRACE_ID}-${PARENT}-01`)
  const span = await until('the span', async () =>
    named('request').find(({ traceId }) => traceId === TRACE_ID),
  )
  assert.equal(span.parentSpanId, PARENT)
  assert.equal(attributeOf(span, 'upvane.operation'), 'listMonitors')
  assert.equal(attributeOf(span, 'http.response.status_code'), '200')
  assert.equal(attributeOf(span, 'upvane.request.id'), headers.get('x-request-id'))
  assert.equal(receiver.spans.filter(({ traceId }) => traceId.startsWith('5cf9')).length, 0)
})

test('hostile trace headers change nothing', async () => {
  const bad = [
    '',
    '00',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `ff-${TRACE_ID}-${PARENT}-01`,
    'x'.repeat(8000),
  ]
  for (const traceparent of bad) {
    const response = await fetch(`${service.baseUrl}/api/v1/monitors`, {
      headers: { 'X-API-Key': fixture.keys.full, traceparent },
    })
    assert.equal(response.status, 200, traceparent.slice(0, 60))
  }
})

test('no secret is in a trace: no query, no heartbeat token, no key', async () => {
  const cron = { name: 'Job', type: 'CRON', expectedPeriodSec: 3600, graceSeconds: 60 }
  const { heartbeatUrl = '' } = await api.createMonitor(cron)
  await fetch(heartbeatUrl ?? '')
  await until('its span', async () =>
    named('request').some((span) => attributeOf(span, 'http.route') === '/hb'),
  )
  const all = receiver.bodies.join('\n')
  const token = (heartbeatUrl ?? '').split('/').at(-1) ?? ''
  assert.ok(token.length > 15)
  for (const secret of [SECRET, token, fixture.keys.full]) assert.ok(!all.includes(secret), secret)
  assert.equal(receiver.headers['x-team'], 'upvane ops')
  assert.deepEqual(receiver.problems, [])
})

test('a collector that is gone delays nobody, and what is dropped is counted', async () => {
  await receiver.close()
  const startedMs = performance.now()
  await api.createMonitor({
    name: 'After',
    type: 'HTTP',
    url: web.page({}).url,
    intervalSeconds: 60,
  })
  assert.ok(performance.now() - startedMs < 2000)
  await until('the count', async () => {
    const labels = { reason: 'EXPORT_FAILED' }
    return ((await readMetric(service, 'upvane_traces_dropped_total', labels)) ?? 0) > 0
  })
  assert.equal((await fetch(`${service.internalUrl}/readyz`)).status, 200)
  await delay(1200)
  assert.equal(await dispatcher.stop(), 0)
})
