// The filters of the lists, applied to a fake's items.
import type { Fields, Item } from './store.ts'

type Filter = (item: Item, values: readonly string[]) => boolean

const PAGING = ['limit', 'offset']
const at = (value: unknown) => Date.parse(String(value))
const first = ([value = '']: readonly string[]) => value

const FILTERS: Record<string, Filter> = {
  q: (item, values) => {
    const text = [item['name'], item['url'], item['host'], item['slug']].join(' ')
    return text.toLowerCase().includes(values.join(',').toLowerCase())
  },
  monitorId: ({ monitor, monitorIds, allMonitors }, values) =>
    monitor === undefined
      ? allMonitors === true || has(monitorIds, values)
      : values.includes((monitor as Item).id),
  statusPageId: ({ statusPageIds }, values) => has(statusPageIds, values),
  startedAfter: (item, values) => at(item['startedAt']) >= at(first(values)),
  startedBefore: (item, values) => at(item['startedAt']) < at(first(values)),
  createdAfter: (item, values) => at(item['createdAt']) >= at(first(values)),
  createdBefore: (item, values) => at(item['createdAt']) < at(first(values)),
}

export function matches(item: Item, query: Fields): boolean {
  return Object.entries(query)
    .filter(([name]) => !PAGING.includes(name))
    .every(([name, value]) => {
      const values = String(value).split(',')
      return FILTERS[name]?.(item, values) ?? values.includes(String(fieldOf(item, name)))
    })
}

function fieldOf(item: Item, name: string): unknown {
  // A detected incident has no field for it.
  if (name === 'status' && 'timeline' in item) return item['resolvedAt'] ? 'RESOLVED' : 'ONGOING'
  return item[name]
}

function has(list: unknown, values: readonly string[]): boolean {
  return Array.isArray(list) && values.some((value) => list.includes(value))
}
