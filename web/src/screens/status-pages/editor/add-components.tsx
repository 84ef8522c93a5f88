import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { MAX_COMPONENTS } from '../../../../../src/domain/status-pages/sections.ts'
import { useRead } from '../../../session/use-api.ts'
import { formatCount, plural } from '../../../time/figures.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Empty, Loaded, Skeleton } from '../../../ui/loading.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import type { ComponentDraft } from './structure.ts'
import * as moves from './structure.ts'
import type { SectionProps } from './tree-context.ts'
import '../../../ui/choice.css'
import './address.css'

const SHOWN = 50

export function AddComponents({ section, structure, change, setOpen }: SectionProps) {
  const [asks, setAsks] = useState(false)
  const isFull = moves.countOf(structure) >= MAX_COMPONENTS
  const whyNot = isFull ? `A page has at most ${MAX_COMPONENTS} components.` : undefined
  const add = (added: readonly ComponentDraft[]) =>
    change(moves.addComponents(structure, section.key, added))
  const addByHand = () => {
    const component: ComponentDraft = {
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
        <Plus className="icon" aria-hidden="true" />
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
  onPick: (added: ComponentDraft[]) => void
}

function Pick({ structure, onClose, onPick }: PickProps) {
  const [{ search, offset }, look] = useState({ search: '', offset: 0 })
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const monitors = useRead('GET /monitors', { query: { limit: SHOWN, offset, q: search } })
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
        <TextInput
          label="Search"
          type="search"
          value={search}
          onChange={(text) => look({ search: text, offset: 0 })}
        />
        <Found
          monitors={monitors}
          search={search}
          chosen={chosen}
          there={there}
          onToggle={toggle}
          onTurn={(to) => look({ search, offset: to })}
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
  onTurn: (offset: number) => void
}

function Found({ monitors, chosen, there, search, onToggle, onTurn }: FoundProps) {
  return (
    <Loaded
      query={monitors}
      loading={
        <div className="choice-list pick-list">
          <Skeleton />
        </div>
      }
    >
      {({ data, pagination }) => (
        <>
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
            {pagination.total === 0 && search !== '' && (
              <p className="hint">No monitor is called so.</p>
            )}
            {pagination.total === 0 && search === '' && (
              <Empty title="There is no monitor yet">
                Make one first, or add a component that you set by hand.
              </Empty>
            )}
          </div>
          {pagination.total > SHOWN && <Turn {...pagination} onTurn={onTurn} />}
        </>
      )}
    </Loaded>
  )
}

type TurnProps = { offset: number; total: number; onTurn: (offset: number) => void }

/** Does not change the URL: these result pages are not worth returning to. */
function Turn({ offset, total, onTurn }: TurnProps) {
  const end = Math.min(offset + SHOWN, total)
  return (
    <div className="pages">
      <span className="num" role="status">
        {formatCount(offset + 1)}–{formatCount(end)} of {formatCount(total)}
      </span>
      <span className="row">
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label="Previous monitors"
          whyNot={offset === 0 ? 'These are the first.' : undefined}
          onClick={() => onTurn(offset - SHOWN)}
        >
          <ChevronLeft className="icon dir" aria-hidden="true" />
        </Button>
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label="Next monitors"
          whyNot={end === total ? 'These are the last.' : undefined}
          onClick={() => onTurn(offset + SHOWN)}
        >
          <ChevronRight className="icon dir" aria-hidden="true" />
        </Button>
      </span>
    </div>
  )
}
