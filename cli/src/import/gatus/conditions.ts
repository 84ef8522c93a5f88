// Conditions of Gatus: what they ask for, in the settings of a monitor.
import { toHours } from './duration.ts'

export type WantedChecks = {
  /** Undefined if the conditions do not speak of it. */
  statuses?: readonly number[]
  keyword?: { text: string; isAbsent: boolean }
  slowerThanMs?: number
  certificateHours?: number
  domainHours?: number
  dnsExpected?: string
}

type Condition = { operator: string; value: string; isDns: boolean }
/** Undefined if Upvane cannot check it. */
type Reader = (wanted: WantedChecks, condition: Condition) => WantedChecks | undefined

const CONDITION = /^\[([A-Z_]+)\]\s*(==|!=|<=|>=|<|>)\s*(.*)$/s
const ANY = /^any\((.*)\)$/s
const STATUS = /^[1-5]\d\d$/
const ALL_STATUSES: readonly number[] = Array.from({ length: 500 }, (_, at) => 100 + at)

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['STATUS', withStatuses],
  [
    'BODY',
    (wanted, condition) =>
      condition.isDns ? dnsAnswer(wanted, condition) : withKeyword(wanted, condition),
  ],
  ['RESPONSE_TIME', withResponseTime],
  ['CERTIFICATE_EXPIRATION', withExpiry('certificateHours')],
  ['DOMAIN_EXPIRATION', withExpiry('domainHours')],
  ['CONNECTED', impliedBy('true')],
  ['DNS_RCODE', impliedBy('NOERROR')],
])

/** Undefined if Upvane cannot check it. `isDns`: the body is the answer to a query. */
export function readCondition(
  wanted: WantedChecks,
  text: string,
  isDns: boolean,
): WantedChecks | undefined {
  const [, subject = '', operator = '', rest = ''] = CONDITION.exec(text.trim()) ?? []
  return READERS.get(subject)?.(wanted, { operator, value: rest.trim(), isDns })
}

/** What every monitor of Upvane checks without being asked. */
function impliedBy(expected: string): Reader {
  return (wanted, { operator, value }) =>
    operator === '==' && value === expected ? wanted : undefined
}

function withResponseTime(
  wanted: WantedChecks,
  { operator, value }: Condition,
): WantedChecks | undefined {
  const isBelow = operator === '<' || operator === '<='
  return isBelow && /^\d{1,6}$/.test(value) ? { ...wanted, slowerThanMs: Number(value) } : undefined
}

function withExpiry(field: 'certificateHours' | 'domainHours'): Reader {
  return (wanted, { operator, value }) => {
    const hours = operator === '>' || operator === '>=' ? toHours(value) : undefined
    return hours === undefined ? undefined : { ...wanted, [field]: hours }
  }
}

/** Every condition must hold: two of them leave what fits both. */
function withStatuses(
  wanted: WantedChecks,
  { operator, value }: Condition,
): WantedChecks | undefined {
  const allowed = operator === '==' ? listedStatuses(value) : statusesBeyond(operator, value)
  const statuses = wanted.statuses?.filter((status) => allowed.has(status)) ?? [...allowed]
  return statuses.length > 0 ? { ...wanted, statuses } : undefined
}

/** `200` or `any(200, 204)`. */
function listedStatuses(value: string): ReadonlySet<number> {
  const [, list = value] = ANY.exec(value) ?? []
  return new Set(
    list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => STATUS.test(each))
      .map(Number),
  )
}

const COMPARISONS: ReadonlyMap<string, (status: number, limit: number) => boolean> = new Map([
  ['<', (status, limit) => status < limit],
  ['<=', (status, limit) => status <= limit],
  ['>', (status, limit) => status > limit],
  ['>=', (status, limit) => status >= limit],
  ['!=', (status, limit) => status !== limit],
])

function statusesBeyond(operator: string, value: string): ReadonlySet<number> {
  const fits = COMPARISONS.get(operator)
  if (fits === undefined || !STATUS.test(value)) return new Set()
  return new Set(ALL_STATUSES.filter((status) => fits(status, Number(value))))
}

/** `pat(*text*)`, once. A text with further stars or question marks is a pattern, which Upvane does not have. */
function withKeyword(
  wanted: WantedChecks,
  { operator, value }: Condition,
): WantedChecks | undefined {
  const [, text] = /^pat\(\*([^*?]+)\*\)$/s.exec(value) ?? []
  if (text === undefined || wanted.keyword !== undefined) return undefined
  if (operator !== '==' && operator !== '!=') return undefined
  return { ...wanted, keyword: { text, isAbsent: operator === '!=' } }
}

function dnsAnswer(wanted: WantedChecks, { operator, value }: Condition): WantedChecks | undefined {
  if (operator !== '==' || wanted.dnsExpected !== undefined || /[(*?]/.test(value)) return undefined
  return { ...wanted, dnsExpected: value }
}
