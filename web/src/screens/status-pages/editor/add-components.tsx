import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { MAX_COMPONENTS } from '../../../../../src/domain/status-pages/sections.ts'
import { monitorPickerText } from '../../../messages/forms/monitor-picker.ts'
import { structureText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { MonitorPicker, PICKER_SIZE, usePickableMonitors } from '../../../shared/monitor-picker.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Empty } from '../../../ui/loading.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import type { ComponentDraft } from './structure.ts'
import * as moves from './structure.ts'
import type { SectionProps } from './tree-context.ts'
import '../../../ui/pages.css'

export function AddComponents({ section, structure, change, setOpen }: SectionProps) {
  const [asks, setAsks] = useState(false)
  const isFull = moves.countOf(structure) >= MAX_COMPONENTS
  const whyNot = isFull ? TEXT.full({ most: MAX_COMPONENTS }) : undefined
  const add = (added: readonly ComponentDraft[]) =>
    change(moves.addComponents(structure, section.key, added))
  const addByHand = () => {
    const component: ComponentDraft = {
      key: moves.newKey(),
      name: TEXT.newComponent,
      description: null,
      monitorId: null,
      manualState: 'OPERATIONAL',
    }
    add([component])
    setOpen(component.key)
  }
  return (
    <>
      {!section.tag && (
        <Button kind="ghost" size="sm" whyNot={whyNot} onClick={() => setAsks(true)}>
          <Plus className="icon" aria-hidden="true" />
          {TEXT.addMonitors}
        </Button>
      )}
      <Button kind="ghost" size="sm" whyNot={whyNot} onClick={addByHand}>
        <Plus className="icon" aria-hidden="true" />
        {TEXT.addManual}
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
  const found = usePickableMonitors(search, offset)
  const there = new Set(
    structure.flatMap(({ components }) => components.map(({ monitorId }) => monitorId)),
  )
  const room = MAX_COMPONENTS - moves.countOf(structure)
  const toggle = (monitor: Chosen, checked: boolean) =>
    setChosen(checked ? [...chosen, monitor] : chosen.filter(({ id }) => id !== monitor.id))
  const pick = () => {
    onPick(chosen.map(toComponent))
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={TEXT.addMonitors}
      about={TEXT.addAbout}
      foot={
        <>
          <Button onClick={onClose}>{TEXT.cancel}</Button>
          <Button kind="primary" whyNot={whyNotAdd(chosen.length, room)} onClick={pick}>
            {TEXT.add({ count: chosen.length })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextInput
          label={monitorPickerText.search}
          type="search"
          value={search}
          onChange={(text) => look({ search: text, offset: 0 })}
        />
        <MonitorPicker
          found={found}
          isPaged
          isChosen={(id) => chosen.some((one) => one.id === id)}
          choose={toggle}
          chooseAll={(all) =>
            setChosen([
              ...chosen,
              ...all.filter(({ id }) => !there.has(id) && !chosen.some((one) => one.id === id)),
            ])
          }
          hintOf={(id) => (there.has(id) ? TEXT.alreadyAdded : undefined)}
          empty={
            search === '' ? (
              <Empty title={TEXT.noMonitors}>{TEXT.noMonitorsAbout}</Empty>
            ) : undefined
          }
        />
        {found.data && found.data.pagination.total > PICKER_SIZE && (
          <Turn {...found.data.pagination} onTurn={(to) => look({ search, offset: to })} />
        )}
      </div>
    </Dialog>
  )
}

const toComponent = ({ id, name, type }: Chosen): ComponentDraft => ({
  key: moves.newKey(),
  name: null,
  description: null,
  monitorId: id,
  monitor: { name, type },
})

function whyNotAdd(count: number, room: number): string | undefined {
  if (count === 0) return TEXT.chooseFirst
  return count > room ? TEXT.room({ count: room }) : undefined
}

type TurnProps = { offset: number; total: number; onTurn: (offset: number) => void }

/** Does not change the URL: these result pages are not worth returning to. */
function Turn({ offset, total, onTurn }: TurnProps) {
  const end = Math.min(offset + PICKER_SIZE, total)
  return (
    <div className="pages">
      <span className="num" role="status">
        {TEXT.range({ from: offset + 1, to: end, total })}
      </span>
      <span className="row">
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label={TEXT.previous}
          whyNot={offset === 0 ? TEXT.isFirst : undefined}
          onClick={() => onTurn(offset - PICKER_SIZE)}
        >
          <ChevronLeft className="icon dir" aria-hidden="true" />
        </Button>
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label={TEXT.next}
          whyNot={end === total ? TEXT.isLast : undefined}
          onClick={() => onTurn(offset + PICKER_SIZE)}
        >
          <ChevronRight className="icon dir" aria-hidden="true" />
        </Button>
      </span>
    </div>
  )
}
