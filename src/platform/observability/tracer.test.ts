import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { readTraceparent, toTraceparent } from './trace-context.ts'
import { Tracer } from './tracer.ts'

const QUEUE = 4096
const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

function open(ratio: number) {
  const registry = new Registry()
  const log = pino({ level: 'silent' })
  const config = { endpoint: 'http://127.0.0.1:1', headers: {}, serviceName: 'test', ratio }
  return { registry, tracer: new Tracer({ ...config, registry, log, version: '0' }) }
}

test('the queue is bounded: what does not fit is dropped and counted at once', async () => {
  const { registry, tracer } = open(1)
  for (let i = 0; i < QUEUE + 10; i++) tracer.start('span')?.end()
  const text = await registry.metrics()
  assert.match(text, /^upvane_traces_dropped_total\{reason="QUEUE_FULL"\} 10$/m)
  const startedMs = performance.now()
  await tracer.stop()
  assert.ok(performance.now() - startedMs < 2500)
})

test('the share of traces is kept, and is the same decision in every process', async () => {
  const [one, other] = [open(0.25), open(0.25)]
  let sampled = 0
  for (let i = 0; i < 4000; i++) {
    const span = one.tracer.start('span')
    if (span !== undefined) sampled += 1
    if (span !== undefined) assert.ok(other.tracer.isSampled(span.traceId))
  }
  assert.ok(sampled > 800 && sampled < 1200, `${sampled}`)
  assert.equal(open(0).tracer.start('span', { parent: TRACE }), undefined)
})

for (const [text, why] of [
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'whole'],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', 'upper case'],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', 'zero trace'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', 'zero span'],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'another version'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g', 'flags'],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7', 'short'],
] as const)
  test(`traceparent: ${why}`, () => {
    const expected = why === 'whole' ? { ...TRACE, sampled: true } : undefined
    assert.deepEqual(readTraceparent(text), expected)
  })

test('traceparent: written and read again', () => {
  assert.deepEqual(readTraceparent(toTraceparent(TRACE)), { ...TRACE, sampled: true })
})
