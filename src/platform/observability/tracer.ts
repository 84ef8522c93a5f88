// Records spans and exports them to an OpenTelemetry collector by OTLP over HTTP with JSON. Nothing waits for it: spans
// that the collector does not accept in time are dropped and counted. Callers hold a `Tracer | undefined`, so tracing
// costs nothing when off.
import { Counter, type Registry } from 'prom-client'
import type { TraceConfig } from '../config/trace-config.ts'
import { postJson } from '../post-json.ts'
import type { Log } from './log.ts'
import { newSpanId, newTraceId, nowMs, type SpanContext } from './trace-context.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>
type SpanKind = 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER'

/** A finished span. Times are Unix milliseconds with fractions. */
type Recorded = SpanContext & {
  parentSpanId?: string | undefined
  name: string
  kind: SpanKind
  startMs: number
  endMs: number
  attributes: Attributes
  failed?: boolean | undefined
}

export type Span = SpanContext & {
  /** Only the first call counts. */
  end(attributes?: Attributes, failed?: boolean): void
}

type SpanOptions = {
  kind?: SpanKind
  parent?: SpanContext | undefined
  startMs?: number
  attributes?: Attributes
}

const KINDS: Readonly<Record<SpanKind, number>> = {
  INTERNAL: 1,
  SERVER: 2,
  CLIENT: 3,
  PRODUCER: 4,
  CONSUMER: 5,
}
const STATUS_ERROR = 2
const MAX_QUEUED = 4096
const MAX_BATCH = 512
const MAX_TEXT = 200
const EXPORT_EVERY_MS = 1000
const EXPORT_TIMEOUT_MS = 5000
const STOP_TIMEOUT_MS = 2000
const RATIO_STEPS = 2 ** 32

type TracerOptions = TraceConfig & {
  registry: Registry
  log: Log
  version: string
}

export class Tracer {
  readonly #options: TracerOptions
  readonly #url: URL
  readonly #dropped: Counter
  readonly #exported: Counter
  readonly #timer: NodeJS.Timeout
  #queue: Recorded[] = []
  #exporting: Promise<void> | undefined
  #isFailing = false

  constructor(options: TracerOptions) {
    this.#options = options
    this.#url = new URL(`${options.endpoint.replace(/\/$/, '')}/v1/traces`)
    const registers = [options.registry]
    this.#dropped = new Counter({
      name: 'upvane_traces_dropped_total',
      help: 'Spans that were dropped, by reason: QUEUE_FULL or EXPORT_FAILED.',
      labelNames: ['reason'],
      registers,
    })
    this.#exported = new Counter({
      name: 'upvane_traces_exported_total',
      help: 'Spans the collector accepted.',
      registers,
    })
    this.#timer = setInterval(() => this.#export(), EXPORT_EVERY_MS)
    this.#timer.unref()
  }

  /** Undefined if this trace is not sampled. A parent's sender cannot raise our sampling ratio. */
  start(name: string, options: SpanOptions = {}): Span | undefined {
    const { parent, kind = 'INTERNAL', startMs = nowMs(), attributes = {} } = options
    const traceId = parent?.traceId ?? newTraceId()
    if (!this.isSampled(traceId)) return undefined
    const spanId = newSpanId()
    let hasEnded = false
    return {
      traceId,
      spanId,
      end: (more = {}, failed = false) => {
        if (hasEnded) return
        hasEnded = true
        const parentSpanId = parent?.spanId
        const all = { ...attributes, ...more }
        const times = { startMs, endMs: nowMs() }
        this.record({
          traceId,
          spanId,
          parentSpanId,
          name,
          kind,
          attributes: all,
          failed,
          ...times,
        })
      },
    }
  }

  /** Every process decides the same for the same trace. */
  isSampled(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) / RATIO_STEPS < this.#options.ratio
  }

  record(span: Recorded): void {
    if (this.#queue.length >= MAX_QUEUED) this.#dropped.inc({ reason: 'QUEUE_FULL' })
    else this.#queue.push(span)
  }

  /** Sends what is left, if the collector accepts it right away. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#export()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, STOP_TIMEOUT_MS)
    await Promise.race([this.#exporting, late])
    clearTimeout(timer)
  }

  #export(): void {
    if (this.#exporting !== undefined || this.#queue.length === 0) return
    const batch = this.#queue.splice(0, MAX_BATCH)
    this.#exporting = this.#send(batch).finally(() => {
      this.#exporting = undefined
      if (this.#queue.length >= MAX_BATCH && !this.#isFailing) this.#export()
    })
  }

  async #send(batch: readonly Recorded[]): Promise<void> {
    const { headers, log } = this.#options
    try {
      const body = JSON.stringify(toOtlp(batch, this.#options))
      const status = await postJson(this.#url, { headers, body, timeoutMs: EXPORT_TIMEOUT_MS })
      if (status < 200 || status > 299) throw new Error(`The collector answered with ${status}`)
      this.#exported.inc(batch.length)
      if (this.#isFailing) log.info('traces are exported again')
      this.#isFailing = false
    } catch (err) {
      this.#dropped.inc({ reason: 'EXPORT_FAILED' }, batch.length)
      if (!this.#isFailing) log.warn({ err }, 'traces cannot be exported and are dropped')
      this.#isFailing = true
    }
  }
}

function toOtlp(batch: readonly Recorded[], options: TracerOptions) {
  const { serviceName, version } = options
  const resource = {
    'service.name': serviceName,
    'service.version': version,
    'process.pid': process.pid,
  }
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: 'upvane', version }, spans: batch.map(toOtlpSpan) }],
      },
    ],
  }
}

function toOtlpSpan({ traceId, spanId, parentSpanId, ...span }: Recorded) {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanos(span.startMs),
    endTimeUnixNano: toNanos(Math.max(span.startMs, span.endMs)),
    attributes: toAttributes(span.attributes),
    status: span.failed ? { code: STATUS_ERROR } : {},
  }
}

/** As text: a JSON number cannot hold today's time in nanoseconds. */
const toNanos = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`

function toAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === undefined) return []
    return [{ key, value: toValue(value) }]
  })
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value.slice(0, MAX_TEXT) }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
