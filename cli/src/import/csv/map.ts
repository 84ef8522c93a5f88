// Monitors from CSV: the columns of the list's export, or as little as `name,url`. The dashboard reads the same.
import { CommandError } from '../../command.ts'
import { setHost, setHttpUrl, setNamedTarget, setPort, setTlsTarget } from '../common/address.ts'
import { Collector, type Imported } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import { setMethod } from '../common/headers.ts'
import { setName, setNumber, setText } from '../common/limits.ts'
import { reportUnread, type SettingRules, WatchedRow } from '../common/settings.ts'
import { TagBook } from '../common/tags.ts'
import { exactTextOf, numberOf, type SourceRow, textOf } from '../common/values.ts'

const TYPES: ReadonlySet<string> = new Set([
  'HTTP',
  'KEYWORD',
  'PING',
  'PORT',
  'CRON',
  'DNS',
  'SSL',
  'DOMAIN',
])
const MATCHES: ReadonlySet<string> = new Set(['EXISTS', 'NOT_EXISTS'])
const RECORD_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'])
const MAX_KEYWORD = 500
const MAX_EXPECTED = 2000

const COLUMN_RULES: SettingRules = {
  own: new Set(['id', 'name']),
  // The export of the list has every column for every type.
  defaults: { method: ['GET'], keywordmatch: ['EXISTS'], dnsrecordtype: ['A'] },
}

/** The names of the columns are in lower case. */
export function checkColumns(path: string, rows: readonly SourceRow[]): void {
  const [first] = rows
  if (first === undefined) throw new CommandError(1, `${path} has no rows below the column names.`)
  if (first['name'] === undefined)
    throw new CommandError(1, `${path} must begin with a line of column names, one of them name.`)
}

export function mapCsv(rows: readonly SourceRow[]): Imported {
  const out = new Collector('csv')
  out.announce('monitor', rows.length)
  const tags = new TagBook(out)
  for (const [at, given] of rows.entries()) {
    const watched = new WatchedRow(given)
    const { row } = watched
    const draft = draftMonitor(row)
    if (draft.refusal === undefined) tags.set(draft, textOf(row, 'tags').split(','))
    reportUnread(draft, watched, COLUMN_RULES)
    const id = textOf(row, 'id') || `row ${at + 1}`
    out.add('monitors', { kind: 'monitor', id, name: textOf(row, 'name') }, draft)
  }
  return out.finish()
}

function draftMonitor(row: SourceRow): ItemDraft {
  const draft = new ItemDraft()
  setName(draft, textOf(row, 'name'))
  const type = textOf(row, 'type').toUpperCase() || 'HTTP'
  if (!TYPES.has(type)) draft.refuse(`Upvane has no monitor of type "${type.slice(0, 40)}".`)
  draft.set('type', type)
  mapTarget(draft, row, type)
  mapDetails(draft, row, type)
  const every = numberOf(row, 'everyseconds')
  if (type === 'CRON') {
    setNumber(draft, 'expectedPeriodSec', numberOf(row, 'expectedperiodsec') ?? every)
    setNumber(draft, 'graceSeconds', numberOf(row, 'graceseconds'))
  } else setNumber(draft, 'intervalSeconds', numberOf(row, 'intervalseconds') ?? every)
  setNumber(draft, 'timeoutSeconds', numberOf(row, 'timeoutseconds'))
  setNumber(draft, 'sslExpiryThresholdDays', numberOf(row, 'sslexpirythresholddays'))
  if (textOf(row, 'state').toUpperCase() === 'PAUSED') draft.set('paused', true)
  return draft
}

/** `target` is how the list shows what is watched; its own columns win. */
function mapTarget(draft: ItemDraft, row: SourceRow, type: string): void {
  const target = textOf(row, 'target')
  const url = textOf(row, 'url') || target
  if (type === 'PING') setHost(draft, textOf(row, 'host') || target)
  else if (type === 'PORT') mapHostAndPort(draft, row, target)
  else URL_TARGETS.get(type)?.(draft, url)
}

const setWebUrl = (draft: ItemDraft, url: string): void => setHttpUrl(draft, withScheme(url))

const URL_TARGETS: ReadonlyMap<string, (draft: ItemDraft, url: string) => void> = new Map([
  ['HTTP', setWebUrl],
  ['KEYWORD', setWebUrl],
  ['DNS', setNamedTarget],
  ['DOMAIN', setNamedTarget],
  ['SSL', setTlsTarget],
])

function mapHostAndPort(draft: ItemDraft, row: SourceRow, target: string): void {
  const [, host = target, port] = /^(.*):(\d{1,5})$/.exec(target) ?? []
  setHost(draft, textOf(row, 'host') || host)
  setPort(draft, numberOf(row, 'port') ?? (port === undefined ? undefined : Number(port)))
}

const withScheme = (url: string): string =>
  url === '' || url.includes('://') ? url : `https://${url}`

function mapDetails(draft: ItemDraft, row: SourceRow, type: string): void {
  if (type === 'HTTP' || type === 'KEYWORD') setMethod(draft, textOf(row, 'method'))
  if (type === 'KEYWORD') {
    const keyword = exactTextOf(row, 'keyword')
    if (keyword.replaceAll('\0', '') === '') draft.refuse('It has no keyword.')
    setText(draft, 'keyword', keyword, MAX_KEYWORD)
    setWord(draft, 'keywordMatch', textOf(row, 'keywordmatch'), MATCHES)
  }
  if (type !== 'DNS') return
  setWord(draft, 'dnsRecordType', textOf(row, 'dnsrecordtype'), RECORD_TYPES)
  setText(draft, 'dnsExpected', textOf(row, 'dnsexpected'), MAX_EXPECTED)
}

function setWord(draft: ItemDraft, field: string, given: string, words: ReadonlySet<string>): void {
  const word = given.toUpperCase()
  if (word === '') return
  if (!words.has(word)) return draft.refuse(`Its ${field} is none of ${[...words].join(', ')}.`)
  draft.set(field, word)
}
