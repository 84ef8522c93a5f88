// Named filters of the monitor list, shared by an organization. Two views never differ only in case.
import type { ListedState, MonitorSort } from './list-order.ts'
import type { MonitorType } from './monitor.ts'

export const MAX_VIEWS = 50
export const MAX_VIEW_CHARACTERS = 60

/** As in the list's URL. A tag that was deleted since then matches nothing. */
export type ViewFilter = {
  q?: string
  state?: ListedState
  type?: MonitorType
  tagId?: string
  sort?: MonitorSort
  reversed?: boolean
}
export type SavedView = { uuid: string; name: string; filter: ViewFilter }

export const toViewName = (text: string): string => text.normalize('NFC').trim()
export const viewKey = (name: string): string => toViewName(name).toLowerCase()
