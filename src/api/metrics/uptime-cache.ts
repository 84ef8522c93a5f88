// The uptime of an organization's monitors for scrapers that ask every few seconds. Reading a year of history takes far
// longer than everything else in a scrape, and changes little within minutes.
import { type UptimeRatios, uptimeRatios } from '../../domain/metrics/uptime-ratios.ts'
import { lastDays, type UptimeWindow, windowDays } from '../../domain/monitors/uptime-ranges.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findHistories } from '../../store/history/uptime.ts'

// Older values are still used, and computed again after the response.
const REFRESH_AFTER_MS = 5 * 60_000
// Older values are computed before the response.
const MAX_AGE_MS = 15 * 60_000
const CHUNK = 500
// About 200 bytes each.
const MAX_MONITORS = 200_000

type Known = { ratios: UptimeRatios; computedMs: number }
type Organization = { known: Map<number, Known>; isRefreshing: boolean }
type Computation = { tenant: Tenant; windows: readonly UptimeWindow[]; at: Date }

export class UptimeCache {
  readonly #log: Log
  readonly #nowMs: () => number
  /** By organization and windows. The one that was used last is at the end. */
  readonly #organizations = new Map<string, Organization>()

  constructor(log: Log, nowMs: () => number = () => performance.now()) {
    this.#log = log
    this.#nowMs = nowMs
  }

  /** The ratios of each monitor, in the order of `windows`. `at` is the database's time. */
  async ratiosOf(
    computation: Computation,
    monitorNos: readonly number[],
  ): Promise<ReadonlyMap<number, UptimeRatios>> {
    const organization = this.#use(`${computation.tenant.orgId} ${computation.windows.join()}`)
    const { known } = organization
    const missing = monitorNos.filter((no) => this.#ageMs(known.get(no)) > MAX_AGE_MS)
    await this.#compute(organization, computation, missing)
    const stale = monitorNos.filter((no) => this.#ageMs(known.get(no)) > REFRESH_AFTER_MS)
    if (stale.length > 0) void this.#refresh(organization, computation, stale)
    this.#forgetUnused()
    return new Map(monitorNos.map((no) => [no, known.get(no)?.ratios ?? []]))
  }

  #ageMs(known: Known | undefined): number {
    return known === undefined ? Number.POSITIVE_INFINITY : this.#nowMs() - known.computedMs
  }

  #use(key: string): Organization {
    const organization = this.#organizations.get(key) ?? { known: new Map(), isRefreshing: false }
    this.#organizations.delete(key)
    this.#organizations.set(key, organization)
    return organization
  }

  async #refresh(
    organization: Organization,
    computation: Computation,
    stale: readonly number[],
  ): Promise<void> {
    if (organization.isRefreshing) return
    organization.isRefreshing = true
    try {
      await this.#compute(organization, computation, stale)
      for (const [no, known] of organization.known)
        if (this.#ageMs(known) > MAX_AGE_MS) organization.known.delete(no)
    } catch (err) {
      // The values stay until they are too old; then a scrape fails with the reason.
      this.#log.warn({ err }, 'uptime for metrics was not refreshed')
    } finally {
      organization.isRefreshing = false
    }
  }

  async #compute(
    { known }: Organization,
    { tenant, windows, at }: Computation,
    monitorNos: readonly number[],
  ): Promise<void> {
    const within = lastDays(Math.max(...windows.map(windowDays)), at)
    for (let start = 0; start < monitorNos.length; start += CHUNK) {
      const chunk = monitorNos.slice(start, start + CHUNK)
      for (const [no, history] of await findHistories(tenant, chunk, within)) {
        const ratios = uptimeRatios(history, windows, at)
        known.set(no, { ratios, computedMs: this.#nowMs() })
      }
    }
  }

  #forgetUnused(): void {
    let monitors = 0
    for (const { known } of this.#organizations.values()) monitors += known.size
    for (const [key, { known }] of this.#organizations) {
      if (monitors <= MAX_MONITORS || this.#organizations.size === 1) return
      this.#organizations.delete(key)
      monitors -= known.size
    }
  }
}
