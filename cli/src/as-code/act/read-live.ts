// Reads everything of the organization that a file can hold, in as few requests as possible.
import type { Upvane } from '@upvane/sdk'
import { canEscalate } from '../model/escalation.ts'
import type { JsonObject } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import { type LiveResource, type LiveResources, toLive } from '../model/live.ts'
import type { KnownBindings } from '../plan/plan.ts'
import { readBindings } from './bindings.ts'

const MAX_ITEMS = 100_000

type OrganizationState = { live: LiveResources; bindings: KnownBindings }

export async function readOrganization(client: Upvane, source: string): Promise<OrganizationState> {
  const bindings = await readBindings(client, source)
  const steps = await readEscalations(client)
  const read = async (kind: ResourceKind, list: ItemList) => {
    const items = await list.all({ max: MAX_ITEMS })
    return items.map((item) => toLive(kind, withEscalation(kind, item as JsonObject, steps)))
  }
  const live = [
    ...(await read('contacts', client.ext.alertContacts.list())),
    ...(await read('tags', client.ext.tags.list())),
    ...(await read('monitors', client.ext.monitors.list())),
    ...(await read('statusPages', client.statusPages.list())),
    ...(await read('maintenanceWindows', client.maintenanceWindows.list())),
    ...(await read('webhookEndpoints', client.webhookEndpoints.list())),
  ]
  const others = await readOtherSources(client, bindings, live)
  const unmanaged = { source: null, address: null }
  return {
    bindings,
    live: live.map((each) => ({ ...each, ...(others.get(each.id) ?? unmanaged) })),
  }
}

type ManagedBy = Pick<LiveResource, 'source' | 'address'>
type ItemList = { all(options: { max: number }): Promise<object[]> }
type StepsById = ReadonlyMap<string, JsonObject[]>

async function readEscalations(client: Upvane): Promise<StepsById> {
  const policies = await client.ext.escalationPolicies.list().all({ max: MAX_ITEMS })
  return new Map(policies.map(({ id, steps }) => [id, steps.map((step) => ({ ...step }))]))
}

function withEscalation(kind: ResourceKind, item: JsonObject, steps: StepsById): JsonObject {
  return canEscalate(kind) ? { ...item, escalation: steps.get(String(item['id'])) ?? [] } : item
}

/** Which other source manages what. Monitors say it themselves; for the rest the sources are asked, if there is any. */
async function readOtherSources(
  client: Upvane,
  { source: own, bindings, otherSources = [] }: KnownBindings,
  live: LiveResources,
): Promise<Map<string, ManagedBy>> {
  const managed = new Map<string, ManagedBy>()
  for (const { id, source, address } of live)
    if (source !== null && source !== own) managed.set(id, { source, address })
  const ownIds = new Set(bindings.map(({ id }) => id))
  const isOpen = ({ kind, id }: LiveResource) => kind !== 'monitors' && !ownIds.has(id)
  for (const name of otherSources) {
    if (!live.some((each) => isOpen(each) && !managed.has(each.id))) break
    const other = await readBindings(client, name)
    for (const { id, address } of other.bindings)
      if (id !== null) managed.set(id, { source: name, address })
  }
  return managed
}
