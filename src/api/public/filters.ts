// How filters of a list become what the store compares with; a filter that was not given stays away.
import { fromPublicId, type IdPrefix } from '../../domain/values/id.ts'
import { parseTimestamp } from '../../domain/values/timestamp.ts'

// What cannot exist matches nothing: this id is nobody's.
const NO_MATCH = '00000000-0000-0000-0000-000000000000'

export function filterUuid(prefix: IdPrefix, id: string | undefined): string | undefined {
  return id === undefined ? undefined : (fromPublicId(prefix, id) ?? NO_MATCH)
}

export function filterInstant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseTimestamp(text)
}
