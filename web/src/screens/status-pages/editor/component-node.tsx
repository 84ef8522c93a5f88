import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { COMPONENT_STATES } from '../../../../../src/domain/status-pages/page-state.ts'
import { structureText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectInput, TextArea, TextInput } from '../../../ui/inputs.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/overlay/menu.tsx'
import { appearanceOf, Mark } from '../../../ui/state.tsx'
import { NodeProblem } from './node-problem.tsx'
import type { ComponentDraft, DraftComponentState } from './structure.ts'
import * as moves from './structure.ts'
import { arrows, type SectionProps } from './tree-context.ts'
import './tree.css'

type NodeProps = SectionProps & { component: ComponentDraft; place: number }

export function ComponentNode(props: NodeProps) {
  const { component, structure, move, dragged, open, index, place, at } = props
  const { key } = component
  const path = `sections.${index}.components.${place}`
  const problem = open === key ? undefined : at(path)
  const landing = dragged?.kind === 'component' ? dragged.target : undefined
  return (
    <>
      {landing?.before === key && <li className="drop" aria-hidden="true" />}
      <li className={classOf(dragged?.key === key, open === key)} data-component={key}>
        <button
          type="button"
          className="grip"
          aria-label={TEXT.move({ name: nameOf(component) })}
          data-grip={key}
          {...props.begin(key, 'component')}
          {...arrows((by) => move(key, moves.moveComponent(structure, key, by)))}
        >
          <GripVertical className="icon" aria-hidden="true" />
        </button>
        {open === key ? <Edit {...props} path={path} /> : <ComponentSummary {...props} />}
      </li>
      {problem !== undefined && (
        <li>
          <NodeProblem text={problem} />
        </li>
      )}
    </>
  )
}

const classOf = (isLifted: boolean, isOpen: boolean): string =>
  ['node-row', isLifted && 'lifted', isOpen && 'editing'].filter(Boolean).join(' ')

const nameOf = ({ name, monitor }: ComponentDraft): string => name ?? monitor?.name ?? ''

function ComponentSummary(props: NodeProps) {
  const { component, setOpen } = props
  const { key, monitor, state, manualState } = component
  const now = state ?? manualState
  const name = nameOf(component)
  return (
    <>
      <div className="two">
        <span className="truncate name" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="truncate" title={monitor?.name}>
          {monitor ? (
            <>
              <bdi>{monitor.name}</bdi> <span className="type">{monitor.type}</span>
            </>
          ) : (
            TEXT.manual
          )}
        </span>
      </div>
      {now !== undefined && (
        <span className={`state ${appearanceOf(now).tone}`} title={appearanceOf(now).word}>
          <Mark state={now} />
          <span className="sr">{appearanceOf(now).word}</span>
        </span>
      )}
      <ComponentMenu {...props} name={name} onEdit={() => setOpen(key)} />
    </>
  )
}

type MenuProps = NodeProps & { name: string; onEdit: () => void }

function ComponentMenu(props: MenuProps) {
  const { component, section, place, structure, move, name, onEdit } = props
  const { key } = component
  const shift = (by: 1 | -1) => moves.moveComponent(structure, key, by)
  const [up, down] = [shift(-1), shift(1)]
  // The section follows a tag: it would come back.
  const isAutomatic = Boolean(section.tag) && component.monitorId !== null
  const remove = () =>
    props.remove(name, moves.removeComponent(structure, key), (now) =>
      moves.restoreComponent(now, component, { section: section.key, index: place }),
    )
  return (
    <Menu
      trigger={
        <Button kind="ghost" square size="sm" aria-label={TEXT.more({ name })}>
          <Ellipsis className="icon" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem icon={Pencil} onSelect={onEdit}>
        {TEXT.edit}
      </MenuItem>
      <MenuItem icon={ArrowUp} disabled={up === structure} onSelect={() => move(key, up)}>
        {TEXT.moveUp}
      </MenuItem>
      <MenuItem icon={ArrowDown} disabled={down === structure} onSelect={() => move(key, down)}>
        {TEXT.moveDown}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Trash2} danger disabled={isAutomatic} onSelect={remove}>
        {TEXT.remove}
      </MenuItem>
    </Menu>
  )
}

const STATES = COMPONENT_STATES.map((value) => ({ value, label: appearanceOf(value).word }))

/** Edits in place. Every keystroke shows in the preview; Escape restores the previous values. */
function Edit(props: NodeProps & { path: string }) {
  const { component, structure, change, setOpen, at, path } = props
  const { key, name, description, monitorId, manualState } = component
  const [before] = useState(component)
  const set = (next: Partial<ComponentDraft>) => change(moves.changeComponent(structure, key, next))
  const own = component.monitor?.name
  const form = useRef<HTMLFormElement>(null)
  useEscape(form, () => {
    set(before)
    setOpen(undefined)
  })
  return (
    <form
      ref={form}
      className="rename"
      onSubmit={(event) => {
        event.preventDefault()
        setOpen(undefined)
      }}
    >
      <TextInput
        label={TEXT.displayName}
        autoFocus
        maxLength={120}
        placeholder={own ?? ''}
        hint={own === undefined ? undefined : TEXT.nameHint({ monitor: own })}
        problem={at(`${path}.name`)}
        value={name ?? ''}
        onChange={(text) => set({ name: text === '' && monitorId !== null ? null : text })}
      />
      <TextArea
        label={TEXT.description}
        optional
        rows={2}
        maxLength={500}
        problem={at(`${path}.description`)}
        value={description ?? ''}
        onChange={(text) => set({ description: text === '' ? null : text })}
      />
      {monitorId === null && (
        <SelectInput<DraftComponentState>
          label={TEXT.state}
          hint={TEXT.stateHint}
          options={STATES}
          problem={at(`${path}.manualState`)}
          value={manualState ?? 'OPERATIONAL'}
          onChange={(next) => set({ manualState: next, state: undefined })}
        />
      )}
      <div className="row">
        <Button size="sm" type="submit">
          {TEXT.done}
        </Button>
        <span className="hint hide-phone">
          <span className="kbd">Enter</span> {TEXT.toSave} <span className="kbd">Esc</span>{' '}
          {TEXT.toCancel}
        </span>
      </div>
    </form>
  )
}

function useEscape(element: RefObject<HTMLElement | null>, run: () => void): void {
  useEffect(() => {
    const { current } = element
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && run()
    current?.addEventListener('keydown', onKey)
    return () => current?.removeEventListener('keydown', onKey)
  })
}
