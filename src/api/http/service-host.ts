import { isIP } from 'node:net'

/**
 * Whether this host cannot be a status page's domain: it is our own name, an IP address, a bare name or empty. Any
 * other name must be looked up before it is served.
 */
export function isServiceHost(host: string, ownHost: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return host === ownHost || !host.includes('.') || isIP(bare) !== 0
}
