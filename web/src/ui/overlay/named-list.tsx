// A list of names in a dialog: each can be renamed in place and deleted after one question.
import { useState } from 'react'
import { problemAt } from '../../api/problem.ts'
import { nameSentences, namesText as TEXT } from '../../messages/monitors/names.ts'
import { Button } from '../button.tsx'
import { TextInput } from '../inputs.tsx'
import './named-list.css'

export type NamedItem = {
  id: string
  name: string
  /** Below the name. */
  detail: string
  /** What deleting it means. */
  question: string
}

type Props = {
  label: string
  items: readonly NamedItem[]
  maxLength: number
  deleteAction: string
  busy: boolean
  /** Of the last change. */
  error: unknown
  onRename: (item: NamedItem, name: string, done: () => void) => void
  onDelete: (item: NamedItem) => void
  /** Clears the error. */
  onBegin: () => void
}

type Open = { id: string; what: 'rename' | 'delete' }

export function NamedList(props: Props) {
  const { label, items, onBegin } = props
  const [open, setOpen] = useState<Open>()
  const begin = (next: Open | undefined) => {
    onBegin()
    setOpen(next)
  }
  return (
    <ul className="named-list" aria-label={label}>
      {items.map((item) => (
        <li key={item.id}>
          {open?.id !== item.id && <Shown item={item} onOpen={begin} />}
          {open?.id === item.id && open.what === 'rename' && (
            <Rename {...props} item={item} onEnd={() => begin(undefined)} />
          )}
          {open?.id === item.id && open.what === 'delete' && (
            <Delete {...props} item={item} onEnd={() => begin(undefined)} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Shown({ item, onOpen }: { item: NamedItem; onOpen: (open: Open) => void }) {
  const { id, name, detail } = item
  return (
    <>
      <div className="two grow">
        <span className="strong-2 truncate" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="wrap-any">{detail}</span>
      </div>
      <Button
        size="sm"
        kind="ghost"
        aria-label={TEXT.renameOne({ name })}
        onClick={() => onOpen({ id, what: 'rename' })}
      >
        {TEXT.rename}
      </Button>
      <Button
        size="sm"
        kind="danger"
        aria-label={TEXT.deleteOne({ name })}
        onClick={() => onOpen({ id, what: 'delete' })}
      >
        {TEXT.delete}
      </Button>
    </>
  )
}

type EditProps = Props & { item: NamedItem; onEnd: () => void }

function Rename({ item, maxLength, busy, error, onRename, onEnd }: EditProps) {
  const [name, setName] = useState(item.name)
  const save = () => (name.trim() === item.name ? onEnd() : onRename(item, name, onEnd))
  return (
    <form
      className="row grow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) save()
      }}
    >
      <div className="grow">
        <TextInput
          label={TEXT.newName({ name: item.name })}
          maxLength={maxLength}
          autoFocus
          value={name}
          onChange={setName}
          problem={problemOf(error)}
        />
      </div>
      <Button size="sm" onClick={onEnd}>
        {TEXT.cancel}
      </Button>
      <Button size="sm" kind="primary" type="submit" busy={busy}>
        {TEXT.save}
      </Button>
    </form>
  )
}

/** A name that is taken has no field of its own in the response. */
function problemOf(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  return (
    problemAt(error, 'name', nameSentences) ?? (error instanceof Error ? error.message : undefined)
  )
}

function Delete({ item, deleteAction, busy, onDelete, onEnd }: EditProps) {
  return (
    <>
      <p className="wrap-any" role="alert">
        {item.question}
      </p>
      <span className="row">
        <Button size="sm" autoFocus onClick={onEnd}>
          {TEXT.keep}
        </Button>
        <Button size="sm" kind="danger solid" busy={busy} onClick={() => onDelete(item)}>
          {deleteAction}
        </Button>
      </span>
    </>
  )
}
