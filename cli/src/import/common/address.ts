// What is watched, by the rules of the API: a monitor that would be refused there is not taken here, with the reason.
import { type ItemDraft, SecretValue } from './draft.ts'

const MAX_URL = 2048
const MAX_HOST = 255
const MAX_NAME = 253
const HTTP = /^https?:\/\/[^/?#\\]/i
const USER_INFO = /^[a-z]+:\/\/[^/?#\\]*@/i
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const HOST = /^[a-z0-9._-]+$/i
const IPV6 = /^[0-9a-f:.]+$/i

/** A name and password in the URL move to a header, because URLs are shown to everyone in the organization. */
export function setHttpUrl(draft: ItemDraft, given: string): void {
  if (given === '') return draft.refuse('It has no URL.')
  if (!HTTP.test(given)) return draft.refuse('Its URL is not one of http:// or https://.')
  if (/\p{Cc}/u.test(given)) return draft.refuse('Its URL has a control character.')
  const url = URL.parse(given)
  if (url === null || !isHostname(url.hostname)) return draft.refuse('Its URL names no valid host.')
  const hasSpace = BLANK_OR_CONTROL.test(given)
  if (hasSpace) draft.change('url', 'a space in the URL', '%20', 'A URL has no spaces.')
  if (!USER_INFO.test(given)) return keepUrl(draft, hasSpace ? url.href : given)
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
  draft.set('requestHeaders', { Authorization: new SecretValue(basic) })
  draft.change(
    'url',
    'a user name and password in the URL',
    'an Authorization header',
    'Upvane keeps credentials in headers, which are encrypted and hidden.',
  )
  keepUrl(draft, url.href)
}

/** Of DNS and DOMAIN. */
export function setNamedTarget(draft: ItemDraft, given: string): void {
  const hostname = hostnameIn(given)
  if (hostname === undefined) return draft.refuse('It names no valid host.')
  keepUrl(draft, hostname)
}

/** Of SSL: the port may be another than 443. */
export function setTlsTarget(draft: ItemDraft, given: string): void {
  setNamedTarget(draft, given)
  const port = portIn(given)
  const { url } = draft.fields
  if (port === undefined || port === 443 || typeof url !== 'string') return
  draft.set('url', url.includes(':') ? `[${url}]:${port}` : `${url}:${port}`)
}

/** Of PING and PORT. A URL is reduced to its host. */
export function setHost(draft: ItemDraft, given: string): void {
  const bare = given.replace(/^\[|\]$/g, '')
  const host = isHost(bare) ? bare : hostnameIn(given)
  if (host === undefined || host.length > MAX_HOST) return draft.refuse('It names no valid host.')
  draft.set('host', host)
  if (host !== bare) draft.change('host', withoutUser(given), host, 'Only the host is watched.')
}

export function setPort(draft: ItemDraft, given: number | undefined): void {
  if (given === undefined || !Number.isInteger(given) || given < 1 || given > 65_535)
    return draft.refuse('It has no port from 1 to 65535.')
  draft.set('port', given)
}

/** The host of a URL, of host:port, or a host; undefined if there is none. */
export function hostnameIn(given: string): string | undefined {
  const rest = given.replace(SCHEME, '')
  if (given === '' || BLANK_OR_CONTROL.test(given) || /^[/\\]/.test(rest)) return undefined
  const hostname = URL.parse(`http://${rest}`)?.hostname
  if (hostname === undefined || !isHostname(hostname)) return undefined
  return hostname.replace(/^\[|\]$/g, '')
}

/** The port of a URL or of host:port. */
export function portIn(given: string): number | undefined {
  const [authority = ''] = given.replace(SCHEME, '').split(/[/?#\\]/, 1)
  const [, port] = /:(\d{1,5})$/.exec(authority) ?? []
  return port === undefined ? undefined : Number(port)
}

/** A name with at least two labels, as public names have. */
export function isDomain(text: string): boolean {
  const labels = text.toLowerCase().split('.')
  const isLabel = (label: string): boolean => LABEL.test(label) && !label.includes('_')
  const last = labels.at(-1) ?? ''
  const isTop = /^[a-z]{2,63}$/.test(last) || last.startsWith('xn--')
  return text.length <= MAX_NAME && labels.length > 1 && isTop && labels.every(isLabel)
}

function keepUrl(draft: ItemDraft, url: string): void {
  if (url.length > MAX_URL) draft.refuse(`Its URL is longer than ${MAX_URL} characters.`)
  draft.set('url', url)
}

const withoutUser = (text: string): string => text.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, '$1')

function isHost(text: string): boolean {
  if (text.includes(':')) return IPV6.test(text) && URL.canParse(`http://[${text}]/`)
  return HOST.test(text)
}

function isHostname(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
