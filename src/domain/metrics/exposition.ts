// The text that Prometheus reads: format 0.0.4, and OpenMetrics for scrapers that prefer it.

export type ExpositionFormat = 'TEXT' | 'OPENMETRICS'

export const EXPOSITION_TYPES: Record<ExpositionFormat, string> = {
  TEXT: 'text/plain; version=0.0.4; charset=utf-8',
  OPENMETRICS: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export type MetricFamily<Row> = {
  name: string
  help: string
  /** The name of an info metric ends in `_info`. */
  kind: 'gauge' | 'info'
  /** Its lines for one row, each with a line feed. Empty if it has none. */
  linesOf(row: Row): string
}

/**
 * One family after the other, as both formats require. Each part is a whole family, so that the caller can let other
 * work run in between.
 */
export function* renderFamilies<Row>(
  families: readonly MetricFamily<Row>[],
  rows: readonly Row[],
  format: ExpositionFormat,
): Generator<string> {
  for (const family of families) {
    let text = headerOf(family, format)
    for (const row of rows) text += family.linesOf(row)
    yield text
  }
  if (format === 'OPENMETRICS') yield '# EOF\n'
}

const INFO_SUFFIX = '_info'

/** OpenMetrics names an info family without its suffix; 0.0.4 has no such type. */
function headerOf(
  { name, help, kind }: Omit<MetricFamily<unknown>, 'linesOf'>,
  format: ExpositionFormat,
): string {
  const isInfo = kind === 'info' && format === 'OPENMETRICS'
  const family = isInfo ? name.slice(0, -INFO_SUFFIX.length) : name
  return `# HELP ${family} ${help}\n# TYPE ${family} ${isInfo ? 'info' : 'gauge'}\n`
}

/** `id="mon_1",name="Shop"`, in the given order. */
export function toLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

const SUPPORTED_VERSIONS = new Set(['', '1.0.0', '0.0.1'])

/** OpenMetrics only if the client prefers it. Version 0.0.1 is 1.0.0 before it was published. */
export function chooseExpositionFormat(accept: string): ExpositionFormat {
  let [plain, open] = [0, 0]
  for (const entry of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const quality = qualityOf(parameters)
    if (type === 'text/plain' || type === 'text/*' || type === '*/*')
      plain = Math.max(plain, quality)
    if (type === 'application/openmetrics-text' && SUPPORTED_VERSIONS.has(versionOf(parameters)))
      open = Math.max(open, quality)
  }
  return open > plain ? 'OPENMETRICS' : 'TEXT'
}

function qualityOf(parameters: readonly string[]): number {
  const quality = Number(parameterOf(parameters, 'q') ?? 1)
  return quality >= 0 && quality <= 1 ? quality : 0
}

const versionOf = (parameters: readonly string[]): string =>
  parameterOf(parameters, 'version') ?? ''

function parameterOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1)
}
