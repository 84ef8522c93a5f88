// Sections that follow a tag: which monitors become components, within the limit of each page.
import { MAX_COMPONENTS } from './sections.ts'

// The largest value of the column.
const MAX_POSITION = 32_767

type Missing = { pageUuid: string; components: number; last: number }

/** In the given order. What no longer fits on its page is left out. */
export function fitComponents<M extends Missing>(
  missing: readonly M[],
): (M & { position: number })[] {
  const added = new Map<string, number>()
  return missing.flatMap((one) => {
    const before = added.get(one.pageUuid) ?? 0
    if (one.components + before >= MAX_COMPONENTS) return []
    added.set(one.pageUuid, before + 1)
    return [{ ...one, position: Math.min(MAX_POSITION, one.last + before + 1) }]
  })
}
