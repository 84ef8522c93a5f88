// Acme's webhook endpoints and maintenance windows.
import type { Addresses } from './targets.ts'

const MINUTE_MS = 60_000

export function listEndpoints(at: Addresses) {
  const url = (host: string, path: string) => `https://${host}.acme.example:${at.hooks}${path}`
  return [
    {
      url: url('tickets', '/incidents'),
      description: 'Opens a ticket for each incident',
      eventTypes: ['incident.opened', 'incident.acknowledged', 'incident.resolved'],
    },
    {
      url: url('data', '/upvane'),
      description: 'All events, for operations reports',
      eventTypes: ['*'],
    },
    {
      url: url('warehouse', '/warehouse/events'),
      description: 'Stops picking while the shop is down',
      eventTypes: ['monitor.down', 'monitor.up', 'incident.opened'],
    },
  ]
}

export function listWindows(idOf: (monitor: string) => string) {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString()
  const at = (days: number, hour: number, minutes = 0) => {
    const date = new Date(Date.now() + days * 1440 * MINUTE_MS)
    date.setUTCHours(hour, minutes, 0, 0)
    return date.toISOString()
  }
  const toTuesday = ((2 - new Date().getUTCDay() + 6) % 7) + 1
  const covers = (...names: string[]) => ({ monitorIds: names.map(idOf) })
  return [
    {
      name: 'Replica disk migration',
      description: 'Reads go to the primary in the meantime.',
      startsAt: inMinutes(-35),
      endsAt: inMinutes(55),
      ...covers('PostgreSQL replica', 'PDF invoices'),
    },
    {
      name: 'Search index rebuild',
      description: 'Search results may be up to an hour old.',
      startsAt: at(toTuesday, 1),
      endsAt: at(toTuesday, 2),
      recurrence: { frequency: 'WEEKLY', interval: 1, daysOfWeek: ['TUESDAY'] },
      ...covers('Search index'),
    },
    {
      name: 'Database upgrade',
      description: 'The shop is read-only for about an hour.',
      startsAt: at(3, 3),
      endsAt: at(3, 4, 30),
      notifySubscribers: true,
      ...covers('PostgreSQL primary', 'Checkout', 'Payments gateway'),
    },
    {
      name: 'Frankfurt network',
      startsAt: at(11, 22),
      endsAt: at(11, 23, 45),
      ...covers('Load balancer Frankfurt', 'VPN gateway'),
    },
  ]
}
