import { randomBytes } from 'node:crypto'
import { findNatsUser } from '../bus/nats-options.ts'
import { createRegistrationCache } from '../checks/registration.ts'
import { generatedName } from '../domain/operating/probe-names.ts'
import { createControlTargets } from '../engine/probing/control-targets.ts'
import { startProbe } from '../engine/probing/probe.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { localNetworks } from '../outbound/local-networks.ts'
import type { Config } from '../platform/config/config.ts'
import { ProbeMetrics } from '../platform/metrics/probe-metrics.ts'
import type { Log } from '../platform/observability/log.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import type { Context } from './context.ts'

const USER_AGENT = 'Upvane/1 (uptime monitoring)'
const MAX_DOMAINS = 100_000

export async function startProbeRole(
  context: Context,
  settings: Record<string, string>,
): Promise<Part[]> {
  const { config, log, eventLoop, metrics, tracer, bus, version } = context
  const outbound = createOutbound({
    allowCidrs: config.probeAllowCidrs,
    nat64Prefixes: config.nat64Prefixes,
    dnsServers: config.probeDnsServers,
    userAgent: USER_AGENT,
  })
  const probe = await startProbe({
    bus,
    place: { region: config.region, probe: probeName(config) },
    settings,
    networks: networkReader(log),
    allows: config.probeAllowCidrs,
    outbound,
    registry: {
      bootstrapUrl: config.rdapBootstrapUrl,
      whoisServer: config.whoisServer,
      cache: createRegistrationCache(MAX_DOMAINS),
    },
    controls: createControlTargets(outbound, config.probeControlTargets),
    capacity: config.probeCapacity,
    capacityPerOrganization: config.probeCapacityPerOrganization,
    eventLoop,
    metrics: new ProbeMetrics(metrics.registry),
    tracer,
    log,
    version,
  })
  return [{ name: 'probe', stop: probe.stop }]
}

/** None where the service manager refuses to ask the kernel, as the units of version 0.1 do. */
function networkReader(log: Log): () => string[] {
  let isRefused = false
  return () => {
    if (isRefused) return []
    try {
      return localNetworks()
    } catch (err) {
      isRefused = true
      log.warn({ err }, 'cannot read the networks of this machine; a unit needs AF_NETLINK for it')
      return []
    }
  }
}

/** NATS permits a probe to announce itself only under its user's name. */
function probeName({ probeName: given, natsUrl }: Config): string {
  const user = natsUrl === undefined ? undefined : findNatsUser(natsUrl)
  return given ?? user ?? generatedName(randomBytes(6).toString('hex'))
}
