// Parses the address of a monitor, always after WHATWG parsing, so that the check connects to exactly what was
// validated here.

const HTTP_URL = /^https?:\/\/[^/?#\\]/i
const USER_INFO = /^[a-z]+:\/\/[^/?#\\]*@/i
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u
const URL_PUNCTUATION = /[/?#@\\%:]/
const HOST_CHARACTERS = /^[a-z0-9._-]+$/i
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const IPV6_TEXT = /^\[?[0-9a-f:.]+\]?$/i
const MAX_NAME_LENGTH = 253

/** An absolute http(s) URL with a host and without user info; undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  if (BLANK_OR_CONTROL.test(text) || !HTTP_URL.test(text) || USER_INFO.test(text)) return undefined
  const url = URL.parse(text)
  return url !== null && isHostname(url.hostname) ? url : undefined
}

/**
 * A hostname or IP literal (IPv6 without brackets). Only the characters are validated, not the labels: a name that does
 * not resolve fails when it is checked.
 */
export function parseHost(text: string): string | undefined {
  if (text.includes(':')) return parseIpv6(text)
  if (HOST_CHARACTERS.test(text)) return text
  if (BLANK_OR_CONTROL.test(text) || URL_PUNCTUATION.test(text)) return undefined
  // An international name is used in its ASCII form.
  const hostname = URL.parse(`http://${text}/`)?.hostname
  return hostname !== undefined && HOST_CHARACTERS.test(hostname) ? hostname : undefined
}

type NamedTarget = { hostname: string; port: number | undefined }

/** A bare hostname, host:port or any URL. Only its hostname and an explicit port are used. */
export function parseNamedTarget(text: string): NamedTarget | undefined {
  const rest = text.replace(SCHEME, '')
  // WHATWG parsing would skip leading slashes and mistake a path for the hostname.
  if (BLANK_OR_CONTROL.test(text) || /^[/\\]/.test(rest)) return undefined
  const url = URL.parse(`http://${rest}`)
  if (url === null || !isHostname(url.hostname)) return undefined
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: explicitPort(text, url) }
}

// URL drops a port that is the scheme's default, but "host:80" named it explicitly.
function explicitPort(text: string, url: URL): number | undefined {
  if (url.port !== '') return Number(url.port)
  const authority = text.replace(SCHEME, '').split(/[/?#\\]/, 1)[0] ?? ''
  return /:0*80$/.test(authority) ? 80 : undefined
}

function parseIpv6(text: string): string | undefined {
  if (!IPV6_TEXT.test(text) || text.startsWith('[') !== text.endsWith(']')) return undefined
  const bare = text.replace(/^\[|\]$/g, '')
  return URL.canParse(`http://[${bare}]/`) ? bare : undefined
}

function isHostname(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return name.length <= MAX_NAME_LENGTH && name.split('.').every((label) => LABEL.test(label))
}
