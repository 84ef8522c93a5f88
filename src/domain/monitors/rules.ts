// Validates a monitor as a whole, after create defaults or a PATCH are applied. The contract checks single fields.
import { getDomain } from 'tldts'
import type { Problem } from '../values/problem.ts'
import { parseHost, parseHttpUrl, parseNamedTarget } from '../values/target.ts'
import { type MonitorSettings, type MonitorType, REQUIRED_FIELDS } from './monitor.ts'

const MAX_HEADERS = 64
const MAX_HEADER_BYTES = 8 * 1024
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// What HTTP allows: visible Latin-1, spaces and tabs.
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REFUSED_HEADERS = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  '__proto__',
])

const HTTP_AUTHORITY = /^https?:\/\/([^/?#:@\s]{1,253})(?::(\d{1,9}))?/i
const MAX_PORT = 65_535

/** Everything wrong with these settings; empty if they are valid. */
export function monitorProblems(monitor: MonitorSettings): Problem[] {
  return [
    ...missingFields(monitor),
    ...addressProblems(monitor),
    ...(isHttp(monitor.type) ? headerProblems(monitor.requestHeaders) : []),
  ]
}

const isHttp = (type: MonitorType): boolean => type === 'HTTP' || type === 'KEYWORD'

function missingFields(monitor: MonitorSettings): Problem[] {
  return REQUIRED_FIELDS[monitor.type]
    .filter((field) => monitor[field] === null || monitor[field] === '')
    .map((field) => ({
      path: field,
      message: `${field} is required for ${monitor.type} monitors`,
    }))
}

function addressProblems({ type, url, host }: MonitorSettings): Problem[] {
  const needs = REQUIRED_FIELDS[type]
  if (needs.includes('url') && url)
    return isHttp(type) ? httpUrlProblems(url) : namedTargetProblems(url)
  if (needs.includes('host') && host && parseHost(host) === undefined)
    return [{ path: 'host', message: 'must be a hostname or an IP address' }]
  return []
}

function httpUrlProblems(url: string): Problem[] {
  if (parseHttpUrl(url) !== undefined) return []
  return [{ path: 'url', message: httpUrlProblem(url) }]
}

function httpUrlProblem(url: string): string {
  if (url.includes('@')) return 'must not hold a user name or password; send them in requestHeaders'
  const [, host, port] = HTTP_AUTHORITY.exec(url) ?? []
  if (host === undefined) return 'must start with https:// or http:// and name a host'
  if (/\s/.test(url)) return 'must not contain a space; write it as %20'
  if (port !== undefined && Number(port) > MAX_PORT)
    return `must have a port of at most ${MAX_PORT}`
  return /^[\d.]+$/.test(host) ? 'must have a valid IPv4 address' : 'must name a valid host'
}

function namedTargetProblems(url: string): Problem[] {
  if (parseNamedTarget(url) !== undefined) return []
  return [{ path: 'url', message: 'must be a hostname, host:port or URL' }]
}

/** Of a new target. Monitors that had such a target before keep it. */
export function targetProblems({ type, url }: MonitorSettings): Problem[] {
  const target = type === 'DOMAIN' && url ? parseNamedTarget(url) : undefined
  if (target === undefined || getDomain(target.hostname) !== null) return []
  return [{ path: 'url', message: 'has no registrable domain' }]
}

export function headerProblems(headers: Record<string, string> | null): Problem[] {
  const entries = Object.entries(headers ?? {})
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  const problems = entries.flatMap(([name, value]) => headerProblem(name, value))
  if (entries.length > MAX_HEADERS)
    problems.push({ path: 'requestHeaders', message: `must have at most ${MAX_HEADERS} headers` })
  if (bytes > MAX_HEADER_BYTES)
    problems.push({ path: 'requestHeaders', message: 'must have at most 8 KiB in all' })
  return problems
}

function headerProblem(name: string, value: string): Problem[] {
  const path = `requestHeaders.${name}`
  const lower = name.toLowerCase()
  if (!HEADER_NAME.test(name)) return [{ path, message: 'is not a valid header name' }]
  if (REFUSED_HEADERS.has(lower) || lower.startsWith('proxy-'))
    return [{ path, message: 'is set by the connection and cannot be chosen' }]
  if (!HEADER_VALUE.test(value)) return [{ path, message: 'has a character HTTP cannot carry' }]
  return []
}
