// A monitor of Uptime Kuma.
import { setHost, setHttpUrl, setNamedTarget, setPort } from '../common/address.ts'
import { ItemDraft } from '../common/draft.ts'
import { addBasicAuth, addHeader, addHeaders, setBody, setMethod } from '../common/headers.ts'
import { dropAll, setName, setNumber, setText } from '../common/limits.ts'
import { setStatuses } from '../common/status-codes.ts'
import {
  exactTextOf,
  flagOf,
  jsonOf,
  listOf,
  numberOf,
  type SourceRow,
  textOf,
  toRow,
} from '../common/values.ts'

type KumaRules = {
  nearest: boolean
  /** Days before a certificate expires at which Uptime Kuma tells; the largest counts. */
  certificateDays: number
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['http', 'HTTP'],
  ['keyword', 'KEYWORD'],
  ['port', 'PORT'],
  ['ping', 'PING'],
  ['dns', 'DNS'],
  ['push', 'CRON'],
])
const RECORD_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'])
const BODY_TYPES: ReadonlyMap<string, string> = new Map([
  ['json', 'application/json'],
  ['form', 'application/x-www-form-urlencoded'],
  ['xml', 'application/xml'],
])
const REFUSED_AUTH: ReadonlySet<string> = new Set(['oauth2-cc', 'ntlm', 'mtls'])
const OUR_REDIRECTS = 10
const MAX_KEYWORD = 500
const MAX_EXPECTED = 2000
const NO_PLACE = 'Upvane has no such setting.'

/** What else of the row must be read or reported is up to the caller. */
export function draftMonitor(row: SourceRow, rules: KumaRules): ItemDraft {
  const draft = new ItemDraft()
  const given = textOf(row, 'type')
  setName(draft, textOf(row, 'name'))
  if (flagOf(row, 'upside_down', 'upsideDown') === true)
    draft.refuse('It is upside down: Upvane has no monitor that is up while its target is down.')
  const type = TYPES.get(given)
  if (type === undefined) refuseType(draft, row, given, rules)
  else {
    draft.set('type', type)
    mapByType(draft, row, type)
  }
  if (type === 'HTTP' || type === 'KEYWORD') mapHttp(draft, row, rules)
  if (type !== 'CRON') mapTimes(draft, row)
  if (flagOf(row, 'active') === false) draft.set('paused', true)
  dropAll(draft, unplaced(row), NO_PLACE)
  return draft
}

function refuseType(draft: ItemDraft, row: SourceRow, given: string, { nearest }: KumaRules): void {
  if (given === 'group')
    return draft.refuse('A group is not a monitor. Its members have its name as a tag.')
  const port = numberOf(row, 'port')
  const hostname = textOf(row, 'hostname')
  if (!nearest || hostname === '' || port === undefined)
    return draft.refuse(`Upvane has no monitor of type "${given.slice(0, 40)}".`)
  draft.set('type', 'PORT')
  setHost(draft, hostname)
  setPort(draft, port)
  draft.change('type', given, 'PORT', '--nearest was given: only the connection is checked.')
}

function mapByType(draft: ItemDraft, row: SourceRow, type: string): void {
  if (type === 'KEYWORD') {
    const keyword = exactTextOf(row, 'keyword')
    if (keyword.replaceAll('\0', '') === '') draft.refuse('It has no keyword.')
    setText(draft, 'keyword', keyword, MAX_KEYWORD)
    if (flagOf(row, 'invert_keyword', 'invertKeyword') === true)
      draft.set('keywordMatch', 'NOT_EXISTS')
  }
  if (type === 'PORT' || type === 'PING') setHost(draft, textOf(row, 'hostname'))
  if (type === 'PORT') setPort(draft, numberOf(row, 'port'))
  if (type === 'DNS') mapDns(draft, row)
  if (type === 'CRON') mapPush(draft, row)
}

function mapDns(draft: ItemDraft, row: SourceRow): void {
  setNamedTarget(draft, textOf(row, 'hostname'))
  const recordType = textOf(row, 'dns_resolve_type') || 'A'
  if (!RECORD_TYPES.has(recordType))
    draft.refuse(`Upvane does not check ${recordType.slice(0, 10)} records.`)
  draft.set('dnsRecordType', recordType)
  mapConditions(draft, listOf(jsonOf(row, 'conditions')))
  dropAll(draft, { dns_resolve_server: textOf(row, 'dns_resolve_server') }, NO_PLACE)
}

/** Anything but one record that must be there would be up although Uptime Kuma says that it is down. */
function mapConditions(draft: ItemDraft, conditions: readonly unknown[]): void {
  const [first, ...others] = conditions.map(toRow)
  if (first === undefined) return
  const text = ['variable', 'operator', 'value'].map((field) => textOf(first, field)).join(' ')
  const value = textOf(first, 'value')
  const isEquals = text === `record equals ${value}` && others.length === 0
  if (isEquals && isOneValue(value, draft.fields['dnsRecordType'] === 'TXT'))
    return draft.set('dnsExpected', value)
  const shown = others.length > 0 ? `${conditions.length} conditions` : text.trim().slice(0, 100)
  draft.refuse(`Upvane cannot check its condition: ${shown || 'a group of conditions'}.`)
}

/** Upvane takes a text with commas or lines as several values. */
function isOneValue(value: string, isText: boolean): boolean {
  const isSeveral = value.includes('\n') || (value.includes(',') && !isText)
  return value !== '' && !isSeveral && value.length <= MAX_EXPECTED
}

function mapPush(draft: ItemDraft, row: SourceRow): void {
  const interval = numberOf(row, 'interval') ?? 60
  const retries = numberOf(row, 'maxretries') ?? 0
  const retryInterval = numberOf(row, 'retry_interval', 'retryInterval') || interval
  setNumber(draft, 'expectedPeriodSec', interval)
  setNumber(draft, 'graceSeconds', retries * retryInterval)
}

function mapHttp(draft: ItemDraft, row: SourceRow, rules: KumaRules): void {
  setHttpUrl(draft, textOf(row, 'url'))
  setMethod(draft, textOf(row, 'method'))
  mapAuth(draft, row)
  const headers = jsonOf(row, 'headers')
  if (headers === undefined && textOf(row, 'headers') !== '')
    draft.refuse('Its headers are not JSON.')
  addHeaders(draft, toRow(headers))
  const encoding = textOf(row, 'http_body_encoding', 'httpBodyEncoding')
  setBody(draft, exactTextOf(row, 'body'), BODY_TYPES.get(encoding))
  setStatuses(draft, listOf(jsonOf(row, 'accepted_statuscodes_json', 'accepted_statuscodes')))
  mapRedirects(draft, numberOf(row, 'maxredirects'))
  if (flagOf(row, 'ignore_tls', 'ignoreTls') === true) draft.set('verifySsl', false)
  if (flagOf(row, 'expiry_notification', 'expiryNotification') === true)
    setNumber(draft, 'sslExpiryThresholdDays', rules.certificateDays)
}

function mapAuth(draft: ItemDraft, row: SourceRow): void {
  const method = textOf(row, 'auth_method', 'authMethod')
  if (REFUSED_AUTH.has(method)) return draft.refuse(`Upvane cannot sign in by ${method}.`)
  if (method === 'bearer')
    return addHeader(draft, 'Authorization', `Bearer ${textOf(row, 'bearer_token', 'bearerToken')}`)
  addBasicAuth(draft, exactTextOf(row, 'basic_auth_user'), exactTextOf(row, 'basic_auth_pass'))
}

function mapRedirects(draft: ItemDraft, most: number | undefined): void {
  if (most === undefined || most === OUR_REDIRECTS) return
  if (most <= 0) return draft.set('followRedirects', false)
  draft.change('maxredirects', most, OUR_REDIRECTS, 'Upvane follows up to 10 redirects, or none.')
}

function mapTimes(draft: ItemDraft, row: SourceRow): void {
  const interval = numberOf(row, 'interval')
  setNumber(draft, 'intervalSeconds', interval)
  // Without a timeout of its own, Uptime Kuma waits for 80% of the interval.
  const timeout = numberOf(row, 'timeout') || (interval === undefined ? undefined : interval * 0.8)
  setNumber(draft, 'timeoutSeconds', timeout)
  const retries = numberOf(row, 'maxretries') ?? 0
  const pause = numberOf(row, 'retry_interval', 'retryInterval') || interval
  if (retries > 0)
    draft.drop(
      'maxretries',
      pause === undefined || pause === interval ? retries : `${retries}, ${pause} s apart`,
      'Upvane confirms a failure within the same check.',
    )
}

function unplaced(row: SourceRow): Record<string, unknown> {
  const packetSize = numberOf(row, 'packet_size', 'packetSize')
  return {
    description: textOf(row, 'description'),
    proxy_id: numberOf(row, 'proxy_id', 'proxyId'),
    packet_size: packetSize === 56 ? undefined : packetSize,
    resend_interval: numberOf(row, 'resend_interval', 'resendInterval'),
    ip_family: textOf(row, 'ip_family', 'ipFamily'),
    cache_bust: flagOf(row, 'cache_bust', 'cacheBust'),
  }
}
