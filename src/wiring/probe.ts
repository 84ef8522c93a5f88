import { randomBytes } from 'node:crypto'
import { findNatsUser } from '../bus/nats-options.ts'
import { createRegistrationCache } from '../checks/registration.ts'
import { createControlTargets } from '../engine/probing/control-targets.ts'
import { startProbe } from '../engine/probing/probe.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { localNetworks } from '../outbound/local-networks.ts'
import type { Config } from '../platform/config/config.ts'
import { ProbeMetrics } from '../platform/metrics/probe-metrics.ts'
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
    networks: localNetworks,
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

/** NATS permits a probe to announce itself only under its user's name. */
function probeName({ probeName: given, natsUrl }: Config): string {
  const user = natsUrl === undefined ? undefined : findNatsUser(natsUrl)
  return given ?? user ?? `probe-${randomBytes(6).toString('hex')}`
}
