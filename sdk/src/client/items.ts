// What both kinds of lists do with their items.
import { UpvaneError } from './errors.ts'

const MAX_ITEMS = 10_000

export type Most = { max?: number }

/** An error beyond `max` instead of running out of memory. */
export async function collect<Item>(
  list: AsyncIterable<Item>,
  operation: string,
  { max = MAX_ITEMS }: Most = {},
): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    if (items.length === max) throw tooMany(operation, `there are more than ${max} items`)
    items.push(item)
  }
  return items
}

export function tooMany(operation: string, why: string): UpvaneError {
  const facts = { operation, attempts: 0, idempotencyKey: null }
  return new UpvaneError(`${why}: use a filter, or iterate`, facts)
}
