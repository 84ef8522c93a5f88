// Where checks run: part of the entry of a monitor or tag in the file, a resource of its own in the API.
import { isObject, type JsonValue } from './json.ts'

/** The names of a setting of the API. None without a setting. */
export function toRegions(setting: JsonValue | undefined): JsonValue[] {
  const regions = isObject(setting) ? setting['regions'] : []
  return Array.isArray(regions) ? regions : []
}
