type Paging = { limit: number; offset: number }

/** One page of a list that is short enough to be read whole. */
export function pageOf<Item>(items: readonly Item[], { limit, offset }: Paging) {
  const data = items.slice(offset, offset + limit)
  return { data, pagination: { limit, offset, total: items.length } }
}
