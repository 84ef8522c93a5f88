// What the monitors check: the engine benchmarks' target for HTTP, HTTPS, PORT and SSL, and stand-ins for a resolver
// and a domain registry.
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { startDnsServer } from '../../test/kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../../test/kit/targets/registry.ts'
import { Target } from '../engine-kit.ts'
import type { Ports } from './kinds.ts'

export type MillionTargets = {
  target: Target
  ports: Ports
  /** What a probe needs to know. */
  env: Record<string, string>
  close(): Promise<void>
}

const YEAR_MS = 365 * 86_400_000

export async function openTargets(): Promise<MillionTargets> {
  const target = new Target()
  const authority = createAuthority()
  const { key, cert } = authority.issue('target', { by: 'itself' })
  authority.remove()
  const { ports } = await target.request({ do: 'listen', key, cert })
  if (ports === undefined) throw new Error('The target listens nowhere')
  const dns = await startDnsServer(({ name, type }) => {
    dns.asked.length = 0
    return type === 'A' ? { answers: [{ name, type, data: '127.0.0.1' }] } : undefined
  })
  const expiresAt = new Date(Date.now() + YEAR_MS).toISOString()
  const registry = await startRegistry({
    rdap: { 'example.com': rdapRecord(expiresAt) },
    whois: {},
    suffixes: ['com'],
  })
  return {
    target,
    ports,
    env: {
      PROBE_DNS_SERVERS: dns.address,
      RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
      WHOIS_SERVER: registry.whoisServer,
    },
    async close() {
      target.stop()
      dns.close()
      await registry.close()
    },
  }
}
