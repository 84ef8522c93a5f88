// Detects requests for a host name that the configuration does not know: BASE_URL is missing or wrong, and links in
// emails point elsewhere. One log line per name, for a bounded number of names.
import { isIP } from 'node:net'

const MAX_HOSTS = 20
const MAX_SHOWN = 100

type UnknownHosts = { notice(host: string): void }

export function createUnknownHosts(
  baseUrl: string,
  warn: (fields: { host: string; baseUrl: string }, message: string) => void,
): UnknownHosts {
  const noticed = new Set<string>()
  return {
    notice(host) {
      if (!host.includes('.') || isIP(host) !== 0) return
      if (noticed.size >= MAX_HOSTS || noticed.has(host)) return
      noticed.add(host)
      warn(
        { host: host.slice(0, MAX_SHOWN), baseUrl },
        'a request came for a host name that is not in the configuration: set BASE_URL to the address people use',
      )
    },
  }
}
