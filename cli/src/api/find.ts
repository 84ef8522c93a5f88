// Finds what a user names, by its id or by its name.
import type { Upvane } from '@upvane/sdk'
import { CommandError } from '../command.ts'
import { clean } from '../terminal/text.ts'

type Named = { id: string; name: string }

const ID_LENGTH = 26
const MAX_SEARCH = 100
const MAX_LISTED = 5
const MAX_WINDOWS = 2_000

/** By its id, or by its name in any case. */
export async function findMonitor(upvane: Upvane, text: string) {
  if (isId('mon', text)) return upvane.monitors.get(text)
  const q = assertSearch('monitor', text)
  return pickOne('monitor', text, await upvane.monitors.list({ q }).all())
}

export async function findPage(upvane: Upvane, text: string) {
  if (isId('sp', text)) return upvane.statusPages.get(text)
  const q = assertSearch('status page', text)
  const pages = await upvane.statusPages.list({ q }).all()
  return pages.find(({ slug }) => slug === text) ?? pickOne('status page', text, pages)
}

export async function findWindow(upvane: Upvane, text: string) {
  if (isId('mw', text)) return upvane.maintenanceWindows.get(text)
  const windows = await upvane.maintenanceWindows.list().all({ max: MAX_WINDOWS })
  return pickOne('maintenance window', text, windows)
}

function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && text.length === prefix.length + 1 + ID_LENGTH
}

// The API searches with 1 to 100 characters.
function assertSearch(what: string, text: string): string {
  const length = [...text].length
  if (length >= 1) return [...text].slice(0, MAX_SEARCH).join('')
  throw new CommandError(2, `the name of the ${what} is empty.`)
}

/** The only item with this name. Exactly as written wins over another case. */
export function pickOne<Item extends Named>(
  what: string,
  text: string,
  items: readonly Item[],
): Item {
  const exact = items.filter(({ name }) => name === text)
  const folded = items.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  const found = exact.length > 0 ? exact : folded
  const [first, ...more] = found
  if (first === undefined)
    throw new CommandError(1, `there is no ${what} "${clean(text)}".${suggest(text, items)}`)
  if (more.length === 0) return first
  const ids = found.slice(0, MAX_LISTED).map(({ id }) => clean(id))
  const others = found.length > MAX_LISTED ? ' and others' : ''
  throw new CommandError(
    1,
    `${found.length} have the name "${clean(text)}". Use an id: ${ids.join(', ')}${others}.`,
  )
}

function suggest(text: string, items: readonly Named[]): string {
  const part = text.toLowerCase()
  const similar = items.filter(({ name }) => name.toLowerCase().includes(part))
  const names = similar.slice(0, MAX_LISTED).map(({ name }) => `"${clean(name)}"`)
  return names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`
}
