// Shared by the rows of the tree.
import type { KeyboardEvent } from 'react'
import type { SectionDraft, Structure } from './structure.ts'
import type { Dragged, useDrag } from './use-drag.ts'

export type TreeProps = {
  /** Undefined until the page is saved. */
  page: { id: string } | undefined
  /** Whether there are unsaved changes. */
  isDirty: boolean
  structure: Structure
  change: (next: Structure) => void
  /** The server's problem with a part, such as `sections.0.components.2`. */
  at: (path: string) => string | undefined
}

/** Props of every row. */
export type TreeContext = TreeProps & {
  dragged: Dragged | undefined
  begin: ReturnType<typeof useDrag>['begin']
  /** Moves the focused row and keeps the focus on it. */
  move: (key: string, next: Structure) => void
  /** Removes something and offers to restore it into the structure as it is then. */
  remove: (name: string, next: Structure, restore: (now: Structure) => Structure) => void
  open: string | undefined
  setOpen: (key: string | undefined) => void
}

export type SectionProps = TreeContext & { section: SectionDraft; index: number }

export const isDropTargetAt = (dragged: Dragged | undefined, index: number): boolean =>
  dragged?.kind === 'section' && dragged.target?.section === index

/** For a drag handle: arrow keys move the row, with or without Alt. */
export const arrows = (move: (by: 1 | -1) => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    move(by)
  },
})
