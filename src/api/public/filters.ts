// Converts list filters to the values the store compares with; a filter that was not given stays absent.
import { fromPublicId, type IdPrefix } from '../../domain/values/id.ts'
import { parseTimestamp } from '../../domain/values/timestamp.ts'

// Matches nothing, for ids that cannot exist.
const NO_MATCH = '00000000-0000-0000-0000-000000000000'

export function filterUuid(prefix: IdPrefix, id: string | undefined): string | undefined {
  return id === undefined ? undefined : (fromPublicId(prefix, id) ?? NO_MATCH)
}

export function filterInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseTimestamp(text)
}
