// The command palette: what was found first, then actions, then places.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import { isOffline } from '../../api/connection.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'
import { paletteText } from '../../messages/palette.ts'
import { useMonitorActions } from '../../session/use-monitor-actions.ts'
import { commandText, readCommand } from './command.ts'
import { type PaletteEntry, toEntries, toEntriesOf } from './entries.ts'
import { actionsOfHit, monitorStateOf, type PaletteHit, pathOfHit } from './hits.ts'
import { Foot, List } from './palette-list.tsx'
import { useSources } from './use-sources.ts'
import '../../ui/overlay/dialog.css'
import './palette.css'

const MAX_TEXT = 100

type PaletteProps = {
  /** What the field contains when it opens. */
  initial: string
  onClose: () => void
  /** Opens the dialog that starts maintenance. */
  onMaintenance: (of: { id: string; name: string }) => void
}

export function Palette(props: PaletteProps) {
  const [text, setText] = useState(props.initial)
  // Tab narrows the palette to what can be done to one hit.
  const [scope, setScope] = useState<PaletteHit>()
  const [selectedId, setSelectedId] = useState('')
  const listId = useId()
  const sources = useSources(scope === undefined ? text : '')
  const entries = scope ? toEntriesOf(scope, text, sources.mayWrite) : toEntries(sources)
  const index = Math.max(
    0,
    entries.findIndex(({ id }) => id === selectedId),
  )
  const current = entries[index]
  const more = scope === undefined && sources.mayWrite ? moreOf(current) : undefined
  const write = (next: string, nextScope: PaletteHit | undefined) => {
    setText(next)
    setScope(nextScope)
    setSelectedId('')
  }
  const run = useRun(props, (next) => write(next, undefined))
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setSelectedId(entries[(index + step + entries.length) % entries.length]?.id ?? '')
    else if (event.key === 'Enter' && current) run(current)
    else if (event.key === 'Tab' && more) write('', more)
    else if (event.key === 'Backspace' && text === '' && scope) write('', undefined)
    else if (event.key !== 'Tab') return
    event.preventDefault()
  }
  const optionId = current && `${listId}-${current.id}`
  useEffect(() => {
    if (optionId !== undefined)
      document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' })
  }, [optionId])
  return (
    <Frame onClose={props.onClose}>
      <label className="p-input">
        <Search className="icon lg" aria-hidden="true" />
        <span className="sr">{paletteText.label}</span>
        {scope && <span className="p-scope truncate">{scope.title}</span>}
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={optionId}
          autoComplete="off"
          placeholder={
            scope ? paletteText.placeholderFor({ name: scope.title }) : paletteText.placeholder
          }
          maxLength={MAX_TEXT}
          value={text}
          onKeyDown={onKey}
          onChange={(event) => write(event.currentTarget.value, scope)}
        />
        <span className="kbd hide-phone" aria-hidden="true">
          Esc
        </span>
      </label>
      <List listId={listId} entries={entries} current={current} none={noneOf(text)} run={run} />
      <Foot more={more?.title} isScoped={scope !== undefined} />
    </Frame>
  )
}

function noneOf(text: string): string {
  if (isOffline()) return paletteText.offline
  const command = readCommand(text)
  return command?.action === 'acknowledge' && command.rest === ''
    ? paletteText.nothingOpen
    : paletteText.none({ text: text.trim() })
}

/** The hit that Tab would narrow the palette to. */
function moreOf(entry: PaletteEntry | undefined): PaletteHit | undefined {
  if (entry?.deed.does !== 'open') return undefined
  const { hit } = entry.deed
  return actionsOfHit(hit).length > 0 ? hit : undefined
}

function Frame({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim-back" />
        <Base.Viewport className="scrim clear palette-scrim">
          <Base.Popup className="palette" aria-label={paletteText.name}>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** Does what an entry says. The palette closes, except to complete a command. */
function useRun({ onClose, onMaintenance }: PaletteProps, complete: (text: string) => void) {
  const navigate = useNavigate()
  const actions = useMonitorActions()
  const act = (hit: PaletteHit, action: MonitorAction) => {
    const { id, title: name, type, unacknowledgedId } = hit
    const target = { id, name, type, state: monitorStateOf(hit) }
    if (action === 'acknowledge') return unacknowledgedId && actions.acknowledge(unacknowledgedId)
    if (action === 'maintenance') return onMaintenance({ id, name })
    if (action === 'edit')
      return void navigate({ to: pathTo(PATHS.editMonitor, { monitorId: id }) })
    return actions[action](target)
  }
  return ({ deed }: PaletteEntry) => {
    if (deed.does === 'choose') return complete(commandText(deed.action))
    onClose()
    if (deed.does === 'act') act(deed.hit, deed.action)
    else if (deed.does === 'press') deed.shortcut.run()
    else if (deed.does === 'open') void navigate({ to: pathOfHit(deed.hit) })
    else if (deed.does === 'go') void navigate({ to: deed.place.to })
    else void navigate({ href: deed.creation.to + (deed.creation.query ?? '') })
  }
}
