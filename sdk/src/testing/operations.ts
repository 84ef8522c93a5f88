// What each operation does to a fake's items.
import { matches } from './filters.ts'
import type { Fields, Item, ResourceName, Store } from './store.ts'
import { TEMPLATES } from './templates.ts'

export type Route = { operation: string; name: string; resource: ResourceName; id: string }
export type Asked = Route & { query: Fields; body: Fields }
export type Reply = { status: number; body: unknown }

type Act = (store: Store, item: Item, asked: Asked) => unknown

const SECRET_BYTES = 32

export function refuse(status: number, code: string, message: string, details?: object[]): Reply {
  return { status, body: { error: { code, message, ...(details ? { details } : {}) } } }
}

export function perform(store: Store, asked: Asked, baseUrl: string): Reply {
  const { name, resource, id, body } = asked
  if (name === 'list') return { status: 200, body: listPage(store, asked) }
  if (name === 'create') return create(store, asked, baseUrl)
  const item = store.find(resource, id)
  if (item === undefined) return refuse(404, 'not_found', 'There is no such resource.')
  if (name === 'get') return { status: 200, body: item }
  if (name === 'update') return { status: 200, body: store.update(resource, item, body) }
  if (name === 'delete') {
    store.remove(resource, id)
    return { status: 200, body: { data: { id } } }
  }
  if (name === 'check' && item['state'] === 'PAUSED')
    return refuse(409, 'conflict', 'The monitor is paused.')
  const status = name === 'addUpdate' ? 201 : 200
  return { status, body: ACTIONS[name]?.(store, item, asked) ?? item }
}

function listPage(store: Store, { resource, query }: Asked): unknown {
  const limit = Number(query['limit'] ?? 25)
  const offset = Number(query['offset'] ?? 0)
  const found = store.list(resource).filter((item) => matches(item, query))
  const pagination = { limit, offset, total: found.length }
  return { data: found.slice(offset, offset + limit), pagination }
}

function create(store: Store, { resource, body }: Asked, baseUrl: string): Reply {
  const missing = TEMPLATES[resource].required.filter((name) => body[name] === undefined)
  const details = missing.map((path) => ({ path, message: 'is required' }))
  if (details.length > 0)
    return refuse(400, 'validation_error', 'The request is not valid.', details)
  const item = store.add(resource, body)
  return { status: 201, body: CREATED[resource]?.(store, item, body, baseUrl) ?? item }
}

type Finish = (store: Store, item: Item, body: Fields, baseUrl: string) => unknown

const CREATED: Partial<Record<ResourceName, Finish>> = {
  monitors(_, item, __, baseUrl) {
    if (item['type'] === 'CRON') item['heartbeatUrl'] = `${baseUrl}/hb/${item.id}`
  },
  statusPages(store, item, _, baseUrl) {
    item['slug'] ||= item.id.replace('_', '-')
    item['url'] = `${baseUrl}/status/${String(item['slug'])}`
    item['sections'] = (item['sections'] as Fields[]).map((section) => ({
      id: store.makeId('sec_'),
      name: null,
      collapsed: false,
      ...section,
      components: ((section['components'] ?? []) as Fields[]).map((component) => ({
        id: store.makeId('cmp_'),
        name: '',
        description: null,
        monitorId: null,
        state: 'OPERATIONAL',
        ...component,
      })),
    }))
  },
  maintenanceWindows(_, item) {
    const { startsAt, endsAt } = item
    item['nextOccurrence'] = { startsAt, endsAt }
  },
  statusIncidents(store, item, body) {
    if (typeof body['message'] === 'string') addUpdate(store, item, body)
  },
  webhookEndpoints: (_, item) => withSecret(item),
}

const ACTIONS: Record<string, Act> = {
  pause: (store, item) => store.update('monitors', item, { state: 'PAUSED' }),
  resume: (store, item) =>
    item['state'] === 'PAUSED' ? store.update('monitors', item, { state: 'PENDING' }) : item,
  check: (store, item) =>
    Object.assign(item, { state: 'UP', lastCheckedAt: store.now(), lastResponseMs: 42 }),
  acknowledge: (store, item, { body }) =>
    Object.assign(item, {
      acknowledged: true,
      acknowledgedAt: item['acknowledgedAt'] ?? store.now(),
      acknowledgeNote: body['note'] ?? item['acknowledgeNote'],
    }),
  addUpdate: (store, item, { body }) => addUpdate(store, item, body),
  rotateSecret: (_, item) => withSecret(item),
  test: (store, { id, url }) =>
    store.add('webhookDeliveries', { endpointId: id, url, attempts: [], attemptCount: 0 }),
  retry: (store, item) => Object.assign(item, { status: 'PENDING', nextAttemptAt: store.now() }),
}

function addUpdate(store: Store, item: Item, body: Fields): Item {
  const status = body['status'] ?? item['status']
  const components = body['components'] ?? item['components']
  const update = {
    id: store.makeId('siu_'),
    status,
    message: body['message'],
    components,
    notifiedSubscribers: body['notifySubscribers'] ?? true,
    createdAt: store.now(),
  }
  const updates = [update, ...(item['updates'] as object[])]
  const resolvedAt = status === 'RESOLVED' ? store.now() : null
  return store.update('statusIncidents', item, { status, components, updates, resolvedAt })
}

function withSecret(item: Item): Item {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const secret = `whsec_${btoa(String.fromCharCode(...bytes))}`
  item['secretHint'] = secret.slice(-4)
  return { ...item, secret }
}
