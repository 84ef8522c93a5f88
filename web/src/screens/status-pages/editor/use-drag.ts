// Moves rows of the tree with any pointer. The drop target is shown while dragging.
import { type PointerEvent, useRef, useState } from 'react'
import { moveSectionTo, moveTo, positionOf, type Structure } from './structure.ts'

/** `before`: the key of the row to insert before; null for the end of the section. */
type DropTarget = { section: number; before: string | null }
export type Dragged = { key: string; kind: 'section' | 'component'; target: DropTarget | undefined }

const FEW_PX = 4

export function useDrag(structure: Structure, onDrop: (key: string, next: Structure) => void) {
  const [dragged, setDragged] = useState<Dragged>()
  const start = useRef<{ x: number; y: number }>(undefined)
  const begin = (key: string, kind: Dragged['kind']) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      if (from === undefined) return
      const moved = Math.hypot(event.clientX - from.x, event.clientY - from.y)
      if (dragged === undefined && moved < FEW_PX) return
      const tree = event.currentTarget.closest<HTMLElement>('.tree')
      setDragged({
        key,
        kind,
        target: tree ? findDropTarget(tree, event.clientY, kind) : undefined,
      })
    },
    onPointerUp: () => {
      start.current = undefined
      setDragged(undefined)
      if (dragged?.target !== undefined) onDrop(key, dropped(structure, dragged, dragged.target))
    },
    onPointerCancel: () => {
      start.current = undefined
      setDragged(undefined)
    },
  })
  return { dragged, begin }
}

/** The first row whose middle is below the pointer. Collapsed sections have no rows. */
function findDropTarget(
  tree: HTMLElement,
  y: number,
  kind: Dragged['kind'],
): DropTarget | undefined {
  const sections = [...tree.querySelectorAll<HTMLElement>('[data-section]')]
  if (kind === 'section') {
    const at = sections.findIndex((one) => isAbove(y, one))
    return { section: at < 0 ? sections.length : at, before: null }
  }
  const at = sections.findLastIndex((one) => y >= one.getBoundingClientRect().top)
  const section = Math.max(0, at)
  const rows = [...(sections[section]?.querySelectorAll<HTMLElement>('[data-component]') ?? [])]
  const before = rows.find((row) => isAbove(y, row))?.dataset['component'] ?? null
  return sections.length === 0 ? undefined : { section, before }
}

function isAbove(y: number, element: HTMLElement): boolean {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2
}

function dropped(
  structure: Structure,
  { key, kind }: Pick<Dragged, 'key' | 'kind'>,
  { section, before }: DropTarget,
): Structure {
  if (kind === 'section') {
    const from = structure.findIndex((one) => one.key === key)
    return moveSectionTo(structure, key, section > from ? section - 1 : section)
  }
  if (before === key) return structure
  const rest = (structure[section]?.components ?? []).filter((one) => one.key !== key)
  const at = rest.findIndex((one) => one.key === before)
  const index = at < 0 ? rest.length : at
  const position = positionOf(structure, key)
  if (position?.section === section && position.index === index) return structure
  return moveTo(structure, key, { section, index })
}
