// Reminders of domains: in Upvane a monitor of their own.
import { hostnameIn } from './address.ts'
import type { Collector } from './collector.ts'
import { ItemDraft } from './draft.ts'
import { setName } from './limits.ts'

/** One DOMAIN monitor for each name, however many monitors remind of it. */
export class DomainMonitors {
  readonly #out: Collector
  readonly #seen = new Set<string>()

  constructor(out: Collector) {
    this.#out = out
  }

  add(address: string, days?: number): void {
    const hostname = hostnameIn(address)?.toLowerCase()
    if (hostname === undefined || !isName(hostname) || this.#seen.has(hostname)) return
    this.#seen.add(hostname)
    const draft = new ItemDraft()
    setName(draft, `${hostname} domain`.slice(0, 120))
    draft.set('type', 'DOMAIN')
    draft.set('url', hostname)
    draft.set('intervalSeconds', 86_400)
    draft.set('sslExpiryThresholdDays', Math.min(365, Math.max(1, Math.round(days ?? 30))))
    this.#out.addBeside('monitors', draft, 'The other tool reminds before this domain expires.')
  }
}

/** Addresses have no domain that expires. */
const isName = (hostname: string): boolean =>
  hostname.includes('.') && !hostname.includes(':') && !/^[\d.]+$/.test(hostname)
