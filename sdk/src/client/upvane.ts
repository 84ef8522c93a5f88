import type { Incidents } from '../api/incidents.ts'
import type { MaintenanceWindows } from '../api/maintenance-windows.ts'
import type { Monitors } from '../api/monitors.ts'
import { OPERATIONS } from '../api/operations.ts'
import type { StatusIncidents } from '../api/status-incidents.ts'
import type { StatusPages } from '../api/status-pages.ts'
import type { WebhookDeliveries } from '../api/webhook-deliveries.ts'
import type { WebhookEndpoints } from '../api/webhook-endpoints.ts'
import { type Call, toCall } from './call.ts'
import { List } from './list.ts'
import type { CallOptions, UpvaneOptions, WriteOptions } from './options.ts'
import type { Query } from './request.ts'
import { readSettings } from './settings.ts'
import { createTransport, type Send } from './transport.ts'

export type RequestOptions = WriteOptions & { query?: Query; body?: unknown }

/** A client of the API of one installation, for one key. */
export class Upvane {
  readonly monitors: Monitors
  readonly incidents: Incidents
  readonly statusPages: StatusPages
  readonly maintenanceWindows: MaintenanceWindows
  readonly statusIncidents: StatusIncidents
  readonly webhookEndpoints: WebhookEndpoints
  readonly webhookDeliveries: WebhookDeliveries
  readonly #send: Send

  constructor(options: UpvaneOptions) {
    const send = createTransport(readSettings(options))
    this.#send = send
    this.monitors = bind<Monitors>(send, OPERATIONS.monitors)
    this.incidents = bind<Incidents>(send, OPERATIONS.incidents)
    this.statusPages = bind<StatusPages>(send, OPERATIONS.statusPages)
    this.maintenanceWindows = bind<MaintenanceWindows>(send, OPERATIONS.maintenanceWindows)
    this.statusIncidents = bind<StatusIncidents>(send, OPERATIONS.statusIncidents)
    this.webhookEndpoints = bind<WebhookEndpoints>(send, OPERATIONS.webhookEndpoints)
    this.webhookDeliveries = bind<WebhookDeliveries>(send, OPERATIONS.webhookDeliveries)
  }

  /** For operations that this version does not know. `path` is below /api/v1, or starts with /api/. */
  request<Data = unknown>(
    method: string,
    path: string,
    { query, body, ...options }: RequestOptions = {},
  ): Call<Data> {
    const operation = `${method} ${path}`
    return toCall(this.#send<Data>({ operation, method, path, query, body }, options))
  }
}

// The generated types describe exactly what the generated table makes.
function bind<Resource extends object>(
  send: Send,
  rows: { readonly [Name in keyof Resource]: string },
): Resource {
  const entries: [string, string][] = Object.entries(rows)
  return Object.fromEntries(
    entries.map(([name, row]) => [name, bindOperation(send, row)]),
  ) as Resource
}

function bindOperation(send: Send, row: string): unknown {
  const [operation = '', method = '', path = '', hasInput] = row.split(' ')
  if (operation.startsWith('list'))
    return (query: Query | undefined, options: CallOptions | undefined) =>
      new List(send, { operation, method, path, query }, options)
  return (...given: unknown[]) => {
    const id = path.includes('{id}') ? given.shift() : undefined
    const input = hasInput === undefined ? undefined : given.shift()
    const [options] = given as [WriteOptions | undefined]
    const body = method === 'POST' || method === 'PATCH' ? (input ?? {}) : undefined
    return toCall(send({ operation, method, path, id, body }, options))
  }
}
