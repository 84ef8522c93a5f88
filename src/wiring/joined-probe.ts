// How a probe joins from another machine, and the identity it has from then on.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, RequestOutcome } from '../bus/bus.ts'
import { openNatsBus } from '../bus/nats-bus.ts'
import { isRefusedUser, natsFault } from '../bus/nats-fault.ts'
import { newSeed, publicKeyOf } from '../bus/nats-jwt.ts'
import {
  decodeToken,
  type JoinRequest,
  joinRequestName,
  MAX_JOIN_BYTES,
  type ProbeFile,
  type ProbeToken,
  readProbeFile,
} from '../bus/probe-token.ts'
import { listAddresses } from '../domain/operating/private-targets.ts'
import { isPermitted, parseAllowList } from '../outbound/permit.ts'
import type { Config } from '../platform/config/config.ts'
import { StartError } from '../platform/process/start-error.ts'

const JOIN_TIMEOUT_MS = 5000
// A request or its response can get lost, and the connection end; the same key may ask again.
const JOIN_TRIES = 3
const RECONNECT_MS = 1500
const ONLY_OWNER = 0o600

/** Undefined if this machine has not joined. */
export function findProbeFile(path: string): ProbeFile | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read. Run this as the user who joined, or as root.`)
  }
  const file = readProbeFile(text)
  if (file === undefined)
    throw new StartError(`${path} is not a probe's file. Delete it and join again.`)
  return file
}

/**
 * A user in NATS_URL takes precedence: then the environment identifies this probe. NATS_CREDS_FILE does not: on a machine of
 * the service it is the service's identity.
 */
export function withJoinedProbe(config: Config): Config {
  if (config.natsUrl !== undefined && config.natsCredsFile === undefined) return config
  const file = findProbeFile(config.probeFile)
  if (file === undefined || file.jwt === '') return config
  const { url, ca, region, name, jwt, seed } = file
  const natsIdentity = { name, jwt, seed, ca }
  const natsCaFile = ca === '' ? config.natsCaFile : undefined
  const joined = { natsUrl: url, natsCaFile, natsCredsFile: undefined, natsIdentity }
  return { ...config, ...joined, region, probeName: name }
}

/** `warning`: what the operator should change on this machine. */
export type JoinedByToken = { region: string; name: string; warning?: string }

type Way = Pick<Config, 'natsProxy' | 'natsCaFile'>
type JoinConfig = Pick<Config, 'probeFile' | 'probeAllowCidrs'> & Way

/** NATS_CA_FILE of this machine counts if the token has no authority of its own. */
function wayTo(ca: string, { natsProxy: proxy, natsCaFile: caFile }: Way) {
  return { proxy, ...(ca !== '' ? { ca } : caFile !== undefined && { caFile }) }
}

export async function joinByToken(config: JoinConfig, tokenText: string): Promise<JoinedByToken> {
  const { probeFile: path, probeAllowCidrs } = config
  const token = decodeToken(tokenText)
  if (token === undefined)
    throw new StartError('This is not a token. Create one with upvane region add.')
  // Written before the request: if the response is lost, the same key can request again.
  const seed = findProbeFile(path)?.seed ?? newSeed('user')
  const { url, ca } = token
  writeProbeFile(path, { url, ca, region: '', name: '', jwt: '', seed })
  const { privateAddresses, ...identity } = await requestToJoin(token, publicKeyOf(seed), config)
  writeProbeFile(path, { url, ca, seed, ...identity })
  const allow = parseAllowList(probeAllowCidrs)
  const refused = privateAddresses.filter((address) => !isPermitted(address, allow))
  const { region, name } = identity
  if (refused.length === 0) return { region, name }
  const warning = `PROBE_ALLOW_CIDRS of this machine does not permit ${listAddresses(refused)}, which monitors of region ${region} have. Set it as on the other machines, and restart the probe.`
  return { region, name, warning }
}

/** Why the installation does not let this probe in anymore; undefined if it does, or cannot be asked now. */
export async function findRefusal(
  { url, ca, name, jwt, seed }: ProbeFile,
  config: Way,
): Promise<string | undefined> {
  const identity = { name, jwt, seed }
  const options = { url, identity, ...wayTo(ca, config), onError: () => {} }
  const reason = await openNatsBus(options).then(
    (bus) => bus.close().then(() => ''),
    ({ message }: Error) => message,
  )
  return isRefusedUser(reason) ? natsFault(reason, 'joined') : undefined
}

async function requestToJoin(token: ProbeToken, publicKey: string, config: Way) {
  const { url, ca, id, secret, jwt, seed } = token
  const identity = { name: `join-${id}`, jwt, seed }
  const way = wayTo(ca, config)
  const options = { url, identity, ...way, maxMessageBytes: MAX_JOIN_BYTES, onError: () => {} }
  const bus = await openNatsBus(options).catch((error: Error) => {
    throw new StartError(`${explain(error)} (${error.message})`)
  })
  try {
    const outcome = await askToJoin(bus, joinRequestName(token), { id, secret, publicKey })
    if (outcome.kind !== 'answer')
      throw new StartError(
        'The installation does not answer. Is its api running, and connected to NATS?',
      )
    return readJoinResponse(outcome.body)
  } finally {
    await bus.close()
  }
}

async function askToJoin(bus: Bus, name: string, body: JoinRequest): Promise<RequestOutcome> {
  let outcome = await bus.request(name, body, JOIN_TIMEOUT_MS)
  for (let tries = 1; tries < JOIN_TRIES; tries++) {
    if (outcome.kind === 'answer' || outcome.kind === 'error') return outcome
    if (outcome.kind === 'nobody') await sleep(RECONNECT_MS)
    outcome = await bus.request(name, body, JOIN_TIMEOUT_MS)
  }
  return outcome
}

type JoinResponse = Pick<ProbeFile, 'region' | 'name' | 'jwt'> & { privateAddresses: string[] }

function readJoinResponse(body: unknown): JoinResponse {
  const { joined, refused } = body as { joined?: Record<string, unknown>; refused?: unknown }
  if (typeof refused === 'string') throw new StartError(refused)
  const { region, name, jwt, privateAddresses } = joined ?? {}
  if (typeof region !== 'string' || typeof name !== 'string' || typeof jwt !== 'string')
    throw new StartError('The answer of the installation is not readable. Are both of one version?')
  // An older version sends none.
  const given = Array.isArray(privateAddresses) ? privateAddresses : []
  const isText = (value: unknown) => typeof value === 'string'
  return { region, name, jwt, privateAddresses: given.filter(isText) }
}

function explain({ message }: Error): string {
  if (/authorization|expired/i.test(message))
    return 'NATS refuses this token. It was used before, or has expired.'
  if (/certificate|self-signed|unable to verify/i.test(message))
    return 'The certificate of the NATS server was not signed by the authority in the token.'
  return 'NATS cannot be reached.'
}

function writeProbeFile(path: string, file: ProbeFile): void {
  const draft = `${path}.new`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: ONLY_OWNER })
    renameSync(draft, path)
  } catch {
    throw new StartError(`${path} cannot be written. Set PROBE_FILE to a path that can.`)
  }
}
