// How many clients may follow changes at once, and for how long they may be disconnected.

type Bounds = { fallback: number; min: number; max: number }
type Read = { integer(name: string, bounds: Bounds): number }

export type StreamConfig = Readonly<{
  perSession: number
  perUser: number
  perOrganization: number
  perProcess: number
  /** A client that returns later gets no missed changes and must reload everything. */
  replaySeconds: number
}>

const PER_SESSION = { fallback: 20, min: 1, max: 1000 }
const PER_USER = { fallback: 40, min: 1, max: 10_000 }
const PER_ORGANIZATION = { fallback: 500, min: 1, max: 100_000 }
const PER_PROCESS = { fallback: 5000, min: 0, max: 100_000 }
const REPLAY_SECONDS = { fallback: 600, min: 0, max: 3600 }

export function readStreamConfig(read: Read): StreamConfig {
  return {
    perSession: read.integer('STREAMS_PER_SESSION', PER_SESSION),
    perUser: read.integer('STREAMS_PER_USER', PER_USER),
    perOrganization: read.integer('STREAMS_PER_ORGANIZATION', PER_ORGANIZATION),
    perProcess: read.integer('STREAMS_PER_PROCESS', PER_PROCESS),
    replaySeconds: read.integer('STREAM_REPLAY_SECONDS', REPLAY_SECONDS),
  }
}
