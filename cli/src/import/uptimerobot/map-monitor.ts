// A monitor of UptimeRobot.
import { setHost, setHttpUrl, setNamedTarget, setPort } from '../common/address.ts'
import { ItemDraft } from '../common/draft.ts'
import { addBasicAuth, addHeader, addHeaders, setBody, setMethod } from '../common/headers.ts'
import { setName, setNumber, setText } from '../common/limits.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { setStatuses } from '../common/status-codes.ts'
import {
  exactTextOf,
  flagOf,
  listOf,
  numberOf,
  type SourceRow,
  textOf,
  toRow,
  toShownText,
} from '../common/values.ts'
import { CONFIG_RULES } from './settings.ts'

const TYPES: ReadonlyMap<string, string> = new Map([
  ['HTTP', 'HTTP'],
  ['API', 'HTTP'],
  ['KEYWORD', 'KEYWORD'],
  ['PING', 'PING'],
  ['PORT', 'PORT'],
  ['HEARTBEAT', 'CRON'],
  ['DNS', 'DNS'],
])
const MAX_KEYWORD = 500
const MAX_EXPECTED = 2000
const RECORD_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'])

export function draftMonitor(row: SourceRow): ItemDraft {
  const draft = new ItemDraft()
  const given = textOf(row, 'type').toUpperCase()
  setName(draft, textOf(row, 'friendlyName'))
  const type = TYPES.get(given)
  if (type === undefined) {
    draft.refuse(`Upvane has no monitor of type "${given.slice(0, 40)}".`)
    return draft
  }
  draft.set('type', type)
  const config = new WatchedRow(toRow(row['config']))
  if (given === 'API') {
    config.skip('apiAssertions')
    draft.drop(
      'assertions',
      'assertions on the answer',
      'Only the status of the answer is checked.',
    )
  }
  mapByType(draft, row, type)
  if (type === 'DNS') mapRecords(draft, toRow(config.row['dnsRecords']))
  if (type === 'HTTP' || type === 'KEYWORD') mapHttp(draft, row)
  mapCertificate(draft, row, config.row)
  if (type === 'CRON') mapHeartbeat(draft, row)
  else {
    setNumber(draft, 'intervalSeconds', numberOf(row, 'interval'))
    setNumber(draft, 'timeoutSeconds', numberOf(row, 'timeout') || undefined)
    mapThreshold(draft, numberOf(row, 'responseTimeThreshold') ?? 0)
  }
  if (textOf(row, 'status').toUpperCase() === 'PAUSED') draft.set('paused', true)
  reportUnread(draft, config, CONFIG_RULES, 'config')
  if (toShownText(row['regionalData']) !== '')
    draft.drop(
      'regionalData',
      row['regionalData'],
      'In Upvane, regions belong to the organization.',
    )
  return draft
}

function mapByType(draft: ItemDraft, row: SourceRow, type: string): void {
  const url = textOf(row, 'url')
  if (type === 'KEYWORD') mapKeyword(draft, row)
  if (type === 'PING' || type === 'PORT') setHost(draft, url)
  if (type === 'PORT') setPort(draft, numberOf(row, 'port'))
  if (type === 'DNS') setNamedTarget(draft, url)
}

/** The earliest reminder counts. Without days of its own, Upvane's default does. */
function mapCertificate(draft: ItemDraft, row: SourceRow, config: SourceRow): void {
  if (flagOf(row, 'sslExpirationReminder') !== true) return
  const days = listOf(config['sslExpirationPeriodDays']).slice(0, 1000)
  const numbers = days.flatMap((day) => (typeof day === 'number' && day > 0 ? [day] : []))
  if (numbers.length > 0) setNumber(draft, 'sslExpiryThresholdDays', Math.max(...numbers))
}

/** Theirs says when to alarm, ours when it is up. */
function mapKeyword(draft: ItemDraft, row: SourceRow): void {
  const keyword = exactTextOf(row, 'keywordValue')
  if (keyword.replaceAll('\0', '') === '') draft.refuse('It has no keyword.')
  setText(draft, 'keyword', keyword, MAX_KEYWORD)
  const alarm = textOf(row, 'keywordType')
  if (alarm === 'ALERT_EXISTS') draft.set('keywordMatch', 'NOT_EXISTS')
  else if (alarm === 'ALERT_NOT_EXISTS') draft.set('keywordMatch', 'EXISTS')
  else draft.refuse('It does not say whether the keyword is good or bad.')
  const letters = textOf(row, 'keywordCaseType')
  if (letters === 'CaseInsensitive' || letters === '1')
    draft.change(
      'keywordCaseType',
      'CaseInsensitive',
      'case matters',
      'Keywords are case-sensitive in Upvane. Compare the keyword with the page.',
    )
}

/** `{"A": ["192.0.2.1"]}`: one type for each monitor. */
function mapRecords(draft: ItemDraft, records: SourceRow): void {
  const [first, ...others] = Object.entries(records).filter(
    ([, values]) => listOf(values).length > 0,
  )
  if (first === undefined) return
  const [type, values] = first
  if (!RECORD_TYPES.has(type))
    return draft.refuse(`Upvane does not check ${type.slice(0, 10)} records.`)
  draft.set('dnsRecordType', type)
  const texts = listOf(values).filter((value): value is string => typeof value === 'string')
  setText(draft, 'dnsExpected', texts.join('\n'), MAX_EXPECTED)
  if (others.length > 0)
    draft.drop(
      'dnsRecords',
      others.map(([name]) => name),
      'A monitor asks for one type of record.',
    )
}

function mapHttp(draft: ItemDraft, row: SourceRow): void {
  setHttpUrl(draft, textOf(row, 'url'))
  setMethod(draft, textOf(row, 'httpMethodType'))
  mapAuth(draft, row)
  addHeaders(draft, toRow(row['customHttpHeaders']))
  const data = row['postValueData']
  const body = typeof data === 'string' ? data : toShownText(data)
  const isJson = /json/i.test(textOf(row, 'postValueType'))
  setBody(draft, body, isJson ? 'application/json' : 'application/x-www-form-urlencoded')
  setStatuses(draft, listOf(row['successHttpResponseCodes']))
  if (flagOf(row, 'followRedirections') === false) draft.set('followRedirects', false)
  const checksTls = flagOf(row, 'checkSSLErrors')
  if (checksTls !== undefined) draft.set('verifySsl', checksTls)
}

function mapAuth(draft: ItemDraft, row: SourceRow): void {
  const type = textOf(row, 'authType').toUpperCase()
  const [user, password] = [exactTextOf(row, 'httpUsername'), exactTextOf(row, 'httpPassword')]
  if (type === 'DIGEST') return draft.refuse('Upvane cannot sign in by digest.')
  if (type === 'BEARER') {
    if (user !== '' && password !== '')
      draft.drop('httpUsername', 'a user name', 'A Bearer token has none.')
    return addHeader(draft, 'Authorization', `Bearer ${password || user}`)
  }
  if (user !== '' && password === '')
    return draft.drop(
      'httpPassword',
      'hidden by UptimeRobot',
      'Set the Authorization header by hand.',
    )
  addBasicAuth(draft, user, password)
}

function mapHeartbeat(draft: ItemDraft, row: SourceRow): void {
  setNumber(draft, 'expectedPeriodSec', numberOf(row, 'interval'))
  setNumber(draft, 'graceSeconds', numberOf(row, 'gracePeriod'))
}

function mapThreshold(draft: ItemDraft, threshold: number): void {
  if (threshold <= 0) return
  setNumber(draft, 'degradedThresholdMs', threshold)
  draft.set('degradedSamples', 1)
  draft.change(
    'responseTimeThreshold',
    `${threshold} ms opens an incident`,
    'DEGRADED',
    'In Upvane a slow answer is not an incident.',
  )
}
