// Metrics of every process, whatever its roles.
import { Counter, Gauge, type Registry } from 'prom-client'

export function processMetrics(registry: Registry) {
  const registers = [registry]
  return {
    heartbeatRequests: new Counter({
      name: 'upvane_heartbeat_requests_total',
      help: 'Requests to heartbeat addresses, by status of the response.',
      labelNames: ['status'],
      registers,
    }),
    pageRequests: new Counter({
      name: 'upvane_page_requests_total',
      help: 'Requests to status pages, by status of the response.',
      labelNames: ['status'],
      registers,
    }),
    mailFailures: new Counter({
      name: 'upvane_mail_failures_total',
      help: 'Emails that failed because of the relay and not the recipient, by kind: notification or operator.',
      labelNames: ['kind'],
      registers,
    }),
    clockOffset: new Gauge({
      name: 'upvane_clock_offset_seconds',
      help: "This process's clock minus the database's.",
      registers,
    }),
    watchBus(isConnected: () => boolean): void {
      new Gauge({
        name: 'upvane_bus_connected',
        help: '1 while this process is connected to the bus that carries check jobs, else 0.',
        registers,
        collect() {
          this.set(isConnected() ? 1 : 0)
        },
      })
    },
  }
}
