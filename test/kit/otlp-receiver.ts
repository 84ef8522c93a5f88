// A small OpenTelemetry collector on loopback: it accepts OTLP over HTTP with JSON and rejects any other shape.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { listen } from './targets/listen.ts'

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
export type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status: { code?: number }
  /** The resource of the sending process. */
  resource: Record<string, string>
}
type Payload = {
  resourceSpans: {
    resource: { attributes: OtlpSpan['attributes'] }
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[]
  }[]
}

type OtlpReceiver = {
  endpoint: string
  spans: OtlpSpan[]
  /** Everything received, as text, and the headers of the last request. */
  bodies: string[]
  headers: Record<string, unknown>
  problems: string[]
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received = { spans: [] as OtlpSpan[], bodies: [] as string[], problems: [] as string[] }
  const receiver = { ...received, headers: {} as Record<string, unknown> }
  const server = createServer(async (request, response) => {
    const body = await readText(request)
    receiver.bodies.push(body)
    receiver.headers = request.headers
    try {
      assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces')
      assert.equal(request.headers['content-type'], 'application/json')
      receiver.spans.push(...readPayload(JSON.parse(body) as Payload))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    } catch (error) {
      receiver.problems.push(String(error))
      response.writeHead(400).end()
    }
  })
  const { port, close } = await listen(server)
  return Object.assign(receiver, { endpoint: `http://127.0.0.1:${port}`, close })
}

function readPayload({ resourceSpans }: Payload): OtlpSpan[] {
  assert.ok(Array.isArray(resourceSpans))
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const own = Object.fromEntries(
      resource.attributes.map(({ key, value }) => [key, textOf(value)]),
    )
    assert.ok(own['service.name'])
    return scopeSpans.flatMap(({ scope, spans }) => {
      assert.equal(scope.name, 'upvane')
      return spans.map((span) => ({ ...checkSpan(span), resource: own }))
    })
  })
}

/** The JSON mapping of OTLP: ids are nonzero hex, 64-bit numbers are strings, enumerations are numbers. */
function checkSpan(span: OtlpSpan): OtlpSpan {
  assert.match(span.traceId, /^(?!0{32})[0-9a-f]{32}$/)
  assert.match(span.spanId, /^(?!0{16})[0-9a-f]{16}$/)
  if (span.parentSpanId !== undefined) assert.match(span.parentSpanId, /^[0-9a-f]{16}$/)
  assert.ok(span.name.length > 0)
  assert.ok(Number.isInteger(span.kind) && span.kind >= 1 && span.kind <= 5)
  assert.match(span.startTimeUnixNano, /^\d{19}$/)
  assert.match(span.endTimeUnixNano, /^\d{19}$/)
  assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))
  for (const { key, value } of span.attributes) {
    assert.ok(key.length > 0)
    assert.equal(Object.keys(value).length, 1)
    if (value.intValue !== undefined) assert.equal(typeof value.intValue, 'string')
  }
  return span
}

const textOf = ({ stringValue, intValue, doubleValue, boolValue }: Value): string =>
  String(stringValue ?? intValue ?? doubleValue ?? boolValue)

export function attributeOf({ attributes }: OtlpSpan, key: string): string | undefined {
  const found = attributes.find((attribute) => attribute.key === key)
  return found && textOf(found.value)
}
