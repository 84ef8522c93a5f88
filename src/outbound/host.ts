// Normalizes every host before it is checked: the WHATWG parser turns 127.1, 0x7f.1, fullwidth digits and international
// names into what a socket would really reach.
import { isIPv6 } from 'node:net'
import { OutboundError } from './outbound-error.ts'

const LONGEST_NAME = 253

/** Lowercase ASCII without brackets or a trailing dot: an IP literal or a name to resolve. */
export function normalizeHost(raw: string): string {
  const bracketed = isIPv6(raw) ? `[${raw}]` : raw
  const host = URL.parse(`http://${bracketed}`)?.hostname ?? ''
  if (/[/?#@\\]|^$/.test(raw) || host === '' || host.length > LONGEST_NAME)
    throw new OutboundError('NAME_NOT_FOUND', 'EBADNAME')
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
