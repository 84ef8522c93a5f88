// Where checks run: part of the entry of a monitor or tag in the file, a resource of its own in the API. A list is mode
// FIRST; `each` is mode EACH.
import { isObject, type JsonObject, type JsonValue } from './json.ts'

/** A setting of the API as the file has it. An empty list without a setting. */
export function toRegions(setting: JsonValue | undefined): JsonValue {
  if (!isObject(setting)) return []
  const { regions = [], mode, downWhen = null } = setting
  if (mode !== 'EACH') return regions
  return { each: regions, ...(downWhen !== null && { downWhen }) }
}

type RegionsBody = { regions: string[]; mode?: 'EACH'; downWhen?: number }

/** What the file has as the body of a request. Undefined if it names none. */
export function toRegionsBody(regions: JsonValue | undefined): RegionsBody | undefined {
  if (Array.isArray(regions))
    return regions.length > 0 ? { regions: regions.map(String) } : undefined
  if (!isObject(regions) || !Array.isArray(regions['each'])) return undefined
  const { each, downWhen } = regions as JsonObject & { each: JsonValue[] }
  const count = typeof downWhen === 'number' ? { downWhen } : {}
  return { regions: each.map(String), mode: 'EACH', ...count }
}
