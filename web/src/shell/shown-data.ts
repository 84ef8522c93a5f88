// From when the data on the screen is. Pure.
import type { Query, QueryCache } from '@tanstack/react-query'

/**
 * When the oldest of what the screen reads again by itself was read; the stream keeps the rest current. Undefined while
 * something was never read.
 */
export function shownDataAt(cache: QueryCache): number | undefined {
  const active = cache.findAll({ type: 'active' })
  const polled = active.filter(({ observers }) =>
    observers.some(({ options }) => (options.refetchInterval ?? false) !== false),
  )
  if (active.some((query) => readAt(cache, query) === 0)) return undefined
  const times = (polled.length > 0 ? polled : active).map((query) => readAt(cache, query))
  return times.length === 0 ? undefined : Math.min(...times)
}

/** With another filter, the rows of the one before stay. */
function readAt(cache: QueryCache, { state, queryKey }: Query): number {
  if (state.data !== undefined) return state.dataUpdatedAt
  const alike = cache.findAll({ queryKey: queryKey.slice(0, 2) })
  return Math.max(0, ...alike.map((one) => one.state.dataUpdatedAt))
}
