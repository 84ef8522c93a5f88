// Email addresses as people type them. A valid one is safe in a header and in an SMTP command: no quotes, spaces or
// control characters, and nothing that an old relay would read as a route.

const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
const LOCAL = /^[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*$/
const WRITTEN_HOST = /^[\p{L}\p{M}\p{N}.-]+$/u
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** Trims the address and converts its domain to ASCII. Undefined if it cannot be used. */
export function parseEmailAddress(text: string): string | undefined {
  const typed = text.trim()
  const at = typed.lastIndexOf('@')
  const local = typed.slice(0, at)
  const host = toAsciiHost(typed.slice(at + 1))
  if (at < 1 || local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local)) return undefined
  if (host === undefined || local.length + 1 + host.length > MAX_LENGTH) return undefined
  return `${local}@${host}`
}

/** Treats addresses as equal that are the same mailbox on all but a few servers. */
export const comparable = (address: string): string => address.toLowerCase()

/** For rate limits: a plus suffix in the local part leads to the same mailbox. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [name = ''] = address.slice(0, at).split('+')
  return comparable(`${name}${address.slice(at)}`)
}

function toAsciiHost(written: string): string | undefined {
  if (!WRITTEN_HOST.test(written)) return undefined
  const host = URL.parse(`http://${written}`)?.hostname
  return host !== undefined && HOST.test(host) ? host : undefined
}
