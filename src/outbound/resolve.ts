// Resolves names with our own resolver: getaddrinfo cannot be aborted and blocks the thread pool.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { DnsRecordType } from '../domain/monitors/monitor.ts'
import { findLocalAddresses, type HostsFile } from './local-names.ts'
import { hasRoute } from './no-route.ts'
import { OutboundError, systemCodeOf } from './outbound-error.ts'
import { watchResolver } from './resolver-health.ts'

export type NameResolver = {
  /** Every address of a host, IPv4 first; an IP literal is returned as is. */
  lookup(host: string, signal: AbortSignal): Promise<readonly string[]>
  /** The records of one type as text; MX as `priority exchange`. */
  query(name: string, type: DnsRecordType, signal: AbortSignal): Promise<readonly string[]>
  /** Like `query`, but from the DNS servers only, ignoring the hosts file. */
  queryServers(name: string, type: DnsRecordType, signal: AbortSignal): Promise<readonly string[]>
}

type ResolverOptions = { servers: readonly string[]; hosts: HostsFile }

const NO_HOSTS: HostsFile = new Map()
const QUERY_OPTIONS = { timeout: 500, tries: 5 }
// One family's answer is enough, but the other gets this much longer to arrive.
const OTHER_FAMILY_WAIT_MS = 500
// The control query starts while a name is still unanswered: after the deadline there is no time left for it.
const SILENCE_MS = 400
const CONTROL_TIMEOUT_MS = 1_000

const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'])
const NOT_ANSWERED = new Set([
  'ESERVFAIL',
  'EREFUSED',
  'ENOTIMP',
  'EFORMERR',
  'EBADRESP',
  'ETIMEOUT',
])

export function createNameResolver({ servers, hosts }: ResolverOptions): NameResolver {
  const health = watchResolver(async () => {
    const root = queryResolver(open(), '.', 'NS', AbortSignal.timeout(CONTROL_TIMEOUT_MS))
    return root.then(
      () => true,
      (error) => error instanceof OutboundError && error.code === 'NAME_NOT_FOUND',
    )
  })

  // A new one per lookup, because cancel() ends all queries of its resolver.
  function open(): Resolver {
    const resolver = new Resolver(QUERY_OPTIONS)
    resolver.setServers(servers)
    return resolver
  }

  async function blameRightly<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
    const silence = setTimeout(() => health.isResponding(), SILENCE_MS)
    try {
      return await answer
    } catch (error) {
      throw await blame(error, signal, { servers, health })
    } finally {
      clearTimeout(silence)
    }
  }

  const queryBeside = (known: HostsFile): NameResolver['query'] => {
    return async (name, type, signal) => {
      const local = findLocalAddresses(name, known)
      if (local === undefined)
        return blameRightly(queryResolver(open(), name, type, signal), signal)
      return localRecords(local, type)
    }
  }

  return {
    async lookup(host, signal) {
      if (isIP(host) !== 0) return [host]
      const local = findLocalAddresses(host, hosts)
      if (local === undefined) return blameRightly(queryBothFamilies(open(), host, signal), signal)
      if (local.length === 0) throw new OutboundError('NAME_NOT_FOUND', 'ENOTFOUND')
      return local
    },
    query: queryBeside(hosts),
    queryServers: queryBeside(NO_HOSTS),
  }
}

type Resolvers = { servers: readonly string[]; health: ReturnType<typeof watchResolver> }

/** The error to report: whether the name gets no answer, our resolver does not work, or we have no route to it. */
async function blame(error: unknown, signal: AbortSignal, { servers, health }: Resolvers) {
  if (!(error instanceof OutboundError)) return error
  if (error.code === 'RESOLVER_UNREACHABLE') return blameOwnRoutes(servers, error)
  if (error.code !== 'NAME_NOT_ANSWERED') return error
  if (await Promise.race([health.isResponding(), falseWhenAborted(signal)])) return error
  return blameOwnRoutes(servers, new OutboundError('RESOLVER_UNREACHABLE', error.detail))
}

/** NO_ROUTE if none of the servers can be reached from this machine. */
async function blameOwnRoutes(
  servers: readonly string[],
  error: OutboundError,
): Promise<OutboundError> {
  const routes = await Promise.all(servers.map((server) => hasRoute(addressOf(server))))
  return routes.includes(true) ? error : new OutboundError('NO_ROUTE', error.detail)
}

/** Of `address`, `address:port` or `[address]:port`. */
function addressOf(server: string): string {
  if (isIP(server) !== 0) return server
  return server.slice(0, server.lastIndexOf(':')).replace(/^\[|\]$/g, '')
}

function localRecords(local: readonly string[], type: DnsRecordType): string[] {
  const family = type === 'A' ? 4 : 6
  const records = type === 'A' || type === 'AAAA' ? local.filter((a) => isIP(a) === family) : []
  if (records.length > 0) return records
  throw new OutboundError('NAME_NOT_FOUND', local.length === 0 ? 'ENOTFOUND' : 'ENODATA')
}

async function queryBothFamilies(
  resolver: Resolver,
  host: string,
  signal: AbortSignal,
): Promise<string[]> {
  const families = [
    queryResolver(resolver, host, 'A', signal),
    queryResolver(resolver, host, 'AAAA', signal),
  ]
  const both = Promise.allSettled(families)
  await Promise.any(families).catch(() => undefined)
  const waited = setTimeout(() => resolver.cancel(), OTHER_FAMILY_WAIT_MS)
  const responses = await both
  clearTimeout(waited)

  const addresses = responses.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  )
  if (addresses.length > 0) return addresses
  throw mostSpecific(responses.map((answer) => (answer as PromiseRejectedResult).reason))
}

// "Does not exist" applies to both families, "no answer" leaves it open, and "no data" covers only one family.
function mostSpecific(errors: unknown[]): unknown {
  const detailOf = (error: unknown) => (error instanceof OutboundError ? error.detail : '')
  return (
    errors.find((error) => detailOf(error) === 'ENOTFOUND') ??
    errors.find((error) => detailOf(error) !== 'ENODATA') ??
    errors[0]
  )
}

async function queryResolver(
  resolver: Resolver,
  name: string,
  type: DnsRecordType,
  signal: AbortSignal,
): Promise<string[]> {
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) throw new OutboundError('NAME_NOT_ANSWERED', 'ETIMEOUT')
    // Safe because only SOA returns a single object, and it is not one of our types.
    return toTexts((await resolver.resolve(name, type)) as unknown[])
  } catch (error) {
    throw toNameError(error)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function toTexts(records: unknown[]): string[] {
  return records.map((record) => {
    if (Array.isArray(record)) return record.join('')
    if (typeof record === 'string') return record
    // Safe because only MX, of our six types, returns objects.
    const { priority, exchange } = record as { priority: number; exchange: string }
    return `${priority} ${exchange}`
  })
}

function toNameError(error: unknown): unknown {
  const code = systemCodeOf(error)
  if (error instanceof OutboundError) return error
  if (NO_SUCH_NAME.has(code)) return new OutboundError('NAME_NOT_FOUND', code)
  if (NOT_ANSWERED.has(code)) return new OutboundError('NAME_NOT_ANSWERED', code)
  if (code === 'ECANCELLED') return new OutboundError('NAME_NOT_ANSWERED', 'ETIMEOUT')
  if (code === 'ECONNREFUSED') return new OutboundError('RESOLVER_UNREACHABLE', code)
  return error
}

function falseWhenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })
}
