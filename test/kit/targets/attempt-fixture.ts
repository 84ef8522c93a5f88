// Runs single attempts against targets on loopback, with a scripted DNS server behind them.
import type { HttpTarget } from '../../../src/checks/http.ts'
import { createRegistrationCache, type DomainRegistry } from '../../../src/checks/registration.ts'
import type { CheckTarget } from '../../../src/checks/registry.ts'
import { type AttemptResult, runAttempt } from '../../../src/checks/run-attempt.ts'
import { createOutbound } from '../../../src/outbound/create-outbound.ts'
import type { Outbound } from '../../../src/outbound/outbound-connection.ts'
import { startEventLoopWatch } from '../../../src/platform/observability/event-loop-watch.ts'
import { type DnsServer, type Script, startDnsServer } from './dns-server.ts'

export type AttemptFixtureOptions = {
  dns?: Script
  dnsServers?: string[]
  extraCas?: string[]
  allowCidrs?: string[]
  registry?: Pick<DomainRegistry, 'bootstrapUrl' | 'whoisServer'>
}

export type AttemptFixture = {
  outbound: Outbound
  dns: DnsServer
  attempt(target: CheckTarget, budgetMs?: number): Promise<AttemptResult>
  close(): Promise<void>
}

const NOWHERE = { bootstrapUrl: 'http://127.0.0.1:1/', whoisServer: '127.0.0.1:1' }

export async function openAttemptFixture(
  options: AttemptFixtureOptions = {},
): Promise<AttemptFixture> {
  const dns = await startDnsServer(options.dns ?? (() => 'NXDOMAIN'))
  const outbound = createOutbound({
    allowCidrs: options.allowCidrs ?? ['127.0.0.0/8', '::1/128'],
    dnsServers: options.dnsServers ?? [dns.address],
    extraCas: options.extraCas ?? [],
    userAgent: 'Upvane/test',
  })
  const eventLoop = startEventLoopWatch()
  const registry = { ...(options.registry ?? NOWHERE), cache: createRegistrationCache(100) }
  return {
    outbound,
    dns,
    attempt: (target, budgetMs = 2_000) =>
      runAttempt(target, { outbound, registry, eventLoop, budgetMs }),
    async close() {
      eventLoop.stop()
      dns.close()
      await outbound.pinger.close()
    },
  }
}

/** An HTTP target with the defaults of the public API. */
export function httpTarget(url: string, changes: Partial<HttpTarget> = {}): HttpTarget {
  return {
    type: 'HTTP',
    url,
    method: 'GET',
    requestHeaders: null,
    requestBody: null,
    expectedStatus: [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308],
    followRedirects: true,
    verifySsl: true,
    timeoutSeconds: 30,
    ...changes,
  }
}
