// The requests of one step.
import { type Ext, isApiError, type Upvane } from '@upvane/sdk'
import { CommandError } from '../../command.ts'
import { toSteps } from '../model/escalation.ts'
import { isSame, type JsonObject, type JsonValue, sha256 } from '../model/json.ts'
import { KINDS, type ResourceKind } from '../model/kinds.ts'
import { toRegionsBody } from '../model/regions.ts'
import type { WantedState } from '../model/wanted.ts'
import { toCreateBody, toPatchBody, toWholeBody } from '../plan/bodies.ts'
import type { PlannedStep } from '../plan/plan.ts'

/** `isWhole`: with everything that is attached to it. */
type Created = { id: string; secret: string | undefined; isWhole: boolean }

// Clients of services that do not know how to create a monitor with everything attached.
const OLDER = new WeakSet<Upvane>()

/** The same for every attempt at one create, and another one for the next resource at the same address. */
export function createKey(source: string, address: string, generation: number): string {
  return `upv1.${sha256('create', source, address, String(generation))}`
}

export async function createResource(
  client: Upvane,
  { kind, address }: PlannedStep,
  wanted: WantedState,
  idempotencyKey: string,
): Promise<Created> {
  const { path, createPath } = KINDS[kind]
  try {
    if (createPath !== undefined && !OLDER.has(client)) {
      const body = toWholeBody(kind, wanted)
      const created = await unlessOlder(post(client, kind, createPath, { body, idempotencyKey }))
      if (created !== undefined) return { ...created, isWhole: true }
      OLDER.add(client)
    }
    const body = toCreateBody(kind, wanted)
    return { ...(await post(client, kind, path, { body, idempotencyKey })), isWhole: false }
  } catch (error) {
    if (!isApiError(error, 'idempotency_conflict')) throw error
    throw new CommandError(
      1,
      `An apply was interrupted after it created this, and the file has changed since. Find it in the dashboard and run "upv adopt ${address} ID".`,
    )
  }
}

type Sent = { body: JsonObject; idempotencyKey: string }

async function post(
  client: Upvane,
  kind: ResourceKind,
  path: string,
  sent: Sent,
): Promise<Omit<Created, 'isWhole'>> {
  const { data, replayed } = await client.request<JsonObject>('POST', path, sent).withResponse()
  const id = String(data['id'])
  if (replayed) await assertThere(client, kind, id)
  return { id, secret: typeof data['secret'] === 'string' ? data['secret'] : undefined }
}

/** Undefined if the service does not know the request. Such a service creates nothing and remembers no key. */
async function unlessOlder<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request
  } catch (error) {
    if (isApiError(error, 'method_not_allowed') || isApiError(error, 'not_found')) return undefined
    throw error
  }
}

// Repeating an old create shows what it made, not whether that is still there.
async function assertThere(client: Upvane, kind: ResourceKind, id: string): Promise<void> {
  // Tags have no request of their own.
  if (kind === 'tags') return
  try {
    await client.request('GET', `${KINDS[kind].path}/${id}`)
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error
    throw new GoneError(id)
  }
}

/** It was created by an interrupted apply and deleted since. */
export class GoneError extends CommandError {
  readonly id: string

  constructor(id: string) {
    super(
      1,
      `${id} was created by an interrupted apply and deleted since. Apply again with --recreate.`,
    )
    this.id = id
  }
}

export async function updateResource(
  client: Upvane,
  step: PlannedStep,
  wanted: WantedState,
): Promise<void> {
  const { kind, live, changes } = step
  if (live === undefined) return
  const body = toPatchBody(wanted, live, changes)
  if (body !== undefined) await client.request('PATCH', `${KINDS[kind].path}/${live.id}`, { body })
}

/** Tags, contacts and whether it is paused: everything of a monitor that is not a field. */
export async function relateMonitor(
  client: Upvane,
  id: string,
  { body }: WantedState,
  before: { tagIds: string[]; contactIds: string[]; paused: boolean },
): Promise<void> {
  const { monitors, alertContacts } = client.ext
  if (body['tagIds'] !== undefined) {
    const tags = split(body['tagIds'], before.tagIds)
    for (const tag of tags.added) await monitors.addTag(id, tag)
    for (const tag of tags.removed) await ignoreGone(monitors.removeTag(id, tag))
  }
  if (body['contactIds'] !== undefined) {
    const contacts = split(body['contactIds'], before.contactIds)
    for (const contact of contacts.added) await alertContacts.attach(contact, id)
    for (const contact of contacts.removed) await ignoreGone(alertContacts.detach(contact, id))
  }
  if (body['paused'] === true && !before.paused) await client.monitors.pause(id)
  if (body['paused'] === false && before.paused) await client.monitors.resume(id)
}

/** Its steps, if the file has any for it. None at all delete it. */
export async function escalate(
  client: Upvane,
  id: string,
  { body }: WantedState,
  before: JsonValue | undefined,
): Promise<void> {
  const { escalation } = body
  if (escalation === undefined || isSame(escalation, toSteps(before))) return
  const { escalationPolicies: policies } = client.ext
  const steps = Array.isArray(escalation) ? escalation : []
  if (steps.length === 0) await ignoreGone(policies.delete(id))
  else await policies.put(id, { steps: steps as Ext.EscalationPolicyInput['steps'] })
}

/** Its regions, if the file has any for it. None at all remove the setting. */
export async function chooseRegions(
  client: Upvane,
  { kind, id }: { kind: ResourceKind; id: string },
  { body }: WantedState,
  before: JsonValue | undefined,
): Promise<void> {
  const { regions } = body
  if (regions === undefined || isSame(regions, before ?? [])) return
  const setting = toRegionsBody(regions)
  const resource = kind === 'tags' ? client.ext.tags : client.ext.monitors
  if (setting === undefined) await ignoreGone(resource.deleteRegions(id))
  else await resource.putRegions(id, setting)
}

export async function removeResource(client: Upvane, step: PlannedStep): Promise<void> {
  const { action, kind, id } = step
  if (id === null) return
  if (action === 'pause') await ignoreGone(client.monitors.pause(id))
  if (action === 'delete') await ignoreGone(client.request('DELETE', `${KINDS[kind].path}/${id}`))
}

function split(wanted: JsonValue, before: readonly string[]) {
  const after = Array.isArray(wanted) ? wanted.map(String) : []
  return {
    added: after.filter((id) => !before.includes(id)),
    removed: before.filter((id) => !after.includes(id)),
  }
}

async function ignoreGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isApiError(error, 'not_found')) throw error
  }
}
