// What one organization, person or network may use of a process at the same time or in a minute.

type Bounds = { fallback: number; min: number; max: number }
type Read = { integer(name: string, bounds: Bounds): number }

export type LimitConfig = Readonly<{
  /** Of DATABASE_CONNECTIONS, at the same time. */
  connectionsPerOrganization: number
}>

const CONNECTIONS_PER_ORGANIZATION = { fallback: 4, min: 1, max: 500 }

export function readLimitConfig(read: Read): LimitConfig {
  return {
    connectionsPerOrganization: read.integer(
      'DATABASE_CONNECTIONS_PER_ORGANIZATION',
      CONNECTIONS_PER_ORGANIZATION,
    ),
  }
}
