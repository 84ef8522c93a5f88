import { Plus } from 'lucide-react'
import { useState } from 'react'
import { MAX_COMPONENTS } from '../../../../src/domain/status-page-sections.ts'
import { useRead } from '../../api/use-own.ts'
import { plural } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/loading.tsx'
import type { Component } from './structure.ts'
import * as moves from './structure.ts'
import type { SectionProps } from './tree-hands.ts'

const SHOWN = 50

export function AddComponents({ section, structure, change, setOpen }: SectionProps) {
  const [asks, setAsks] = useState(false)
  const isFull = moves.countOf(structure) >= MAX_COMPONENTS
  const whyNot = isFull ? `A page has at most ${MAX_COMPONENTS} components.` : undefined
  const add = (added: readonly Component[]) =>
    change(moves.addComponents(structure, section.key, added))
  const addByHand = () => {
    const component: Component = {
      key: moves.newKey(),
      name: 'New component',
      description: null,
      monitorId: null,
      manualState: 'OPERATIONAL',
    }
    add([component])
    setOpen(component.key)
  }
  return (
    <>
      <Button kind="ghost" size="sm" whyNot={whyNot} onClick={() => setAsks(true)}>
        <Plus className="icon" aria-hidden="true" />
        Add monitors
      </Button>
      <Button kind="ghost" size="sm" whyNot={whyNot} onClick={addByHand}>
        Add one set by hand
      </Button>
      {asks && <Pick structure={structure} onClose={() => setAsks(false)} onPick={add} />}
    </>
  )
}

type Chosen = { id: string; name: string; type: string }

type PickProps = {
  structure: moves.Structure
  onClose: () => void
  onPick: (added: Component[]) => void
}

function Pick({ structure, onClose, onPick }: PickProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const monitors = useRead('GET /monitors', { query: { limit: SHOWN, q: search } })
  const there = new Set(
    structure.flatMap(({ components }) => components.map(({ monitorId }) => monitorId)),
  )
  const room = MAX_COMPONENTS - moves.countOf(structure)
  const toggle = (monitor: Chosen, checked: boolean) =>
    setChosen(checked ? [...chosen, monitor] : chosen.filter(({ id }) => id !== monitor.id))
  const pick = () => {
    onPick(
      chosen.map(({ id, name, type }) => ({
        key: moves.newKey(),
        name: null,
        description: null,
        monitorId: id,
        monitor: { name, type },
      })),
    )
    onClose()
  }
  const whyNot =
    chosen.length === 0
      ? 'Choose a monitor first.'
      : chosen.length > room
        ? `There is room for ${room}.`
        : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add monitors"
      about="Readers see the name of the monitor, unless you give it another one."
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" whyNot={whyNot} onClick={pick}>
            {chosen.length === 0 ? 'Add' : `Add ${plural(chosen.length, 'monitor')}`}
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextInput label="Search" type="search" value={search} onChange={setSearch} />
        <Found
          monitors={monitors}
          search={search}
          chosen={chosen}
          there={there}
          onToggle={toggle}
        />
      </div>
    </Dialog>
  )
}

type FoundProps = {
  monitors: ReturnType<typeof useRead<'GET /monitors'>>
  chosen: readonly Chosen[]
  there: ReadonlySet<string | null>
  search: string
  onToggle: (monitor: Chosen, checked: boolean) => void
}

function Found({ monitors, chosen, there, search, onToggle }: FoundProps) {
  return (
    <Loaded query={monitors} loading={<Skeleton />}>
      {({ data, pagination }) => (
        <div className="choice-list pick-list">
          {data.map(({ id, name, type }) => (
            <Choice
              key={id}
              checked={chosen.some((one) => one.id === id)}
              onChange={(checked) => onToggle({ id, name, type }, checked)}
              label={
                <>
                  <bdi className="wrap-any">{name}</bdi> <span className="type">{type}</span>
                </>
              }
              {...(there.has(id) && { hint: 'On the page already' })}
            />
          ))}
          {pagination.total > data.length && (
            <p className="hint">{pagination.total - data.length} more; search to see them.</p>
          )}
          {pagination.total === 0 && search !== '' && (
            <p className="hint">No monitor is called so.</p>
          )}
          {pagination.total === 0 && search === '' && (
            <Empty title="There is no monitor yet">
              Make one first, or add a component that you set by hand.
            </Empty>
          )}
        </div>
      )}
    </Loaded>
  )
}
