// One spelling for every host before anything judges it: the WHATWG parser turns 127.1, 0x7f.1,
// fullwidth digits and international names into what a socket would really reach.
import { isIPv6 } from 'node:net'
import { OutboundError } from './outbound-error.ts'

const LONGEST_NAME = 253

/** Lower case, ASCII, without brackets or final dot: an IP literal or a name that may be resolved. */
export function normalizeHost(raw: string): string {
  const bracketed = isIPv6(raw) ? `[${raw}]` : raw
  const host = URL.parse(`http://${bracketed}`)?.hostname ?? ''
  if (/[/?#@\\]|^$/.test(raw) || host === '' || host.length > LONGEST_NAME)
    throw new OutboundError('NAME_NOT_FOUND', 'EBADNAME')
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
