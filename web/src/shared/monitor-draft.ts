// A monitor while it is edited. Typed values are kept as text, and only the fields of its type are sent.
import type { InputOf, ResponseOf } from '../api/contract.ts'
import { ApiProblem, type FieldProblem } from '../api/problem.ts'

type MonitorInput = InputOf<'POST /monitors'>['body']
export type MonitorView = ResponseOf<'GET /monitors/{monitorId}'>
export type MonitorDraftType = MonitorInput['type']

type Texts =
  | 'port'
  | 'expectedStatus'
  | 'requestHeaders'
  | 'requestBody'
  | 'keyword'
  | 'dnsExpected'
  | 'sslExpiryThresholdDays'
  | 'timeoutSeconds'
  | 'degradedThresholdMs'
  | 'degradedSamples'
  | 'url'
  | 'host'

export type MonitorDraft = Omit<MonitorInput, Texts | 'expectedPeriodSec' | 'graceSeconds'> &
  Record<Texts, string> & {
    isSlowDegraded: boolean
    /** CRON: minutes as typed. */
    graceMinutes: string
    /** CRON: seconds between pings. */
    periodSeconds: number
  }

export const EMPTY_DRAFT: MonitorDraft = {
  name: '',
  type: 'HTTP',
  url: '',
  host: '',
  port: '443',
  method: 'GET',
  expectedStatus: '200–206, 301, 302, 307, 308',
  requestHeaders: '',
  requestBody: '',
  followRedirects: true,
  verifySsl: true,
  keyword: '',
  keywordMatch: 'EXISTS',
  dnsRecordType: 'A',
  dnsExpected: '',
  dnsAlertOnChange: true,
  sslExpiryThresholdDays: '14',
  intervalSeconds: 60,
  timeoutSeconds: '30',
  periodSeconds: 86_400,
  graceMinutes: '5',
  isSlowDegraded: false,
  degradedThresholdMs: '1000',
  degradedThresholdMode: 'LAST',
  degradedSamples: '3',
}

export const isHttp = (type: MonitorDraftType): boolean => type === 'HTTP' || type === 'KEYWORD'
export const isNamed = (type: MonitorDraftType): boolean =>
  type === 'DNS' || type === 'SSL' || type === 'DOMAIN'
export const isHost = (type: MonitorDraftType): boolean => type === 'PING' || type === 'PORT'

/** The request body. For text that is not a number or list, throws the same problem as the server would. */
export function toBody(draft: MonitorDraft): MonitorInput {
  const { isSlowDegraded: _slow, periodSeconds: _period, graceMinutes: _grace, ...rest } = draft
  const { type } = draft
  const problems: FieldProblem[] = []
  const body: MonitorInput = {
    ...rest,
    ...targetOf(draft, problems),
    ...requestOf(draft, problems),
    ...rhythmOf(draft, problems),
    keyword: type === 'KEYWORD' ? draft.keyword : null,
    dnsExpected: type === 'DNS' && draft.dnsExpected.trim() !== '' ? draft.dnsExpected : null,
  }
  if (problems.length === 0) return body
  const message = 'Some values are not valid.'
  throw new ApiProblem({ code: 'validation_error', message, details: problems })
}

/** Fields that the type does not use get their default, whatever was typed before. */
function whole(
  draft: MonitorDraft,
  path: Texts,
  problems: FieldProblem[],
  isUsed: boolean,
): number {
  const text = (isUsed ? draft : EMPTY_DRAFT)[path].trim()
  if (!/^\d{1,9}$/.test(text)) problems.push({ path, message: 'must be a whole number' })
  return Number(text)
}

function targetOf(draft: MonitorDraft, problems: FieldProblem[]) {
  const { type } = draft
  return {
    url: isHttp(type) ? withScheme(draft.url) : isNamed(type) ? draft.url.trim() : null,
    host: isHost(type) ? draft.host.trim() : null,
    port: type === 'PORT' ? whole(draft, 'port', problems, true) : null,
  }
}

function requestOf(draft: MonitorDraft, problems: FieldProblem[]) {
  const used = isHttp(draft.type) ? draft : EMPTY_DRAFT
  return {
    expectedStatus: toStatuses(used.expectedStatus, problems),
    requestHeaders: toHeaders(used.requestHeaders, problems),
    requestBody: used.requestBody === '' ? null : used.requestBody,
  }
}

function rhythmOf(draft: MonitorDraft, problems: FieldProblem[]) {
  const { type, periodSeconds } = draft
  const isCron = type === 'CRON'
  const isJudged = draft.isSlowDegraded && !isCron
  const number = (path: Texts, isUsed: boolean) => whole(draft, path, problems, isUsed)
  return {
    sslExpiryThresholdDays: number('sslExpiryThresholdDays', isNamed(type) || isHttp(type)),
    timeoutSeconds: number('timeoutSeconds', !isCron),
    graceSeconds: graceOf(isCron ? draft : EMPTY_DRAFT, problems),
    expectedPeriodSec: isCron ? periodSeconds : null,
    degradedThresholdMs: isJudged ? number('degradedThresholdMs', true) : null,
    degradedSamples: number('degradedSamples', isJudged),
  }
}

/** Minutes may have a fraction, because the API counts seconds. */
function graceOf({ graceMinutes }: MonitorDraft, problems: FieldProblem[]): number {
  const text = graceMinutes.trim().replace(',', '.')
  const seconds = Math.round(Number(text) * 60)
  if (text === '' || !Number.isFinite(seconds))
    problems.push({ path: 'graceSeconds', message: 'must be a number of minutes' })
  return seconds
}

const toMinutes = (seconds: number): string => String(Math.round((seconds / 60) * 100) / 100)

/** Parses `200–206, 301` into a list of codes. */
function toStatuses(text: string, problems: FieldProblem[]): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const codes = parts.flatMap((part) => {
    const range = /^(\d{3})(?:[-–](\d{3}))?$/.exec(part)
    const from = Number(range?.[1])
    const to = Number(range?.[2] ?? range?.[1])
    return range === null || to < from
      ? []
      : Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
  if (codes.length === 0 || parts.some((part) => !/^\d{3}([-–]\d{3})?$/.test(part)))
    problems.push({
      path: 'expectedStatus',
      message: 'must be codes or ranges, such as 200–206, 301',
    })
  return [...new Set(codes)]
}

/** Formats runs of codes as ranges. */
export function fromStatuses(codes: readonly number[]): string {
  const sorted = [...codes].sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const code of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && code === last[1] + 1) last[1] = code
    else runs.push([code, code])
  }
  const words = ([from, to]: [number, number]): string => {
    if (to > from + 1) return `${from}–${to}`
    return from === to ? `${from}` : `${from}, ${to}`
  }
  return runs.map(words).join(', ')
}

/** One `Name: value` per line. */
function toHeaders(text: string, problems: FieldProblem[]): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.some((line) => !line.includes(':')))
    problems.push({
      path: 'requestHeaders',
      message: 'must have one header per line, like Name: value',
    })
  const entries = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** An existing monitor, to edit or clone. */
export function toDraft(monitor: MonitorView): MonitorDraft {
  const headers = Object.entries(monitor.requestHeaders ?? {})
  const text = (value: string | number | null) => (value === null ? '' : String(value))
  return {
    ...EMPTY_DRAFT,
    name: monitor.name,
    type: monitor.type,
    url: text(monitor.url),
    host: text(monitor.host),
    port: text(monitor.port),
    method: monitor.method,
    expectedStatus: fromStatuses(monitor.expectedStatus),
    requestHeaders: headers.map(([name, value]) => `${name}: ${String(value)}`).join('\n'),
    requestBody: text(monitor.requestBody),
    followRedirects: monitor.followRedirects,
    verifySsl: monitor.verifySsl,
    keyword: text(monitor.keyword),
    keywordMatch: monitor.keywordMatch,
    dnsRecordType: (monitor.dnsRecordType ?? 'A') as MonitorDraft['dnsRecordType'],
    dnsExpected: text(monitor.dnsExpected),
    dnsAlertOnChange: monitor.dnsAlertOnChange,
    sslExpiryThresholdDays: text(monitor.sslExpiryThresholdDays),
    intervalSeconds: monitor.intervalSeconds,
    timeoutSeconds: text(monitor.timeoutSeconds),
    periodSeconds: monitor.expectedPeriodSec ?? monitor.intervalSeconds,
    graceMinutes: toMinutes(monitor.graceSeconds),
    isSlowDegraded: monitor.degradedThresholdMs !== null,
    degradedThresholdMs: text(monitor.degradedThresholdMs) || EMPTY_DRAFT.degradedThresholdMs,
    degradedThresholdMode: monitor.degradedThresholdMode,
    degradedSamples: text(monitor.degradedSamples),
  }
}

// Digits after the colon are a port: "example.com:8443" has no scheme.
const SCHEME = /^[a-z][a-z0-9+.-]*:\/*(?=\D)/i

/** Adds `https://` to what was typed without a scheme. */
export function withScheme(url: string): string {
  const text = url.trim()
  return text === '' || SCHEME.test(text) ? text : `https://${text}`
}

/** A suggested correction for a URL that has another scheme. Without one, `withScheme` adds it. */
export function urlProposal({ type, url }: MonitorDraft): string | undefined {
  const text = url.trim()
  if (!isHttp(type) || !SCHEME.test(text) || /^https?:\/\//i.test(text)) return undefined
  const proposal = `https://${text.replace(SCHEME, '')}`
  return URL.canParse(proposal) ? proposal : undefined
}
