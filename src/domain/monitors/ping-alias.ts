// Pings under the token of another tool, so that its jobs need no change when they move here. The forms are those of
// Healthchecks (/start, /fail, /log, an exit status) and of push monitors in Uptime Kuma (?status=down&msg=…).
import type { Problem } from '../values/problem.ts'
import { type PingSignal, parsePingSignal } from './heartbeat.ts'

export const MAX_ALIASES = 10_000
export const MAX_ALIASES_OF_MONITOR = 5
export const MAX_ALIASES_AT_ONCE = 100
export const MAX_ALIAS_TOKEN_CHARACTERS = 165
/**
 * As many as the shortest tokens of Uptime Kuma have. Everyone who pings knows the address before the token, so that a
 * shorter one could be guessed. Shorter ones that exist keep working.
 */
export const MIN_ALIAS_TOKEN_CHARACTERS = 10

const ID = /^[A-Za-z0-9_-]{24}$/
// A ping key and a slug are one token.
const TOKEN = /^[A-Za-z0-9_-]{1,64}(?:\/[A-Za-z0-9_-]{1,100})?$/
const MAX_PARTS = 3

/** `name` is what is hashed. It has a slash, which tokens of our own never have. */
type AliasedPing = { name: string; signal: PingSignal }

export const toAliasName = (id: string, token: string): string => `${id}/${token}`

/** Whether it is the name of an alias, and not a token of our own. */
export const isAliasName = (name: string): boolean => name.includes('/')

export function aliasTokenProblems(path: string, token: string): Problem[] {
  if (token.length < MIN_ALIAS_TOKEN_CHARACTERS)
    return [{ path, message: `must have at least ${MIN_ALIAS_TOKEN_CHARACTERS} characters` }]
  if (!TOKEN.test(token))
    return [{ path, message: 'must be letters, digits, - and _, with at most one slash' }]
  const [, slug] = token.split('/')
  if (slug === undefined || parsePingSignal(slug) === undefined) return []
  return [{ path, message: 'must not end like a signal, such as /start or /0' }]
}

/**
 * `parts` are those of the path below /hb/alias, `status` is a parameter of its query. Undefined if there is no such URL.
 */
export function parseAliasedPing(
  [id = '', ...rest]: readonly string[],
  status: string | null,
): AliasedPing | undefined {
  // Healthchecks also answers with a slash at the end.
  const parts = rest.at(-1) === '' ? rest.slice(0, -1) : rest
  if (!ID.test(id) || parts.length === 0 || parts.length > MAX_PARTS) return undefined
  const suffix = parts.length > 1 ? (parts.at(-1) ?? '') : ''
  const signal = suffix === '' ? undefined : parsePingSignal(suffix)
  const token = (signal === undefined ? parts : parts.slice(0, -1)).join('/')
  if (!TOKEN.test(token)) return undefined
  return { name: toAliasName(id, token), signal: signal ?? signalOf(status) }
}

/** As Uptime Kuma reads it: everything but "up" is down. */
function signalOf(status: string | null): PingSignal {
  return status === null || status === '' || status === 'up' ? 'SUCCESS' : 'FAIL'
}
