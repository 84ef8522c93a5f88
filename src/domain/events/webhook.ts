// Where webhooks may point, and which events they may name.

/** Which addresses are allowed: public ones, and those the operator allowed on this installation. */
export type AddressPolicy = {
  isPublic(address: string): boolean
  isAllowed(address: string): boolean
  allowHttp: boolean
}

/** For organizations that may not use the addresses the operator allowed. */
export const publicOnly = (policy: AddressPolicy): AddressPolicy => ({
  ...policy,
  isAllowed: () => false,
})

const MAIL_PORTS = new Set(['25', '465', '587'])
const AUTHORITY_WITH_USER = /^[a-z]+:\/\/[^/?#\\]*@/i
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** Why events may not be sent there; undefined if they may. Host names are checked again when they resolve. */
export function webhookUrlProblem(text: string, policy: AddressPolicy): string | undefined {
  const url = BLANK_OR_CONTROL.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) return 'must start with https://'
  if (AUTHORITY_WITH_USER.test(text)) return 'must not hold a user name or password'
  if (text.includes('#')) return 'must not have a fragment'
  if (MAIL_PORTS.has(url.port)) return 'must not use a mail port'
  return addressProblem(url, policy)
}

function addressProblem({ protocol, hostname }: URL, policy: AddressPolicy): string | undefined {
  const address = literalAddress(hostname)
  const allowed = address !== undefined && policy.isAllowed(address)
  if (protocol === 'http:' && !(policy.allowHttp && allowed)) return 'must start with https://'
  if (address === undefined || allowed || policy.isPublic(address)) return undefined
  return 'must be a public address'
}

const LOCAL_NAME = /(?:^|\.)(?:local|internal|localhost)$/
const PUBLIC_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/

/** Stricter, for endpoints: the URL must also name a public host, unless its address is allowed. */
export function endpointUrlProblem(text: string, policy: AddressPolicy): string | undefined {
  const problem = webhookUrlProblem(text, policy)
  const hostname = problem === undefined ? URL.parse(text)?.hostname : undefined
  if (hostname === undefined || literalAddress(hostname) !== undefined) return problem
  const name = hostname.replace(/\.$/, '')
  const isPublic = PUBLIC_NAME.test(name) && !LOCAL_NAME.test(name)
  return isPublic ? undefined : 'must name a public host'
}

/** A literal address, or the loopback address for localhost; undefined for other names. */
function literalAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  if (IPV4.test(hostname)) return hostname
  const name = hostname.replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : undefined
}

/** A subscription to all events, including types added later. */
export const EVERY_EVENT = '*'

/** Removes duplicates and keeps the order. */
export const uniqueEventTypes = (eventTypes: readonly string[]): string[] => [
  ...new Set(eventTypes),
]

/** `*` must be the only entry: next to it, other types mean nothing. */
export function eventTypesProblem(eventTypes: readonly string[]): string | undefined {
  const mixed = eventTypes.includes(EVERY_EVENT) && eventTypes.length > 1
  return mixed ? 'must be * alone or a list of event types' : undefined
}
