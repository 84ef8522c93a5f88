// Which sections and components of a page are the ones of the file. Badges, subscribers and published incidents refer
// to components by id, so that as many as possible are kept.
import { isObject, type JsonObject, type JsonValue } from './json.ts'
import type { SectionIds } from './live.ts'

type Free = { id: string; body: JsonObject }

/** The sections of the file with the ids of those that stay. A name that is left out stays too. */
export function alignSections(
  wanted: JsonValue,
  live: JsonValue,
  ids: readonly SectionIds[],
): JsonObject[] {
  const there = asObjects(live)
  const sections = there.map((body, at): Free => ({ id: ids[at]?.id ?? '', body }))
  const components = there.flatMap(({ components: inside = [] }, at) =>
    asObjects(inside).map((body, nth): Free => ({ id: ids[at]?.components[nth] ?? '', body })),
  )
  return alignAll(asObjects(wanted), sections, [sameName, () => true]).map(([section, kept]) => {
    const aligned = alignAll(asObjects(section['components'] ?? []), components, COMPONENT_RULES)
    return {
      ...section,
      ...(kept && { id: kept.id }),
      components: aligned.map(([component, old]) => ({ ...component, ...(old && { id: old.id }) })),
    }
  })
}

/** The same without ids, and with the names that the file leaves to what is there. */
export function comparableSections(
  wanted: JsonValue,
  live: JsonValue,
  ids: readonly SectionIds[],
): JsonObject[] {
  const names = new Map(
    asObjects(live).flatMap(({ components: inside = [] }, at) =>
      asObjects(inside).map(({ name = null }, nth): [JsonValue, JsonValue] => [
        ids[at]?.components[nth] ?? '',
        name,
      ]),
    ),
  )
  return alignSections(wanted, live, ids).map(({ id: _id, components = [], ...section }) => ({
    ...section,
    components: asObjects(components).map(({ id, ...component }) => {
      const kept = names.get(id ?? null)
      return kept === undefined ? component : { name: kept, ...component }
    }),
  }))
}

type Rule = (wanted: JsonObject, live: JsonObject) => boolean

const sameName: Rule = (wanted, live) => (wanted['name'] ?? null) === live['name']
const sameMonitor: Rule = (wanted, live) => wanted['monitorId'] === live['monitorId']
const COMPONENT_RULES: readonly Rule[] = [
  (wanted, live) => sameMonitor(wanted, live) && sameName(wanted, live),
  (wanted, live) => wanted['monitorId'] !== null && sameMonitor(wanted, live),
]

/** Pairs by the first rule as far as possible, then by the next. Takes what it uses out of `free`. */
function alignAll(
  wanted: readonly JsonObject[],
  free: Free[],
  rules: readonly Rule[],
): [JsonObject, Free | undefined][] {
  const pairs = new Map<JsonObject, Free>()
  for (const rule of rules)
    for (const each of wanted.filter((one) => !pairs.has(one))) {
      const at = free.findIndex(({ body }) => rule(each, body))
      const [found] = at < 0 ? [] : free.splice(at, 1)
      if (found !== undefined) pairs.set(each, found)
    }
  return wanted.map((each) => [each, pairs.get(each)])
}

function asObjects(value: JsonValue): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
