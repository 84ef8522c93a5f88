// Where traces go, by the standard OpenTelemetry variables. Without an endpoint there are none.

type Bounds = { fallback: number; min: number; max: number }
type Read = {
  url(name: string, protocols: readonly string[], fallback: string): string
  list(name: string): string[]
  text(name: string, fallback: string): string
  integer(name: string, bounds: Bounds): number
  problems: string[]
}

export type TraceConfig = Readonly<{
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  /** 0 to 1: the share of traces that are recorded. */
  ratio: number
}>

export function readTraceConfig(read: Read): TraceConfig | undefined {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], '')
  const headers = readHeaders(read)
  const serviceName = read.text('OTEL_SERVICE_NAME', 'upvane')
  const ratio = Number(read.text('OTEL_TRACES_SAMPLER_ARG', '1'))
  if (!(ratio >= 0 && ratio <= 1))
    read.problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return endpoint === '' ? undefined : { endpoint, headers, serviceName, ratio }
}

/** `name=value,name=value`, values percent-encoded. */
function readHeaders(read: Read): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of read.list('OTEL_EXPORTER_OTLP_HEADERS')) {
    const mark = pair.indexOf('=')
    const value = decode(pair.slice(mark + 1))
    if (mark < 1 || value === undefined)
      read.problems.push('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas')
    else headers[pair.slice(0, mark).trim()] = value.trim()
  }
  return headers
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
