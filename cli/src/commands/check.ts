import type { CheckEvidence, Ext, MonitorType } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { CommandError, defineCommand, type Values } from '../command.ts'
import { formatMs, formatTime, toStateCell } from '../terminal/format.ts'
import { type Details, printDetails } from '../terminal/output.ts'
import { readChoice, readWhole } from './option-values.ts'

const TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'DNS', 'SSL', 'DOMAIN'] as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const OPTIONS = {
  type: { value: 'TYPE', text: 'what to check (HTTP, or by the scheme)', completion: TYPES },
  region: { value: 'REGION', text: 'check from this region instead of the home region' },
  method: { value: 'METHOD', text: 'HTTP method (GET)', completion: METHODS },
  status: { value: 'CODES', text: 'HTTP statuses that count as up, with commas' },
  keyword: { value: 'TEXT', text: 'text that the response must contain; implies KEYWORD' },
  timeout: { value: 'SECONDS', text: 'how long it may take, 1 to 60 (30)' },
} as const

export const check = defineCommand({
  name: 'check',
  summary: 'check an address from the service, without saving it',
  arguments: [
    { name: 'address', text: 'a URL, ping://HOST, tcp://HOST:PORT, dns://HOST or a bare hostname' },
  ],
  options: OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    'It ends with 1 if the check fails. The key must be able to write. At most 10 checks a minute.',
  ],
  examples: ['upv check https://shop.example.com/health', 'upv check tcp://mail.example.com:25'],
  async run(call) {
    const [address = ''] = call.args
    const body = toCheckInput(address, call.options)
    const upvane = await openClient(call)
    const checked = await upvane.ext.checks.run(body)
    printDetails(checked, detailsOf(checked), call.options.json)
    if (checked.result === 'FAILED') throw new CommandError(1, 'the check failed.')
    if (checked.result === 'INCONCLUSIVE') throw new CommandError(1, 'the check could not be run.')
  },
})

type CheckType = Exclude<MonitorType, 'CRON'>
const TYPE_BY_SCHEME: Readonly<Record<string, CheckType>> = {
  'http:': 'HTTP',
  'https:': 'HTTP',
  'ping:': 'PING',
  'tcp:': 'PORT',
  'dns:': 'DNS',
  'tls:': 'SSL',
}
const SCHEME = /^[a-z]{1,8}:\/\//

/** The body of the request: settings of a monitor without a name. */
export function toCheckInput(address: string, options: Values<typeof OPTIONS>) {
  const { type, region, method, status, keyword, timeout } = options
  const target = toTarget(address, type, keyword !== undefined)
  return {
    ...target,
    ...(region && { region }),
    ...(method && { method: readChoice('method', method, METHODS) }),
    ...(status && { expectedStatus: readStatuses(status) }),
    ...(keyword && { keyword }),
    ...(timeout && { timeoutSeconds: readWhole('timeout', timeout, [1, 60]) }),
  }
}

type Target = { type: CheckType; url?: string; host?: string; port?: number }

function toTarget(address: string, wanted: string | undefined, hasKeyword: boolean): Target {
  const url = URL.parse(SCHEME.test(address) ? address : `https://${address}`)
  const byScheme = url === null ? undefined : TYPE_BY_SCHEME[url.protocol]
  if (url === null || byScheme === undefined)
    throw new CommandError(2, 'give a URL, ping://HOST, tcp://HOST:PORT, dns://HOST or a hostname.')
  const implied = byScheme === 'HTTP' && hasKeyword ? 'KEYWORD' : byScheme
  return targetOf(url, wanted === undefined ? implied : readChoice('type', wanted, TYPES))
}

function targetOf(url: URL, type: CheckType): Target {
  const host = withoutBrackets(url.hostname)
  if (type === 'HTTP' || type === 'KEYWORD') return { type, url: url.href }
  if (type === 'PING') return { type, host }
  if (type !== 'PORT') return { type, url: url.host }
  if (url.port === '') throw new CommandError(2, 'a PORT check needs a port: tcp://HOST:PORT.')
  return { type, host, port: Number(url.port) }
}

// A URL writes IPv6 addresses in brackets, the API without.
function withoutBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function readStatuses(text: string): number[] {
  return text.split(',').map((each) => readWhole('status', each.trim(), [100, 599]))
}

function detailsOf({ result, region, check: seen }: Ext.CheckResult): Details {
  return [
    ['Result', toStateCell(result)],
    ['Cause', seen.cause],
    ['Region', region],
    ['HTTP status', seen.httpStatus === null ? null : String(seen.httpStatus)],
    ['Response', formatMs(seen.responseMs)],
    ['Time spent', timingsOf(seen)],
    ['Address', seen.resolvedIp],
    ['DNS', seen.dnsAnswers && seen.dnsAnswers.join(', ')],
    ['Certificate', seen.certExpiresAt && `expires ${formatTime(seen.certExpiresAt)}`],
    ['Attempts', seen.attempts.length > 1 ? String(seen.attempts.length) : null],
  ]
}

function timingsOf({ timings }: CheckEvidence): string | null {
  if (timings === null) return null
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings
  const parts: [name: string, ms: number | null][] = [
    ['DNS', dnsMs],
    ['connect', connectMs],
    ['TLS', tlsMs],
    ['wait', firstByteMs],
  ]
  const given = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]))
  return given.length > 0 ? given.join(', ') : null
}
