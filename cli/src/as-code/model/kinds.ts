// What a file can hold, in the order in which it is written: later kinds refer to earlier ones.

export const RESOURCE_KINDS = [
  'contacts',
  'tags',
  'monitors',
  'statusPages',
  'maintenanceWindows',
  'webhookEndpoints',
] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

type KindRow = {
  /** In $defs of the schema. */
  definition: string
  /** How the ids of the API begin. */
  prefix: string
  /** Where the API has it. */
  path: string
  /** Where it is created with everything attached, in one request. */
  createPath?: string
}

export const KINDS: Readonly<Record<ResourceKind, KindRow>> = {
  contacts: { definition: 'Contact', prefix: 'act_', path: '/api/ext/v1/alert-contacts' },
  tags: { definition: 'Tag', prefix: 'tag_', path: '/api/ext/v1/tags' },
  monitors: {
    definition: 'Monitor',
    prefix: 'mon_',
    path: '/api/v1/monitors',
    createPath: '/api/ext/v1/monitors',
  },
  statusPages: { definition: 'StatusPage', prefix: 'sp_', path: '/api/v1/status-pages' },
  maintenanceWindows: {
    definition: 'MaintenanceWindow',
    prefix: 'mw_',
    path: '/api/v1/maintenance-windows',
  },
  webhookEndpoints: {
    definition: 'WebhookEndpoint',
    prefix: 'whe_',
    path: '/api/v1/webhook-endpoints',
  },
}

export function kindOf(address: string): ResourceKind | undefined {
  const name = address.slice(0, address.indexOf('.'))
  return RESOURCE_KINDS.find((kind) => kind === name)
}

export function addressOf(kind: ResourceKind, key: string): string {
  return `${kind}.${key}`
}
