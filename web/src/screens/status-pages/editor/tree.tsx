// Sections and components: dragged by the handle, moved with Alt and the arrow keys, renamed in place.
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_COMPONENTS } from '../../../../../src/domain/status-pages/sections.ts'
import { structureText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { toast } from '../../../session/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { SectionNode } from './section-node.tsx'
import type { Structure } from './structure.ts'
import * as moves from './structure.ts'
import { isDropTargetAt, type TreeContext, type TreeProps } from './tree-context.ts'
import { useDrag } from './use-drag.ts'
import './tree.css'

export function Tree(props: TreeProps) {
  const { structure, change } = props
  const [said, setSaid] = useState('')
  const [open, setOpen] = useState<string>()
  const focused = useRef<string>(undefined)
  const list = useRef<HTMLOListElement>(null)
  // A moved row keeps the focus.
  useEffect(() => {
    if (focused.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-grip="${focused.current}"]`)?.focus()
    focused.current = undefined
  })
  const move = (key: string, next: Structure) => {
    if (next === structure) return
    focused.current = key
    setSaid(describePosition(next, key))
    change(next)
  }
  const latest = useRef(structure)
  useEffect(() => {
    latest.current = structure
  })
  const remove: TreeContext['remove'] = (name, next, restore) => {
    change(next)
    toast(TEXT.removed({ name }), 'plain', { run: () => change(restore(latest.current)) })
  }
  const { dragged, begin } = useDrag(structure, move)
  const addSection = () => {
    const section = moves.newSection(null)
    change([...structure, section])
    setOpen(section.key)
  }
  const context: TreeContext = { ...props, dragged, begin, move, remove, open, setOpen }
  return (
    <section className="card" id="structure" aria-labelledby="h-structure">
      <header>
        <h2 id="h-structure">{TEXT.title}</h2>
        <span className="hint hide-phone">
          {TEXT.dragOr} <span className="kbd">Alt</span> <span className="kbd">↑</span>{' '}
          <span className="kbd">↓</span>
        </span>
      </header>
      <ol className={dragged ? 'tree dragging' : 'tree'} ref={list}>
        {structure.map((section, index) => (
          <SectionNode key={section.key} {...context} section={section} index={index} />
        ))}
        {isDropTargetAt(dragged, structure.length) && <li className="drop" aria-hidden="true" />}
      </ol>
      <footer>
        <Button size="sm" onClick={addSection}>
          <Plus className="icon" aria-hidden="true" />
          {TEXT.addSection}
        </Button>
        <span className="faint num">
          {TEXT.countOf({ count: moves.countOf(structure), most: MAX_COMPONENTS })}
        </span>
      </footer>
      <p className="sr" role="status">
        {said}
      </p>
    </section>
  )
}

function describePosition(structure: Structure, key: string): string {
  const position = moves.positionOf(structure, key)
  if (position !== undefined) {
    const name = structure[position.section]?.name ?? TEXT.theUntitled
    return TEXT.positionIn({ position: position.index + 1, of: position.of, section: name })
  }
  const at = structure.findIndex((section) => section.key === key)
  return TEXT.sectionAt({ position: at + 1, of: structure.length })
}
