// The processes of one simulated installation. Each runs the product's own roles, wired as in production, and can be
// stopped at any moment.
import { recordPings } from '../../../src/actions/results/record-pings.ts'
import { createWireBus } from '../../../src/bus/wire-bus.ts'
import { startReceiptRecorder } from '../../../src/engine/probing/ping-receipt.ts'
import { type Config, readConfig } from '../../../src/platform/config/config.ts'
import { createMetrics } from '../../../src/platform/metrics/metrics.ts'
import { limitedLog } from '../../../src/platform/observability/log.ts'
import { Database } from '../../../src/store/core/db.ts'
import { OrganizationSecrets } from '../../../src/store/core/organization-secrets.ts'
import { type Context, openPool } from '../../../src/wiring/context.ts'
import { startDispatcherRole } from '../../../src/wiring/dispatcher.ts'
import { startJanitorRole } from '../../../src/wiring/janitor.ts'
import { startProbeRole } from '../../../src/wiring/probe.ts'
import { startSchedulerRole } from '../../../src/wiring/scheduler.ts'
import { disguised } from './platform/disguise.ts'
import type { SimHub } from './platform/hub.ts'
import { type Owner, reach, runAs } from './platform/virtual-time.ts'

type Role = 'scheduler' | 'probe' | 'dispatcher' | 'janitor' | 'api'
export type Plan = { name: string; roles: readonly Role[]; region: string; version?: string }

export const MASTER_KEY = `sim:${Buffer.alloc(32, 7).toString('base64')}`
const VERSION = '0.2.0'
const START_AGAIN_MS = 3000

type InstallationDeps = {
  hub: SimHub
  tickMsOf(name: string): number
  skewMsOf(name: string): number
  isOld(name: string): boolean
  isLying(name: string): boolean
  log(owner: Owner, line: string): void
  /** A process that could not start: its start was interrupted, or the database was away. */
  failed(owner: Owner, error: unknown): void
}

export class Installation {
  readonly #deps: InstallationDeps
  readonly running = new Map<string, { owner: Owner; plan: Plan }>()
  readonly #taking = new Map<Owner, (token: string) => Promise<void>>()

  constructor(deps: InstallationDeps) {
    this.#deps = deps
  }

  start(plan: Plan): void {
    const { name } = plan
    const { tickMsOf, skewMsOf } = this.#deps
    const times = { tickMs: tickMsOf(name), skewMs: skewMsOf(name) }
    const owner: Owner = { name, isDead: false, ...times }
    this.running.set(plan.name, { owner, plan })
    runAs(owner, () => {
      this.#run(owner, plan).catch((error: unknown) => {
        if (owner.isDead) return
        this.#deps.failed(owner, error)
        // As a service manager does.
        this.crash(owner)
        setTimeout(() => this.start(plan), START_AGAIN_MS)
      })
    })
  }

  /** A job sends a ping. Resolves when it is answered; never, if the process dies meanwhile. */
  ping(token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const [found] = this.#taking
      if (found === undefined) return reject(new Error('Nobody takes pings'))
      const [owner, take] = found
      reach(owner, () => void take(token).then(resolve, reject))
    })
  }

  /** The process is gone from one moment to the next. */
  crash(owner: Owner): void {
    owner.isDead = true
    this.#deps.hub.forget(owner)
    this.#taking.delete(owner)
    if (this.running.get(owner.name)?.owner === owner) this.running.delete(owner.name)
  }

  async #run(owner: Owner, { name, roles, region, version = VERSION }: Plan): Promise<void> {
    const config = configOf(name, region)
    const write = (line: string) => this.#deps.log(owner, line)
    const { log } = limitedLog('info', { write, flushSync: () => {} })
    const wire = disguised(this.#deps.hub.wireOf(owner), {
      isOld: this.#deps.isOld(name),
      isLying: () => this.#deps.isLying(name),
    })
    const bus = createWireBus(wire, name, (err) => log.warn({ err }, 'bus'))
    const context: Context = {
      config,
      log,
      metrics: createMetrics(version),
      eventLoop: { hasStalledSince: () => false, stop: () => {} },
      tracer: undefined,
      bus,
      version,
    }
    if (roles.includes('api')) this.#taking.set(owner, await startReceiving(context))
    if (roles.includes('scheduler')) await startSchedulerRole(context)
    if (roles.includes('probe')) await startProbeRole(context, {})
    if (roles.includes('dispatcher')) startDispatcherRole(context)
    if (roles.includes('janitor')) startJanitorRole(context)
  }
}

/** Returns what takes a ping. */
async function startReceiving(context: Context): Promise<(token: string) => Promise<void>> {
  const database = openPool(context, 'api', 'upvane_engine', 2)
  const secrets = new OrganizationSecrets(context.config.masterKeys)
  await startReceiptRecorder(database, context.config.region, context.log)
  return async (token) => {
    const ping = { token, signal: 'SUCCESS', rid: null, body: null } as const
    await recordPings({ database, secrets }, [{ ...ping, receivedMs: performance.now() }])
  }
}

function configOf(name: string, region: string): Config {
  return readConfig({
    DATABASE_URL: 'postgres://upvane:upvane@127.0.0.1:5432/upvane',
    MASTER_KEYS: MASTER_KEY,
    REGION: region,
    PROBE_NAME: name,
    PROBE_ALLOW_CIDRS: '10.0.0.0/8',
    PROBE_DNS_SERVERS: '203.0.113.53',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8',
  })
}

export const openDatabase = (role: 'upvane_app' | 'upvane_engine'): Database =>
  new Database({ url: configOf('people', 'eu').databaseUrl, role, connections: 2 })
