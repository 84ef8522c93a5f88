// Alerts by email and by a provider are the last step in the trace of the check that found the outage.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { attributeOf, startOtlpReceiver } from '../../kit/otlp-receiver.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const web = await startWeb()
const receiver = await startOtlpReceiver()
const fixture = await startAlertFixture({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })
const { api, standIn, sink, until } = fixture
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
after(async () => {
  await fixture.stop()
  await web.close()
  await receiver.close()
})

const deliveries = () => receiver.spans.filter(({ name }) => name === 'delivery')
const LINE = ['event', 'incident', 'state', 'result', 'due']

test('alerts by email and by a provider end the trace of their check; the recovery is not part of it', async () => {
  await fixture.createContact({ channel: 'EMAIL', settings: { address: 'ops@example.com' } })
  const url = `${standIn.origin}/own/traced`
  await fixture.createContact({ channel: 'WEBHOOK', settings: { url } })
  const page = web.page({ status: 500 })
  const { id } = await api.createMonitor({
    name: 'Traced',
    type: 'HTTP',
    url: page.url,
    intervalSeconds: 86_400,
    timeoutSeconds: 5,
    expectedPeriodSec: null,
  })
  await until('the spans of both alerts', async () => deliveries().length >= 2)
  const channels = deliveries().map((span) => attributeOf(span, 'upvane.channel'))
  assert.deepEqual(channels.toSorted(), ['ALERT', 'EMAIL'])
  const [traceId] = deliveries().map((span) => span.traceId)
  await until('the spans of the scheduler', async () =>
    receiver.spans.some((span) => span.name === 'due' && span.traceId === traceId),
  )
  for (const delivery of deliveries()) {
    let span = delivery
    for (const name of LINE) {
      const parent = receiver.spans.find(
        (one) => one.traceId === span.traceId && one.spanId === span.parentSpanId,
      )
      assert.equal(parent?.name, name)
      if (parent !== undefined) span = parent
    }
    assert.equal(attributeOf(delivery, 'upvane.outcome'), 'SUCCEEDED')
  }

  page.become({})
  assert.equal((await api.post(`/monitors/${id}/check`, {})).monitor.state, 'UP')
  await until('the recovery', async () => sink.to('ops@example.com').length === 2)
  assert.equal(deliveries().filter((span) => span.traceId === traceId).length, 2)
  const all = receiver.bodies.join('\n')
  for (const secret of ['ops@example.com', url]) assert.ok(!all.includes(secret), secret)
})
