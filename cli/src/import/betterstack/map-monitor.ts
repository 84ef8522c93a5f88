// A monitor of Better Stack.
import {
  hostnameIn,
  portIn,
  setHost,
  setHttpUrl,
  setNamedTarget,
  setPort,
} from '../common/address.ts'
import { ItemDraft } from '../common/draft.ts'
import { addBasicAuth, addHeader, setBody, setMethod } from '../common/headers.ts'
import { dropAll, setName, setNumber, setText } from '../common/limits.ts'
import { setStatuses } from '../common/status-codes.ts'
import {
  exactTextOf,
  flagOf,
  listOf,
  numberOf,
  rowsOf,
  type SourceRow,
  textOf,
} from '../common/values.ts'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['status', 'HTTP'],
  ['expected_status_code', 'HTTP'],
  ['keyword', 'KEYWORD'],
  ['keyword_absence', 'KEYWORD'],
  ['ping', 'PING'],
  ['tcp', 'PORT'],
  ['dns', 'DNS'],
])
const WEB_TYPES: ReadonlySet<string> = new Set(['HTTP', 'KEYWORD'])
const PORTS: ReadonlyMap<string, number> = new Map([
  ['smtp', 25],
  ['pop', 110],
  ['imap', 143],
])
const MAX_KEYWORD = 500
const MAX_EXPECTED = 2000
const OTHERWISE =
  'Upvane decides otherwise: it confirms a failure within one check, and alerts contacts.'

export function draftMonitor(row: SourceRow, nearest: boolean): ItemDraft {
  const draft = new ItemDraft()
  const given = textOf(row, 'monitor_type')
  setName(draft, textOf(row, 'pronounceable_name') || hostnameIn(textOf(row, 'url')) || '')
  const type = TYPES.get(given)
  if (type === undefined) refuseType(draft, row, given, nearest)
  else draft.set('type', type)
  if (type !== undefined) mapTarget(draft, row, type)
  setNumber(draft, 'intervalSeconds', numberOf(row, 'check_frequency'))
  mapTimeout(draft, row, type)
  if (isPaused(row)) draft.set('paused', true)
  dropAll(draft, unplaced(row), OTHERWISE)
  return draft
}

export const isPaused = (row: SourceRow): boolean =>
  textOf(row, 'paused_at') !== '' ||
  flagOf(row, 'paused') === true ||
  textOf(row, 'status') === 'paused'

function mapTarget(draft: ItemDraft, row: SourceRow, type: string): void {
  if (WEB_TYPES.has(type)) mapHttp(draft, row, textOf(row, 'monitor_type'))
  if (type === 'PING' || type === 'PORT') setHost(draft, textOf(row, 'url'))
  if (type === 'PORT') setPort(draft, numberOf(row, 'port') ?? portIn(textOf(row, 'url')))
  if (type === 'DNS') mapDns(draft, row)
}

/** In milliseconds, except for web addresses. */
function mapTimeout(draft: ItemDraft, row: SourceRow, type: string | undefined): void {
  const timeout = numberOf(row, 'request_timeout')
  if (timeout === undefined) return
  const isWeb = type !== undefined && WEB_TYPES.has(type)
  setNumber(draft, 'timeoutSeconds', isWeb ? timeout : timeout / 1000)
}

function refuseType(draft: ItemDraft, row: SourceRow, given: string, nearest: boolean): void {
  const port = numberOf(row, 'port') ?? PORTS.get(given)
  if (!nearest || port === undefined || !PORTS.has(given))
    return draft.refuse(`Upvane has no monitor of type "${given.slice(0, 40)}".`)
  draft.set('type', 'PORT')
  setHost(draft, textOf(row, 'url'))
  setPort(draft, port)
  draft.change(
    'monitor_type',
    given,
    'PORT',
    '--nearest was given: only the connection is checked.',
  )
}

/** The URL is the server that is asked, the body the name it is asked for. */
function mapDns(draft: ItemDraft, row: SourceRow): void {
  setNamedTarget(draft, textOf(row, 'request_body'))
  setText(draft, 'dnsExpected', textOf(row, 'required_keyword'), MAX_EXPECTED)
  dropAll(draft, { 'DNS server': textOf(row, 'url') }, 'Upvane uses the resolvers of its regions.')
}

function mapHttp(draft: ItemDraft, row: SourceRow, given: string): void {
  setHttpUrl(draft, textOf(row, 'url'))
  setMethod(draft, textOf(row, 'http_method'))
  addBasicAuth(draft, exactTextOf(row, 'auth_username'), exactTextOf(row, 'auth_password'))
  for (const header of rowsOf(row['request_headers']))
    addHeader(draft, textOf(header, 'name'), exactTextOf(header, 'value'))
  setBody(draft, exactTextOf(row, 'request_body'))
  if (given === 'expected_status_code') setStatuses(draft, listOf(row['expected_status_codes']))
  else setStatuses(draft, ['200-299'])
  if (given === 'keyword' || given === 'keyword_absence') {
    const keyword = exactTextOf(row, 'required_keyword')
    if (keyword.replaceAll('\0', '') === '') draft.refuse('It has no keyword.')
    setText(draft, 'keyword', keyword, MAX_KEYWORD)
    if (given === 'keyword_absence') draft.set('keywordMatch', 'NOT_EXISTS')
  }
  if (flagOf(row, 'follow_redirects') === false) draft.set('followRedirects', false)
  if (flagOf(row, 'verify_ssl') === false) draft.set('verifySsl', false)
  const days = numberOf(row, 'ssl_expiration') ?? -1
  if (days > 0) setNumber(draft, 'sslExpiryThresholdDays', days)
}

function unplaced(row: SourceRow): Record<string, unknown> {
  return {
    confirmation_period: numberOf(row, 'confirmation_period'),
    recovery_period: numberOf(row, 'recovery_period'),
    regions: listOf(row['regions']),
    ip_version: textOf(row, 'ip_version'),
    policy_id: textOf(row, 'policy_id'),
    call: flagOf(row, 'call'),
    sms: flagOf(row, 'sms'),
    push: flagOf(row, 'push'),
    remember_cookies: flagOf(row, 'remember_cookies'),
    proxy_host: textOf(row, 'proxy_host'),
  }
}
