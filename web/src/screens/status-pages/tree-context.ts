// What the rows of the tree share.
import type { KeyboardEvent } from 'react'
import type { SectionDraft, Structure } from './structure.ts'
import type { Dragged, useDrag } from './use-drag.ts'

export type TreeProps = {
  structure: Structure
  change: (next: Structure) => void
  /** The server's word about a part: `sections.0.components.2`. */
  at: (path: string) => string | undefined
}

/** What every row needs of the tree. */
export type TreeContext = TreeProps & {
  dragged: Dragged | undefined
  begin: ReturnType<typeof useDrag>['begin']
  /** Moves what has the focus, and keeps it there. */
  move: (key: string, next: Structure) => void
  /** Takes something off, and offers to put it back into what is there by then. */
  remove: (name: string, next: Structure, restore: (now: Structure) => Structure) => void
  open: string | undefined
  setOpen: (key: string | undefined) => void
}

export type SectionProps = TreeContext & { section: SectionDraft; index: number }

export const isDropTargetAt = (dragged: Dragged | undefined, index: number): boolean =>
  dragged?.kind === 'section' && dragged.target?.section === index

/** For a handle: with an arrow, with Alt or without, what it holds moves. */
export const arrows = (move: (by: 1 | -1) => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    move(by)
  },
})
