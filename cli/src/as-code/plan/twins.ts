// Resources that are probably what a new address of the file means, made by hand or by an earlier file.
import type { FileResource } from '../file/configuration.ts'
import { asInstant, type JsonObject, type JsonValue } from '../model/json.ts'
import type { ResourceKind } from '../model/kinds.ts'
import type { LiveResource, LiveResources } from '../model/live.ts'

type IsTwin = (fields: JsonObject, body: JsonObject) => boolean

const equal = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  one !== undefined && one !== null && one === other
const lower = (value: JsonValue | undefined) =>
  String(value ?? '')
    .trim()
    .toLowerCase()

const IS_TWIN: Record<ResourceKind, IsTwin> = {
  contacts: (fields, body) =>
    equal(fields['name'], body['name']) && fields['channel'] === body['channel'],
  tags: (fields, body) => lower(fields['name']) === lower(body['name']),
  monitors: (fields, body) =>
    fields['type'] === body['type'] &&
    (equal(fields['name'], body['name']) || hasSameTarget(fields, body)),
  statusPages: (fields, body) =>
    equal(fields['slug'], body['slug']) || equal(fields['name'], body['name']),
  maintenanceWindows: (fields, body) =>
    equal(fields['name'], body['name']) && asInstant(fields['startsAt']) === body['startsAt'],
  webhookEndpoints: (fields, body) => equal(fields['url'], body['url']),
}

function hasSameTarget(fields: JsonObject, body: JsonObject): boolean {
  if (fields['type'] === 'PING' || fields['type'] === 'PORT')
    return equal(fields['host'], body['host']) && (fields['port'] ?? null) === body['port']
  return equal(fields['url'], body['url'])
}

/** Also those that another file manages. */
export function findTwins({ kind, fields }: FileResource, live: LiveResources): LiveResource[] {
  return live.filter((each) => each.kind === kind && IS_TWIN[kind](fields, each.body))
}

/** What looks the same as a new entry, by who manages it. Entries of one file may look the same: that is meant. */
export type Twins = {
  free: LiveResource[]
  /** Of this source, at addresses that are no longer in the file. */
  left: { address: string; live: LiveResource }[]
  foreign: LiveResource[]
}

/** `own`: the addresses of this source by id, null for one that the file still has. */
export function sortTwins(
  twins: readonly LiveResource[],
  own: ReadonlyMap<string, string | null>,
): Twins {
  const left = twins.flatMap((live) => {
    const address = own.get(live.id) ?? null
    return address === null ? [] : [{ address, live }]
  })
  const others = twins.filter(({ id }) => !own.has(id))
  return {
    free: others.filter(({ source }) => source === null),
    left,
    foreign: others.filter(({ source }) => source !== null),
  }
}

const MAX_LISTED = 5

/** Why a second one is not made, and what to do. Null if there is nothing that looks the same. */
export function twinRefusal(
  { address, kind }: Pick<FileResource, 'address' | 'kind'>,
  { free, left, foreign }: Twins,
): string | null {
  // No two tags have one name.
  const orTwin = kind === 'tags' ? '' : ', or pass --allow-twins'
  const [renamed] = left
  if (renamed !== undefined)
    return `${renamed.address} left the file and looks the same (${renamed.live.id}). If it is the same, write "moved: [{ from: ${renamed.address}, to: ${address} }]"${orTwin}.`
  const [managed] = foreign
  if (managed !== undefined)
    return `${managed.id} looks the same and is managed by ${managed.source}${managed.address === null ? '' : ` as ${managed.address}`}. Refer to it by its id, run "upv forget --source ${managed.source} ${managed.address ?? 'ADDRESS'}" to manage it here${orTwin}.`
  const [only] = free
  if (only === undefined) return null
  const ids = free.slice(0, MAX_LISTED).map(({ id }) => id)
  return `${ids.join(', ')} looks the same and is managed by no file. Run "upv adopt ${address} ${only.id}", pass --adopt${orTwin}.`
}
