import { isIP } from 'node:net'

/**
 * Whether this host cannot be a status page's domain: it is our own name, an address, a bare name or nothing. Any
 * other name has to be looked up before the service answers under it.
 */
export function isServiceHost(host: string, ownHost: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return host === ownHost || !host.includes('.') || isIP(bare) !== 0
}
