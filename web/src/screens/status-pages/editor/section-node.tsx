import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Ellipsis,
  GripVertical,
  Pencil,
  Rows2,
  Rows4,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/overlay/menu.tsx'
import { AddComponents } from './add-components.tsx'
import { ComponentNode } from './component-node.tsx'
import { NodeProblem } from './node-problem.tsx'
import * as moves from './structure.ts'
import { arrows, isDropTargetAt, type SectionProps } from './tree-context.ts'
import './tree.css'

export function SectionNode(props: SectionProps) {
  const { section, index, dragged, at } = props
  const { key, components } = section
  const [folded, setFolded] = useState(false)
  const landing = dragged?.kind === 'component' ? dragged.target : undefined
  const problem = at(`sections.${index}.name`)
  return (
    <>
      {isDropTargetAt(dragged, index) && <li className="drop" aria-hidden="true" />}
      <li className={dragged?.key === key ? 'node-sec lifted' : 'node-sec'} data-section={key}>
        <div className="sec-row">
          <SectionHead {...props} folded={folded} onFold={() => setFolded(!folded)} />
        </div>
        {problem !== undefined && <NodeProblem text={problem} />}
        {!folded && (
          <ol>
            {components.map((component, place) => (
              <ComponentNode key={component.key} {...props} component={component} place={place} />
            ))}
            {landing?.section === index && landing.before === null && (
              <li className="drop" aria-hidden="true" />
            )}
            <li className="add-row">
              <AddComponents {...props} />
            </li>
          </ol>
        )}
      </li>
    </>
  )
}

type HeadProps = SectionProps & { folded: boolean; onFold: () => void }

function SectionHead(props: HeadProps) {
  const { section, structure, move, begin, open, folded, onFold } = props
  const { key, name, collapsed, components } = section
  const word = name || 'Without a heading'
  const Arrow = folded ? ChevronRight : ChevronDown
  return (
    <>
      <button
        type="button"
        className="grip"
        aria-label={`Move section ${word}`}
        data-grip={key}
        {...begin(key, 'section')}
        {...arrows((by) => move(key, moves.moveSection(structure, key, by)))}
      >
        <GripVertical className="icon" aria-hidden="true" />
      </button>
      {open === key ? (
        <Rename {...props} />
      ) : (
        <>
          <button
            type="button"
            className="unfold"
            aria-expanded={!folded}
            aria-label={`${folded ? 'Open' : 'Close'} ${word}`}
            onClick={onFold}
          >
            <Arrow className="icon dir" aria-hidden="true" />
          </button>
          <h3 className={name ? 'truncate' : 'truncate unnamed'} title={word}>
            <bdi>{word}</bdi> <span className="count">{components.length}</span>
          </h3>
          {collapsed && <span className="badge">Folded for readers</span>}
          <SectionMenu {...props} />
        </>
      )}
    </>
  )
}

/** Enter and blur keep the name; Escape reverts it. */
function Rename({ section, structure, change, setOpen }: HeadProps) {
  const { key, name } = section
  const [text, setText] = useState(name ?? '')
  const keep = () => {
    setOpen(undefined)
    change(moves.changeSection(structure, key, { name: text.trim() === '' ? null : text.trim() }))
  }
  return (
    <div className="rename">
      <input
        className="input"
        aria-label="Heading of the section"
        placeholder="Without a heading"
        maxLength={120}
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return setOpen(undefined)
          if (event.key !== 'Enter') return
          event.preventDefault()
          keep()
        }}
      />
    </div>
  )
}

function SectionMenu({ section, index, structure, change, move, remove, setOpen }: HeadProps) {
  const { key, name, collapsed } = section
  const shift = (by: 1 | -1) => move(key, moves.moveSection(structure, key, by))
  return (
    <Menu
      trigger={
        <Button kind="ghost" square size="sm" aria-label={`More for section ${name ?? index + 1}`}>
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={Pencil} onSelect={() => setOpen(key)}>
        Name the section
      </MenuItem>
      <MenuItem
        icon={collapsed ? Rows4 : Rows2}
        onSelect={() => change(moves.changeSection(structure, key, { collapsed: !collapsed }))}
      >
        {collapsed ? 'Open for readers' : 'Fold for readers'}
      </MenuItem>
      <MenuItem icon={ArrowUp} disabled={index === 0} onSelect={() => shift(-1)}>
        Move up
      </MenuItem>
      <MenuItem
        icon={ArrowDown}
        disabled={index === structure.length - 1}
        onSelect={() => shift(1)}
      >
        Move down
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={Trash2}
        danger
        onSelect={() =>
          remove(
            `Section ${name ?? index + 1}`,
            structure.filter((one) => one.key !== key),
            (now) => now.toSpliced(index, 0, section),
          )
        }
      >
        Remove section
      </MenuItem>
    </Menu>
  )
}
