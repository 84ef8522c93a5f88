// `upvane doctor` on a machine that only runs a probe, which has no database and no master key.
import { readFileSync } from 'node:fs'
import type { Bus, ProbeLocation } from '../../bus/bus.ts'
import { findNatsUser, type NatsOptions } from '../../bus/nats-options.ts'
import { readProbeFile } from '../../bus/probe-token.ts'
import { type DoctorFinding, fail, skip } from '../../domain/operating/doctor.ts'
import type { Config } from '../../platform/config/config.ts'
import { natsOptionsOf, tryNats } from './local.ts'
import type { DoctorCheck } from './run-check.ts'

const SERVICE = 'Run upvane doctor on a machine of the service, which has DATABASE_URL.'
const SKIPPED: readonly (readonly [check: string, reason: string])[] = [
  ['database', `Not checked: a probe has no database and no master keys. ${SERVICE}`],
  ['clock', "Not checked: only the database's clock is compared with. Look at timedatectl here."],
  ['probes', `Not checked: the service knows which probes are live. ${SERVICE}`],
  ['mail relay', 'Not checked: a probe sends no email.'],
]

/** With a database or a master key it is a service machine, whatever else is missing. */
export function isProbeHost(environment: NodeJS.ProcessEnv, defaultProbeFile: string): boolean {
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  const hasAny = (names: readonly string[]) =>
    names.some((name) => isSet(name) || isSet(`${name}_FILE`))
  if (hasAny(['DATABASE_URL', 'MASTER_KEYS'])) return false
  return hasAny(['NATS_URL']) || isSet('PROBE_FILE') || isThere(defaultProbeFile)
}

export function probeChecks(config: Config): DoctorCheck[] {
  return [
    ['NATS', () => checkProbeNats(config)],
    ...SKIPPED.map(([check, reason]): DoctorCheck => [check, () => [skip(reason)]]),
  ]
}

/** The file with this probe's identity, unless the environment has it. */
export function probeFileOf(config: Config): NodeJS.ProcessEnv {
  const { probeFile } = config
  return usesProbeFile(config) && isThere(probeFile) ? { PROBE_FILE: probeFile } : {}
}

/** As a probe decides when it starts. */
function usesProbeFile({ natsUrl, natsCredsFile }: Config): boolean {
  return natsUrl === undefined || natsCredsFile !== undefined
}

function isThere(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ENOENT'
  }
}

async function checkProbeNats(config: Config): Promise<DoctorFinding[]> {
  const { natsUrl, region, probeName } = config
  const isJoined = usesProbeFile(config) && isThere(config.probeFile)
  const who =
    natsUrl === undefined || isJoined
      ? readIdentity(config)
      : {
          options: natsOptionsOf(config, natsUrl),
          place: { region, probe: probeName ?? findNatsUser(natsUrl) ?? 'doctor' },
        }
  if (typeof who === 'string') return [fail(who)]
  return tryNats(who.options, { who: 'a probe', run: (bus) => tryAsProbe(bus, who.place) })
}

/** Returns the problem as a sentence if there is no identity. */
function readIdentity({
  probeFile: path,
  natsProxy: proxy,
  natsCaFile: caFile,
}: Config): { options: NatsOptions; place: ProbeLocation } | string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing
      ? `This probe has not joined: there is no ${path}. Run upvane probe join, or set NATS_URL.`
      : `${path} cannot be read. Run upvane doctor as the account of the probe.`
  }
  const file = readProbeFile(text)
  if (file === undefined) return `${path} is not a probe's file. Delete it and join again.`
  if (file.jwt === '')
    return 'This probe was not accepted yet. Run upvane probe join with a new token.'
  const { url, ca, region, name, jwt, seed } = file
  const identity = { name, jwt, seed }
  const authority = ca === '' ? { ...(caFile !== undefined && { caFile }) } : { ca }
  const options = { url, identity, proxy, name: 'upvane doctor', ...authority }
  return { options, place: { region, probe: name } }
}

/** While it listens it accepts no jobs: "busy" makes the service send them to another probe. */
async function tryAsProbe(bus: Bus, place: ProbeLocation): Promise<undefined> {
  bus.tryAnnouncing(place)
  const serving = await bus.serveJobs(place, () => 'busy')
  await serving.stop()
}
