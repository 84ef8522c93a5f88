// The items of a fake, newest first, as the API lists them.
import type { IncidentDetail } from '../api/incidents.ts'
import type { StatusPage } from '../api/status-pages.ts'
import type { WebhookDeliveryDetail } from '../api/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../api/webhook-endpoints.ts'
import type { MaintenanceWindow, Monitor, StatusIncident } from '../event-shapes.ts'
import { TEMPLATES } from './templates.ts'

export type FakeItems = {
  monitors: Monitor
  incidents: IncidentDetail
  statusPages: StatusPage
  maintenanceWindows: MaintenanceWindow
  statusIncidents: StatusIncident
  webhookEndpoints: WebhookEndpoint
  webhookDeliveries: WebhookDeliveryDetail
}
export type ResourceName = keyof FakeItems
/** An item of any resource. */
export type Item = Record<string, unknown> & { id: string }
export type Fields = Readonly<Record<string, unknown>>

const ID_CHARACTERS = 26

export class Store {
  readonly #items = new Map<ResourceName, Item[]>()
  readonly #now: () => Date
  #count = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  now(): string {
    return this.#now().toISOString()
  }

  list(resource: ResourceName): readonly Item[] {
    return this.#items.get(resource) ?? []
  }

  find(resource: ResourceName, id: string): Item | undefined {
    return this.list(resource).find((item) => item.id === id)
  }

  /** Unknown fields are left out, as the API does. */
  add(resource: ResourceName, fields: Fields): Item {
    const { prefix, template } = TEMPLATES[resource]
    const times = { createdAt: this.now(), updatedAt: this.now(), startedAt: this.now() }
    const given = { ...pick(template, times), id: this.makeId(prefix), ...pick(template, fields) }
    const item = { ...structuredClone(template), ...given } as Item
    this.#items.set(resource, [item, ...this.list(resource)])
    return item
  }

  update(resource: ResourceName, item: Item, fields: Fields): Item {
    const { template } = TEMPLATES[resource]
    const { id: _, ...changes } = pick(template, fields)
    return Object.assign(item, changes, pick(template, { updatedAt: this.now() }))
  }

  remove(resource: ResourceName, id: string): void {
    const others = this.list(resource).filter((item) => item.id !== id)
    this.#items.set(resource, others)
  }

  makeId(prefix: string): string {
    this.#count++
    return prefix + String(this.#count).padStart(ID_CHARACTERS, '0')
  }
}

function pick(template: object, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => name in template && value !== undefined),
  )
}
