// How this process connects to NATS, and its probe's name there.
import { readFileSync } from 'node:fs'
import { natsUrlProblem, proxyProblem } from './config-values.ts'

export type BusConfig = Readonly<{
  /** Undefined: everything runs in one process, with no messages between machines. */
  natsUrl: string | undefined
  /** The CA that signed the NATS server's certificate, if it is not a public one. */
  natsCaFile: string | undefined
  /** A NATS user's claims and key, instead of a user in NATS_URL. */
  natsCredsFile: string | undefined
  /** How a WebSocket to NATS leaves this machine. Checks of monitors never use a proxy. */
  natsProxy: Readonly<{
    own: string | undefined
    /** What other programs use: HTTPS_PROXY and NO_PROXY. */
    general: string | undefined
    except: string
  }>
  /** Where `upvane probe join` stores the identity of this machine's probe. */
  probeFile: string
  /** What `upvane probe join` joins with, instead of its standard input. */
  probeToken: string | undefined
  /** Set from that file, never from the environment. */
  natsIdentity?: { name: string; jwt: string; seed: string; ca: string }
  /** Undefined: the probe uses the name of its NATS user. */
  probeName: string | undefined
}>

type Reader = {
  /** A variable that other programs define. */
  foreign(names: readonly string[]): string | undefined
  checked(name: string, fallback: string, problemOf: (text: string) => string | undefined): string
}

export const DEFAULT_PROBE_FILE = '/var/lib/upvane/probe.json'
const PROBE_NAME = /^[A-Za-z0-9_-]{1,64}$/

export function readBusConfig(read: Reader): BusConfig {
  return {
    natsUrl: read.checked('NATS_URL', '', natsUrlProblem) || undefined,
    natsCaFile: read.checked('NATS_CA_FILE', '', fileProblem) || undefined,
    natsCredsFile: read.checked('NATS_CREDS_FILE', '', fileProblem) || undefined,
    natsProxy: {
      own: read.checked('NATS_PROXY', '', proxyProblem) || undefined,
      general: read.foreign(['HTTPS_PROXY', 'https_proxy']),
      except: read.foreign(['NO_PROXY', 'no_proxy']) ?? '',
    },
    probeFile: read.checked('PROBE_FILE', DEFAULT_PROBE_FILE, () => undefined),
    probeToken: read.checked('PROBE_TOKEN', '', () => undefined) || undefined,
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
