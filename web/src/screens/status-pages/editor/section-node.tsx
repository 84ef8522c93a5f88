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
  Tag,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { followText } from '../../../messages/publishing/follow-tag.ts'
import { structureText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { toast } from '../../../session/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/overlay/menu.tsx'
import { AddComponents } from './add-components.tsx'
import { ComponentNode } from './component-node.tsx'
import { FollowTag, useFollow } from './follow-tag.tsx'
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
              {section.tag && (
                <p className="hint">{followText.automatic({ tag: section.tag.name })}</p>
              )}
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
  const { section, structure, move, begin, open, folded, onFold, page } = props
  const [isFollowing, setFollowing] = useState(false)
  const { run } = useFollow(page?.id ?? '', section)
  // Not in the menu, which closes before the response.
  const stop = () =>
    run({ tagId: null, expected: 0 }, () =>
      toast(followText.stopped({ tag: section.tag?.name ?? '' })),
    )
  const { key, name, collapsed, components } = section
  const word = name || TEXT.untitled
  const Arrow = folded ? ChevronRight : ChevronDown
  return (
    <>
      <button
        type="button"
        className="grip"
        aria-label={TEXT.moveSection({ name: word })}
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
            aria-label={folded ? TEXT.open({ name: word }) : TEXT.close({ name: word })}
            onClick={onFold}
          >
            <Arrow className="icon dir" aria-hidden="true" />
          </button>
          <h3 className={name ? 'truncate' : 'truncate unnamed'} title={word}>
            <bdi>{word}</bdi> <span className="count">{components.length}</span>
          </h3>
          {collapsed && <span className="badge">{TEXT.collapsed}</span>}
          {section.tag && (
            <span className="badge truncate">{followText.badge({ tag: section.tag.name })}</span>
          )}
          <SectionMenu {...props} follow={() => setFollowing(true)} stop={stop} />
          {isFollowing && page && (
            <FollowTag pageId={page.id} section={section} onClose={() => setFollowing(false)} />
          )}
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
        aria-label={TEXT.heading}
        placeholder={TEXT.untitled}
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

type MenuProps = HeadProps & { follow: () => void; stop: () => void }

function SectionMenu(props: MenuProps) {
  const { section, index, structure, change, move, remove, setOpen } = props
  const { key, name, collapsed } = section
  const shift = (by: 1 | -1) => move(key, moves.moveSection(structure, key, by))
  return (
    <Menu
      trigger={
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label={TEXT.moreSection({ name: name ?? String(index + 1) })}
        >
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={Pencil} onSelect={() => setOpen(key)}>
        {TEXT.rename}
      </MenuItem>
      <MenuItem
        icon={collapsed ? Rows4 : Rows2}
        onSelect={() => change(moves.changeSection(structure, key, { collapsed: !collapsed }))}
      >
        {collapsed ? TEXT.expand : TEXT.collapse}
      </MenuItem>
      <MenuItem icon={ArrowUp} disabled={index === 0} onSelect={() => shift(-1)}>
        {TEXT.moveUp}
      </MenuItem>
      <MenuItem
        icon={ArrowDown}
        disabled={index === structure.length - 1}
        onSelect={() => shift(1)}
      >
        {TEXT.moveDown}
      </MenuItem>
      <FollowItem {...props} />
      <MenuLine />
      <MenuItem
        icon={Trash2}
        danger
        onSelect={() =>
          remove(
            TEXT.section({ name: name ?? String(index + 1) }),
            structure.filter((one) => one.key !== key),
            (now) => now.toSpliced(index, 0, section),
          )
        }
      >
        {TEXT.removeSection}
      </MenuItem>
    </Menu>
  )
}

/** Saved by itself, so it needs a section that is saved, and a draft without changes to it. */
function FollowItem({ page, isDirty, section, follow, stop }: MenuProps) {
  const { id, tag } = section
  const isSaved = page !== undefined && id !== undefined && !isDirty
  if (!tag)
    return (
      <MenuItem icon={Tag} disabled={!isSaved} onSelect={follow}>
        {isSaved ? followText.menu : followText.menuAfterSave}
      </MenuItem>
    )
  return (
    <MenuItem icon={Tag} disabled={!isSaved} onSelect={stop}>
      {followText.stop({ tag: tag.name })}
    </MenuItem>
  )
}
