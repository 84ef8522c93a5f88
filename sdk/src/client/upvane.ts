import type { Incidents } from '../api/incidents.ts'
import type { MaintenanceWindows } from '../api/maintenance-windows.ts'
import type { Monitors } from '../api/monitors.ts'
import { OPERATIONS } from '../api/operations.ts'
import type { StatusIncidents } from '../api/status-incidents.ts'
import type { StatusPages } from '../api/status-pages.ts'
import type { WebhookDeliveries } from '../api/webhook-deliveries.ts'
import type { WebhookEndpoints } from '../api/webhook-endpoints.ts'
import type { AlertContacts } from '../ext/alert-contacts.ts'
import type { Checks } from '../ext/checks.ts'
import type { EscalationPolicies } from '../ext/escalation-policies.ts'
import type { Incidents as ExtIncidents } from '../ext/incidents.ts'
import type { Monitors as ExtMonitors } from '../ext/monitors.ts'
import { EXT_OPERATIONS } from '../ext/operations.ts'
import type { Organization } from '../ext/organization.ts'
import type { Sources } from '../ext/sources.ts'
import type { Subscribers } from '../ext/subscribers.ts'
import type { Tags } from '../ext/tags.ts'
import { type Call, toCall } from './call.ts'
import { CursorList } from './cursor-list.ts'
import { List } from './list.ts'
import type { UpvaneOptions, WriteOptions } from './options.ts'
import type { Query } from './request.ts'
import { readSettings } from './settings.ts'
import { createTransport, type Send } from './transport.ts'

export type RequestOptions = WriteOptions & { query?: Query; body?: unknown }

/** The extension API: what keys can do beyond the public API. */
export type ExtensionApi = {
  readonly alertContacts: AlertContacts
  readonly escalationPolicies: EscalationPolicies
  readonly incidents: ExtIncidents
  readonly monitors: ExtMonitors
  readonly checks: Checks
  readonly organization: Organization
  readonly subscribers: Subscribers
  readonly tags: Tags
  readonly sources: Sources
}

/** Everything but `ext` and `request`. */
type PublicApi = Pick<Upvane, keyof typeof OPERATIONS>

/** A client of the API of one installation, for one key. */
export class Upvane {
  declare readonly monitors: Monitors
  declare readonly incidents: Incidents
  declare readonly statusPages: StatusPages
  declare readonly maintenanceWindows: MaintenanceWindows
  declare readonly statusIncidents: StatusIncidents
  declare readonly webhookEndpoints: WebhookEndpoints
  declare readonly webhookDeliveries: WebhookDeliveries
  readonly ext: ExtensionApi
  readonly #send: Send

  constructor(options: UpvaneOptions) {
    const send = createTransport(readSettings(options))
    this.#send = send
    Object.assign(this, bind<PublicApi>(send, OPERATIONS))
    this.ext = bind<ExtensionApi>(send, EXT_OPERATIONS)
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

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

// The generated types describe exactly what the generated tables make.
function bind<Api>(send: Send, table: Table): Api {
  return mapValues(table, (rows) => mapValues(rows, (row) => bindOperation(send, row))) as Api
}

function mapValues<Value>(object: Readonly<Record<string, Value>>, map: (value: Value) => unknown) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

function bindOperation(send: Send, row: string): unknown {
  const [operation = '', method = '', path = '', kind] = row.split(' ')
  const idCount = path.split('{id}').length - 1
  const isBody = kind === 'body'
  const isList = operation.startsWith('list')
  return (...given: unknown[]) => {
    const request = { operation, method, path, ids: given.splice(0, idCount) }
    const first = isBody || isList || kind === 'query' ? given.shift() : undefined
    const [options] = given as [WriteOptions | undefined]
    const query = isBody ? undefined : (first as Query | undefined)
    if (isList)
      return kind === undefined
        ? new List(send, { ...request, query }, options)
        : new CursorList(send, { ...request, query, cursor: kind }, options)
    const takesBody = isBody || method === 'POST' || method === 'PATCH'
    const body = takesBody ? ((isBody ? first : undefined) ?? {}) : undefined
    return toCall(send({ ...request, query, body }, options))
  }
}
