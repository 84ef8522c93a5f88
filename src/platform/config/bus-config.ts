// How this process connects to NATS, and its probe's name there.
import { readFileSync } from 'node:fs'
import { natsUrlProblem } from './config-values.ts'

export type BusConfig = Readonly<{
  /** Undefined: everything runs in one process, with no messages between machines. */
  natsUrl: string | undefined
  /** The CA that signed the NATS server's certificate, if it is not a public one. */
  natsCaFile: string | undefined
  /** A NATS user's claims and key, instead of a user in NATS_URL. */
  natsCredsFile: string | undefined
  /** Where `upvane probe join` stores the identity of this machine's probe. */
  probeFile: string
  /** Set from that file, never from the environment. */
  natsIdentity?: { name: string; jwt: string; seed: string; ca: string }
  /** Undefined: the probe uses the name of its NATS user. */
  probeName: string | undefined
}>

type Reader = {
  checked(name: string, fallback: string, problemOf: (text: string) => string | undefined): string
}

export const DEFAULT_PROBE_FILE = '/var/lib/upvane/probe.json'
const PROBE_NAME = /^[A-Za-z0-9_-]{1,64}$/

export function readBusConfig(read: Reader): BusConfig {
  return {
    natsUrl: read.checked('NATS_URL', '', natsUrlProblem) || undefined,
    natsCaFile: read.checked('NATS_CA_FILE', '', fileProblem) || undefined,
    natsCredsFile: read.checked('NATS_CREDS_FILE', '', fileProblem) || undefined,
    probeFile: read.checked('PROBE_FILE', DEFAULT_PROBE_FILE, () => undefined),
    probeName: read.checked('PROBE_NAME', '', probeNameProblem) || undefined,
  }
}

function fileProblem(file: string): string | undefined {
  try {
    readFileSync(file)
    return undefined
  } catch {
    return 'names a file that cannot be read'
  }
}

function probeNameProblem(name: string): string | undefined {
  if (PROBE_NAME.test(name)) return undefined
  return 'must be 1 to 64 letters, digits, hyphens or underscores'
}
