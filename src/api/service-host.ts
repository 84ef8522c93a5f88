import { isIP } from 'node:net'

/**
 * Whether a request that names this host is for the service itself. Everything with a dot in it that is not our
 * own name may be a status page's domain, where nothing of the service answers. What cannot be such a
 * domain (an address, a machine's bare name, nothing at all) is how people and proxies come from near by.
 */
export function isServiceHost(host: string, ownHost: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return host === ownHost || !host.includes('.') || isIP(bare) !== 0
}
