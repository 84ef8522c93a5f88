// An endpoint of Gatus: its URL says what kind it is, its conditions what is expected.
import {
  hostnameIn,
  portIn,
  setHost,
  setHttpUrl,
  setNamedTarget,
  setPort,
  setTlsTarget,
} from '../common/address.ts'
import { EnvText, ItemDraft } from '../common/draft.ts'
import { addHeader, setBody, setMethod } from '../common/headers.ts'
import { dropAll, setName, setNumber, setText } from '../common/limits.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { setStatuses } from '../common/status-codes.ts'
import {
  exactTextOf,
  flagOf,
  listOf,
  type SourceRow,
  textOf,
  toPlainText,
  toRow,
} from '../common/values.ts'
import { readCondition, type WantedChecks } from './conditions.ts'
import { toSeconds } from './duration.ts'
import { CLIENT_RULES } from './settings.ts'

type EndpointType = 'HTTP' | 'PING' | 'PORT' | 'SSL' | 'DNS'

const TYPES: ReadonlyMap<string, EndpointType> = new Map([
  ['http', 'HTTP'],
  ['https', 'HTTP'],
  ['icmp', 'PING'],
  ['tcp', 'PORT'],
  ['tls', 'SSL'],
])
const RECORD_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'])
const VARIABLE = /\$\{?([A-Za-z_][A-Za-z0-9_]{0,99})\}?/g
const DEFAULT_INTERVAL = 60
const DEFAULT_TIMEOUT = 10
const MAX_KEYWORD = 500
const MAX_EXPECTED = 2000

type DraftedEndpoint = { draft: ItemDraft; domainHours: number | undefined }

/** What else of the row must be read or reported is up to the caller. */
export function draftEndpoint(row: SourceRow, nearest: boolean): DraftedEndpoint {
  const draft = new ItemDraft()
  setName(draft, textOf(row, 'name'))
  const url = textOf(row, 'url')
  const isDns = row['dns'] !== undefined
  const [scheme = ''] = url.toLowerCase().split('://', 1)
  const type = isDns ? 'DNS' : TYPES.get(scheme)
  if (type === undefined) refuseScheme(draft, url, scheme, nearest)
  else draft.set('type', type)
  if (/\$\{?[A-Za-z_]/.test(url)) draft.refuse('Its URL has a variable.')
  if (row['ssh'] !== undefined) draft.refuse('Upvane does not sign in by SSH.')
  const wanted = wantedOf(draft, listOf(row['conditions']), isDns)
  if (type !== undefined) {
    TARGETS[type](draft, row, wanted)
    refuseUnchecked(draft, type, wanted)
  }
  mapClient(draft, toRow(row['client']), type)
  mapTimes(draft, row, wanted)
  if (flagOf(row, 'enabled') === false) draft.set('paused', true)
  return { draft, domainHours: wanted.domainHours }
}

function refuseScheme(draft: ItemDraft, url: string, scheme: string, nearest: boolean): void {
  const port = portIn(url)
  if (!nearest || port === undefined)
    return draft.refuse(`Upvane does not speak "${scheme.slice(0, 40)}".`)
  draft.set('type', 'PORT')
  setHost(draft, hostnameIn(url) ?? '')
  setPort(draft, port)
  draft.change('url', scheme, 'PORT', '--nearest was given: only the connection is checked.')
}

/** What each type checks, and what of the conditions it can. */
const TARGETS: Readonly<
  Record<EndpointType, (draft: ItemDraft, row: SourceRow, wanted: WantedChecks) => void>
> = {
  HTTP(draft, row, wanted) {
    mapHttp(draft, row, wanted)
    mapCertificate(draft, wanted.certificateHours)
  },
  PING(draft, row) {
    setHost(draft, hostnameIn(textOf(row, 'url')) ?? '')
  },
  PORT(draft, row) {
    setHost(draft, hostnameIn(textOf(row, 'url')) ?? '')
    setPort(draft, portIn(textOf(row, 'url')))
  },
  SSL(draft, row, wanted) {
    setTlsTarget(draft, textOf(row, 'url'))
    mapCertificate(draft, wanted.certificateHours)
  },
  DNS: mapDns,
}

function wantedOf(draft: ItemDraft, conditions: readonly unknown[], isDns: boolean): WantedChecks {
  let wanted: WantedChecks = {}
  for (const condition of conditions) {
    const text = typeof condition === 'string' ? condition : ''
    const next = readCondition(wanted, text, isDns)
    if (next === undefined)
      draft.refuse(`Upvane cannot check the condition "${text.slice(0, 100)}".`)
    else wanted = next
  }
  return wanted
}

function mapHttp(draft: ItemDraft, row: SourceRow, { statuses, keyword }: WantedChecks): void {
  setHttpUrl(draft, textOf(row, 'url'))
  setMethod(draft, textOf(row, 'method'))
  for (const [name, given] of Object.entries(toRow(row['headers']))) {
    const value = toPlainText(given)
    addHeader(draft, name, value, withVariables(value))
  }
  const body = exactTextOf(row, 'body')
  if (withVariables(body) !== undefined) draft.refuse('Its body has a variable.')
  setBody(draft, flagOf(row, 'graphql') === true ? JSON.stringify({ query: body }) : body)
  // Without a condition, Gatus accepts any status.
  setStatuses(draft, statuses ?? ['100-599'])
  if (keyword !== undefined) {
    draft.set('type', 'KEYWORD')
    setText(draft, 'keyword', keyword.text, MAX_KEYWORD)
    if (draft.fields['keyword'] === undefined) draft.refuse('It has no keyword.')
    if (keyword.isAbsent) draft.set('keywordMatch', 'NOT_EXISTS')
  }
}

function mapClient(draft: ItemDraft, given: SourceRow, type: EndpointType | undefined): void {
  const watched = new WatchedRow(given)
  const client = watched.row
  const isWeb = type === 'HTTP'
  if ((isWeb || type === 'SSL') && flagOf(client, 'insecure') === true)
    draft.set('verifySsl', false)
  if (isWeb && flagOf(client, 'ignore-redirect') === true) draft.set('followRedirects', false)
  if (client['oauth2'] !== undefined || client['identity-aware-proxy'] !== undefined)
    draft.refuse('Upvane cannot sign in by OAuth.')
  if (toRow(client['tls'])['certificate-file'] !== undefined)
    draft.refuse('Upvane has no certificates of its own for a monitor.')
  else if (client['tls'] !== undefined)
    draft.drop('client.tls', 'settings of TLS', 'Upvane has no such setting.')
  watched.skip('timeout')
  reportUnread(draft, watched, CLIENT_RULES, 'client')
}

/** `${TOKEN}` and `$TOKEN` become variables of our file. */
function withVariables(text: string): EnvText | undefined {
  const names = [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? [])
  if (names.length === 0) return undefined
  return new EnvText(
    text.replaceAll(VARIABLE, (_, name: string) => `\${env:${name}}`),
    names,
  )
}

function mapDns(draft: ItemDraft, row: SourceRow, { dnsExpected }: WantedChecks): void {
  const dns = toRow(row['dns'])
  setNamedTarget(draft, textOf(dns, 'query-name').replace(/\.$/, ''))
  const type = textOf(dns, 'query-type').toUpperCase()
  if (!RECORD_TYPES.has(type)) draft.refuse(`Upvane does not check ${type.slice(0, 10)} records.`)
  draft.set('dnsRecordType', type)
  setText(draft, 'dnsExpected', dnsExpected ?? '', MAX_EXPECTED)
  dropAll(draft, { 'DNS server': textOf(row, 'url') }, 'Upvane uses the resolvers of its regions.')
}

/** A condition that Gatus checks for this kind of endpoint, and Upvane does not. */
function refuseUnchecked(draft: ItemDraft, type: EndpointType, wanted: WantedChecks): void {
  const isWeb = type === 'HTTP'
  if (!isWeb && (wanted.statuses !== undefined || wanted.keyword !== undefined))
    draft.refuse('Upvane checks a status or a body only of http:// and https://.')
  if (!isWeb && type !== 'SSL' && wanted.certificateHours !== undefined)
    draft.refuse('Upvane checks a certificate only of https:// and tls://.')
}

function mapCertificate(draft: ItemDraft, hours: number | undefined): void {
  if (hours === undefined) return
  setNumber(draft, 'sslExpiryThresholdDays', hours / 24)
  draft.change(
    'conditions',
    `[CERTIFICATE_EXPIRATION] > ${hours}h`,
    'a warning',
    'In Upvane a certificate that expires soon is DEGRADED, not down.',
  )
}

function mapTimes(draft: ItemDraft, row: SourceRow, { slowerThanMs }: WantedChecks): void {
  const interval = toSeconds(textOf(row, 'interval')) ?? DEFAULT_INTERVAL
  setNumber(draft, 'intervalSeconds', interval)
  const timeout = toSeconds(textOf(toRow(row['client']), 'timeout')) ?? DEFAULT_TIMEOUT
  setNumber(draft, 'timeoutSeconds', timeout)
  if (slowerThanMs === undefined) return
  setNumber(draft, 'degradedThresholdMs', slowerThanMs)
  draft.set('degradedSamples', 1)
  draft.change(
    'conditions',
    `[RESPONSE_TIME] < ${slowerThanMs}`,
    'DEGRADED',
    'In Upvane a slow answer is not an incident.',
  )
}
