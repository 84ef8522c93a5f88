// How much of a process one organization, person or network may use, at once or per minute.

type Bounds = { fallback: number; min: number; max: number }
type Read = { integer(name: string, bounds: Bounds): number }

export type LimitConfig = Readonly<{
  /** Out of DATABASE_CONNECTIONS, at once. */
  connectionsPerOrganization: number
  /** To the private API per minute; 0: no limit. */
  requestsPerSession: number
  requestsPerOrganization: number
  /** Without a session, such as when signing in. */
  requestsPerNetwork: number
  /** Open connections to the public server. */
  connections: number
  /** From one network that is not a trusted proxy; 0: no limit. */
  connectionsPerNetwork: number
}>

const CONNECTIONS_PER_ORGANIZATION = { fallback: 4, min: 1, max: 500 }
const REQUESTS_PER_SESSION = { fallback: 600, min: 0, max: 1e8 }
const REQUESTS_PER_ORGANIZATION = { fallback: 3_000, min: 0, max: 1e8 }
const REQUESTS_PER_NETWORK = { fallback: 1_200, min: 0, max: 1e8 }
const CONNECTIONS = { fallback: 10_000, min: 10, max: 1_000_000 }
const CONNECTIONS_PER_NETWORK = { fallback: 1_000, min: 0, max: 1_000_000 }

export function readLimitConfig(read: Read): LimitConfig {
  return {
    connectionsPerOrganization: read.integer(
      'DATABASE_CONNECTIONS_PER_ORGANIZATION',
      CONNECTIONS_PER_ORGANIZATION,
    ),
    requestsPerSession: read.integer('APP_REQUESTS_PER_SESSION', REQUESTS_PER_SESSION),
    requestsPerOrganization: read.integer(
      'APP_REQUESTS_PER_ORGANIZATION',
      REQUESTS_PER_ORGANIZATION,
    ),
    requestsPerNetwork: read.integer('APP_REQUESTS_PER_NETWORK', REQUESTS_PER_NETWORK),
    connections: read.integer('MAX_CONNECTIONS', CONNECTIONS),
    connectionsPerNetwork: read.integer('MAX_CONNECTIONS_PER_NETWORK', CONNECTIONS_PER_NETWORK),
  }
}
