// Prints what a command found: JSON for programs, a table or details for people.
import { type Cell, type Column, toDetails, toTable } from './table.ts'
import { paint, print, toSafeJson } from './text.ts'

/** A pipe gets every column in full. */
export function availableColumns(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY
}

export type Listing<Item> = {
  columns: readonly Column[]
  toRow(item: Item): readonly Cell[]
  /** What to say if there is nothing. */
  none: string
}

export function printList<Item>(
  items: readonly Item[],
  listing: Listing<Item>,
  wantsJson: boolean | undefined,
): void {
  if (wantsJson) return print(toSafeJson(items))
  if (items.length === 0) return print(listing.none)
  const rows = items.map((item) => listing.toRow(item))
  for (const line of toTable(listing.columns, rows, availableColumns(), paint)) print(line)
}

export type Details = readonly (readonly [label: string, value: Cell | null])[]

export function printDetails(
  item: unknown,
  details: Details,
  wantsJson: boolean | undefined,
): void {
  if (wantsJson) return print(toSafeJson(item))
  for (const line of toDetails(details, availableColumns(), paint)) print(line)
}
