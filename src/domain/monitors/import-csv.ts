// Monitors from a CSV file: the columns of the list's export, or as little as `name,url`.
import { type CsvRecord, parseCsv } from '../values/csv.ts'
import type { Problem } from '../values/problem.ts'
import { MONITOR_TYPES, type MonitorType, REQUIRED_FIELDS } from './monitor.ts'
import { distinctTagNames } from './tag.ts'

export const MAX_IMPORT_CHARACTERS = 1_000_000
export const MAX_IMPORT_ROWS = 1000
/** The most monitors that one request creates. */
export const IMPORT_ROUND = 50

const TEXT_COLUMNS = ['url', 'host', 'keyword', 'dnsExpected'] as const
const WORD_COLUMNS = ['method', 'keywordMatch', 'dnsRecordType'] as const
const NUMBER_COLUMNS = [
  'port',
  'intervalSeconds',
  'timeoutSeconds',
  'expectedPeriodSec',
  'graceSeconds',
  'sslExpiryThresholdDays',
] as const
const OTHER_COLUMNS = ['name', 'type', 'target', 'everySeconds', 'tags']
const KNOWN = new Set<string>([
  ...OTHER_COLUMNS,
  ...TEXT_COLUMNS,
  ...WORD_COLUMNS,
  ...NUMBER_COLUMNS,
])
/** In the export, and nothing that a new monitor could be given. */
const ONLY_EXPORTED = new Set([
  'id',
  'state',
  'since',
  'cause',
  'uptime30d',
  'p95ms',
  'lastresponsems',
  'lastcheckedat',
  'nextcheckat',
  'expiresat',
  'lastheartbeatat',
])

/** `draft` has the fields of the API, as far as the row gives them; they are not validated yet. */
export type ImportRow = {
  line: number
  draft: Record<string, unknown> & { name: string; type: MonitorType }
  tags: string[]
  problems: Problem[]
}
type Import = {
  rows: ImportRow[]
  /** Columns that mean nothing here. */
  ignored: string[]
  /** Of the file as a whole; there are no rows then. */
  problem: string | null
}

export function readImport(file: string): Import {
  const { records, problem } = parseCsv(file, MAX_IMPORT_ROWS + 1)
  const [head, ...body] = records
  const columns = head?.cells.map(toColumn) ?? []
  const wrong = problem ?? fileProblem(columns, body.length)
  if (wrong !== null) return { rows: [], ignored: [], problem: wrong }
  const ignored = (head?.cells ?? []).filter(
    (cell, at) => columns[at] === undefined && !ONLY_EXPORTED.has(cell.trim().toLowerCase()),
  )
  return { rows: body.map((record) => toRow(columns, record)), ignored, problem: null }
}

type Column = string | undefined

/** Column names may be written in any case. */
function toColumn(cell: string): Column {
  const name = cell.trim().toLowerCase()
  return [...KNOWN].find((known) => known.toLowerCase() === name)
}

function fileProblem(columns: readonly Column[], rows: number): string | null {
  if (!columns.includes('name')) return 'must begin with a line of column names, one of them name'
  if (rows === 0) return 'has no rows below the column names'
  return rows > MAX_IMPORT_ROWS ? `must have at most ${MAX_IMPORT_ROWS} rows` : null
}

type Values = Readonly<Record<string, string>>

function toRow(columns: readonly Column[], { line, cells }: CsvRecord): ImportRow {
  const values: Record<string, string> = {}
  for (const [at, column] of columns.entries())
    if (column !== undefined) values[column] = cells[at]?.trim() ?? ''
  const type = typeOf(values)
  const numbers = NUMBER_COLUMNS.flatMap((name) => numberOf(name, values[name] ?? ''))
  const draft = {
    name: values['name'] ?? '',
    type: type ?? 'HTTP',
    ...texts(values),
    ...Object.fromEntries(numbers.flatMap(({ entry }) => (entry ? [entry] : []))),
  }
  const problems = numbers.flatMap(({ problem }) => problem ?? [])
  if (type === undefined)
    problems.unshift({ path: 'type', message: `must be one of ${MONITOR_TYPES.join(', ')}` })
  const tags = distinctTagNames((values['tags'] ?? '').split(',')).filter((name) => name !== '')
  return { line, draft: withTarget(draft, values), tags, problems }
}

function typeOf({ type = '' }: Values): MonitorType | undefined {
  if (type === '') return 'HTTP'
  return MONITOR_TYPES.find((known) => known === type.toUpperCase())
}

function texts(values: Values): Record<string, string> {
  const given = (names: readonly string[], change: (text: string) => string) =>
    names.flatMap((name): [string, string][] => {
      const text = values[name] ?? ''
      return text === '' ? [] : [[name, change(text)]]
    })
  return Object.fromEntries([
    ...given(TEXT_COLUMNS, (text) => text),
    ...given(WORD_COLUMNS, (text) => text.toUpperCase()),
  ])
}

type ReadNumber = { entry?: [string, number]; problem?: Problem }

function numberOf(name: string, text: string): ReadNumber[] {
  if (text === '') return []
  if (!/^\d{1,9}$/.test(text))
    return [{ problem: { path: name, message: 'must be a whole number' } }]
  return [{ entry: [name, Number(text)] }]
}

/** `target` and `everySeconds` are how the list shows a monitor; its own fields win. */
function withTarget(draft: ImportRow['draft'], values: Values): ImportRow['draft'] {
  const { type } = draft
  const every = numberOf(
    type === 'CRON' ? 'expectedPeriodSec' : 'intervalSeconds',
    values['everySeconds'] ?? '',
  )
  const named = Object.fromEntries(every.flatMap(({ entry }) => (entry ? [entry] : [])))
  const whole = { ...named, ...targetFields(type, values['target'] ?? ''), ...draft }
  const { url } = whole as { url?: string }
  return url === undefined ? whole : { ...whole, url: withScheme(type, url) }
}

function targetFields(type: MonitorType, target: string): Record<string, unknown> {
  const needs = REQUIRED_FIELDS[type]
  if (target === '' || needs.length === 0) return {}
  if (needs.includes('url')) return { url: target }
  if (!needs.includes('port')) return { host: target }
  const colon = target.lastIndexOf(':')
  const port = target.slice(colon + 1)
  if (colon < 0 || !/^\d{1,5}$/.test(port)) return { host: target }
  return { host: target.slice(0, colon), port: Number(port) }
}

/** As in the form: a web address without a scheme is meant to be HTTPS. */
function withScheme(type: MonitorType, url: string): string {
  const isWeb = type === 'HTTP' || type === 'KEYWORD'
  return isWeb && !url.includes('://') ? `https://${url}` : url
}

type Identity = {
  name: string
  type: string
  url?: string | null
  host?: string | null
  port?: number | null
}

/** Two monitors with the same identity are the same one: importing a file again creates nothing twice. */
export const importKey = ({ name, type, url, host, port }: Identity): string =>
  JSON.stringify([name, type, url ?? null, host ?? null, port ?? null])
