// Reminders of domains: in Upvane a monitor of their own.
import { hostnameIn } from './address.ts'
import type { Collector } from './collector.ts'
import { ItemDraft } from './draft.ts'
import { setName } from './limits.ts'
import { toPlainText } from './values.ts'

const DEFAULT_DAYS = 30

/** `monitor` has the fields of the one that reminds. */
type Reminder = { monitor: Readonly<Record<string, unknown>>; days?: number }

type Domain = {
  days: number
  /** Undefined if one of its monitors alerts every contact. */
  contacts: Set<string> | undefined
}

/** One DOMAIN monitor for each name, however many monitors remind of it. It alerts the contacts of all of them. */
export class DomainMonitors {
  readonly #domains = new Map<string, Domain>()

  add(address: string, { monitor, days = DEFAULT_DAYS }: Reminder): void {
    const hostname = hostnameIn(address)?.toLowerCase()
    if (hostname === undefined || !isName(hostname)) return
    const contacts = contactsOf(monitor)
    const known = this.#domains.get(hostname)
    if (known === undefined) this.#domains.set(hostname, { days, contacts })
    else known.contacts = contacts && known.contacts?.union(contacts)
  }

  addTo(out: Collector): void {
    for (const [hostname, { days, contacts }] of this.#domains) {
      const draft = new ItemDraft()
      setName(draft, `${hostname} domain`.slice(0, 120))
      draft.set('type', 'DOMAIN')
      draft.set('url', hostname)
      draft.set('intervalSeconds', 86_400)
      draft.set('sslExpiryThresholdDays', Math.min(365, Math.max(1, Math.round(days))))
      if (contacts !== undefined) draft.set('contacts', [...contacts])
      out.addBeside('monitors', draft, 'The other tool reminds before this domain expires.')
    }
  }
}

function contactsOf({ contacts }: Readonly<Record<string, unknown>>): Set<string> | undefined {
  return Array.isArray(contacts) ? new Set(contacts.map(toPlainText)) : undefined
}

/** Addresses have no domain that expires. */
const isName = (hostname: string): boolean =>
  hostname.includes('.') && !hostname.includes(':') && !/^[\d.]+$/.test(hostname)
