// Whether the probes may reach the private addresses that monitors of their region have.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeAnnouncement } from '../../bus/bus.ts'
import { openNatsBus } from '../../bus/nats-bus.ts'
import { type DoctorFinding, ok, warn } from '../../domain/operating/doctor.ts'
import {
  findShortages,
  listAddresses,
  type ProbeReach,
} from '../../domain/operating/private-targets.ts'
import { isPermitted, parseAllowList } from '../../outbound/permit.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../store/core/db.ts'
import { findPrivateAddresses } from '../../store/operating/private-addresses.ts'
import { natsOptionsOf } from './local.ts'

// Probes announce themselves every two seconds.
const LISTEN_MS = 2_500
const MAX_PROBES = 1000
const MAX_SHORTAGES = 10

export async function checkPrivateTargets(
  engine: Database,
  config: Config,
): Promise<DoctorFinding[]> {
  const needed = await engine.transaction(undefined, findPrivateAddresses)
  if (needed.length === 0) return [ok('no monitor has a private address')]
  const shortages = findShortages(needed, await listProbes(config), isReachable)
  if (shortages.length === 0) return [ok('the probes may reach the private addresses of monitors')]
  return shortages
    .slice(0, MAX_SHORTAGES)
    .map(({ name, region, addresses }) =>
      warn(
        `${name} in region ${region} may not reach ${listAddresses(addresses)}, which monitors of that region have. Set PROBE_ALLOW_CIDRS on its machine as on the others, and restart it.`,
      ),
    )
}

/** A probe on another machine says what it may reach; one without NATS has the settings of this machine. */
async function listProbes(config: Config): Promise<ProbeReach[]> {
  const heard = config.natsUrl === undefined ? [] : await listen(config, config.natsUrl)
  const { region, probeAllowCidrs: allows } = config
  const isHeard = heard.some((probe) => probe.region === region)
  return isHeard ? heard : [...heard, { region, name: 'the probe of this machine', allows }]
}

async function listen(config: Config, natsUrl: string): Promise<ProbeReach[]> {
  // The check of NATS says what is wrong with it.
  const bus = await openNatsBus({ ...natsOptionsOf(config, natsUrl), onError: () => {} })
  const heard = new Map<string, ProbeReach>()
  try {
    await bus.onAnnouncement(({ region, probe, allows }: ProbeAnnouncement) => {
      if (allows !== undefined && heard.size < MAX_PROBES)
        heard.set(`${region} ${probe}`, { region, name: probe, allows })
    })
    await sleep(LISTEN_MS)
  } finally {
    await bus.close()
  }
  return [...heard.values()]
}

/** What a probe sends may be no network: then it permits nothing. */
function isReachable(address: string, allows: readonly string[]): boolean {
  return allows.some((cidr) => {
    try {
      return isPermitted(address, parseAllowList([cidr]))
    } catch {
      return false
    }
  })
}
