// What to check and how, as the words of a command: one line for a check without a monitor, and for a new monitor.
import type { MonitorType } from '@upvane/sdk'
import { type Argument, CommandError, type Values } from '../command.ts'
import { readChoice, readWhole } from './option-values.ts'

const TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'DNS', 'SSL', 'DOMAIN'] as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const ADDRESS: Argument = {
  name: 'address',
  text: 'a URL, ping://HOST, tcp://HOST:PORT, dns://HOST or a bare hostname',
}

export const TARGET_OPTIONS = {
  type: { value: 'TYPE', text: 'what to check (HTTP, or by the scheme)', completion: TYPES },
  method: { value: 'METHOD', text: 'HTTP method (GET)', completion: METHODS },
  status: { value: 'CODES', text: 'HTTP statuses that count as up, with commas' },
  keyword: { value: 'TEXT', text: 'text that the response must contain; implies KEYWORD' },
  timeout: { value: 'SECONDS', text: 'how long it may take, 1 to 60 (30)' },
} as const

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

/** Settings of a new monitor, or of a check without one. */
export function readTarget(address: string, options: Values<typeof TARGET_OPTIONS>) {
  const { type, keyword } = options
  return { ...toTarget(address, type, keyword !== undefined), ...readSettings(options) }
}

/** Where a monitor of this type checks, if it is to check another address. */
export function readAddress(address: string, type: string) {
  const { type: _, ...target } = toTarget(address, type, false)
  return target
}

export function readSettings(options: Omit<Values<typeof TARGET_OPTIONS>, 'type'>) {
  const { method, status, keyword, timeout } = options
  return {
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
