// Links within one page, as the visitor reached it: below /status/{slug}, or at the root of its custom domain.
import type { Reason } from '../../domain/monitors/day-bars.ts'

export type Links = {
  /** `/status/acme`, or empty on a custom domain. */
  base: string
  /** Where fonts, icon and script are. */
  assets: string
  home: string
  history: string
  ledger: string
  subscribe: string
  unlock: string
  incident(id: string): string
  window(id: string): string
  /** The explanation of a bad day: an incident, a window, or that day in the history. */
  day(reason: Reason | null, date: string): string
  file(name: string): string
}

export function linksAt(base: string): Links {
  const links: Links = {
    base,
    assets: base === '' ? '/-' : '/status/-',
    home: base === '' ? '/' : base,
    history: `${base}/history`,
    ledger: `${base}/ledger`,
    subscribe: `${base}/subscribe`,
    unlock: `${base}/unlock`,
    incident: (id) => `${base}/incidents/${id}`,
    window: (id) => `${base}/maintenance/${id}`,
    day(reason, date) {
      if (reason?.kind === 'INCIDENT') return links.incident(reason.id)
      if (reason?.kind === 'WINDOW' && reason.id !== '') return links.window(reason.id)
      return `${links.history}#d-${date}`
    },
    file: (name) => `${base}/${name}`,
  }
  return links
}
