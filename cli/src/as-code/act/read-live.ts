// Reads everything of the organization that a file can hold, in as few requests as possible.
import type { Upvane } from '@upvane/sdk'
import type { JsonObject } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import { type LiveResource, type LiveResources, toLive } from '../model/live.ts'
import type { KnownBindings } from '../plan/plan.ts'
import { readBindings } from './bindings.ts'

const MAX_ITEMS = 100_000

type OrganizationState = { live: LiveResources; bindings: KnownBindings }

export async function readOrganization(client: Upvane, source: string): Promise<OrganizationState> {
  const bindings = await readBindings(client, source)
  const live = [
    ...(await readList('contacts', client.ext.alertContacts.list())),
    ...(await readList('tags', client.ext.tags.list())),
    ...(await readList('monitors', client.ext.monitors.list())),
    ...(await readList('statusPages', client.statusPages.list())),
    ...(await readList('maintenanceWindows', client.maintenanceWindows.list())),
    ...(await readList('webhookEndpoints', client.webhookEndpoints.list())),
  ]
  const others = await readOtherSources(client, bindings, live)
  return { bindings, live: live.map((each) => ({ ...each, source: others.get(each.id) ?? null })) }
}

async function readList(
  kind: ResourceKind,
  list: { all(options: { max: number }): Promise<object[]> },
): Promise<LiveResource[]> {
  const items = await list.all({ max: MAX_ITEMS })
  return items.map((item) => toLive(kind, item as JsonObject))
}

/** Which other source manages what. Monitors say it themselves; for the rest the sources are asked, if there is any. */
async function readOtherSources(
  client: Upvane,
  { source: own, bindings, otherSources = [] }: KnownBindings,
  live: LiveResources,
): Promise<Map<string, string>> {
  const managed = new Map<string, string>()
  for (const { id, source } of live) if (source !== null && source !== own) managed.set(id, source)
  const ownIds = new Set(bindings.map(({ id }) => id))
  const isOpen = ({ kind, id }: LiveResource) => kind !== 'monitors' && !ownIds.has(id)
  for (const name of otherSources) {
    if (!live.some((each) => isOpen(each) && !managed.has(each.id))) break
    const other = await readBindings(client, name)
    for (const { id } of other.bindings) if (id !== null) managed.set(id, name)
  }
  return managed
}
