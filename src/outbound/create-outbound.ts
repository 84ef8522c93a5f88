// Assembles outbound access, once per process.
import { getServers } from 'node:dns'
import { readFileSync } from 'node:fs'
import { StartError } from '../platform/process/start-error.ts'
import { parseHostsFile } from './local-names.ts'
import { parseNat64Prefixes } from './nat64.ts'
import type { Outbound } from './outbound-connection.ts'
import { parseAllowList } from './permit.ts'
import { createPinger } from './ping.ts'
import { createNameResolver } from './resolve.ts'
import { createTlsContexts } from './tls.ts'

type OutboundOptions = {
  /** Private networks that may be reached, such as `10.0.0.0/8`. */
  allowCidrs: readonly string[]
  /** NAT64 prefixes of this network, such as `64:ff9b::/96`. */
  nat64Prefixes?: readonly string[]
  /** `address` or `address:port`; empty for the system's servers. */
  dnsServers: readonly string[]
  /** Root certificates trusted in addition to the default ones, as PEM. */
  extraCas?: readonly string[]
  hostsFile?: string
  userAgent: string
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { allowCidrs, dnsServers, userAgent, nat64Prefixes = [] } = options
  const { extraCas = [], hostsFile = '/etc/hosts' } = options
  const servers = dnsServers.length > 0 ? dnsServers : getServers()
  const hosts = parseHostsFile(readHostsFile(hostsFile))
  return {
    guard: {
      names: createNameResolver({ servers, hosts }),
      allow: parseAllowList(allowCidrs),
      nat64: parseNat64Prefixes(nat64Prefixes),
      tls: createTlsContexts(extraCas),
      userAgent,
      now: () => new Date(),
    },
    pinger: createPinger(),
  }
}

/** Minimal images have none. Like the system's own resolver, we then know no local names. */
function readHostsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return ''
    // Otherwise a name of this network would be asked of a server outside of it.
    throw new StartError(`${path} cannot be read (${code}): make it readable for this account`)
  }
}

const EVERYWHERE = ['0.0.0.0/0', '::/0']

/** For an address that the operator configured, which may be any. */
export const createOperatorOutbound = (options: Omit<OutboundOptions, 'allowCidrs'>): Outbound =>
  createOutbound({ ...options, allowCidrs: EVERYWHERE })

/** The same access, restricted to public addresses. */
export function publicOnly({ guard, pinger }: Outbound): Outbound {
  return { guard: { ...guard, allow: [], publicNamesOnly: true }, pinger }
}
