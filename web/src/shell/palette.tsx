// The command palette: search results first, then actions, then pages.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type ReactNode, useDeferredValue, useId, useState } from 'react'
import { PATHS, pathTo } from '../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../api/contract.ts'
import { useRegistered } from '../session/keyboard.ts'
import { useRead } from '../session/use-api.ts'
import { appearanceOf, Mark, type State } from '../ui/state.tsx'
import { KeyNames } from './keyboard-help.tsx'
import { useNavigationItems } from './use-navigation-items.ts'
import '../ui/overlay/dialog.css'
import './palette.css'

const GROUPS = ['Monitors', 'Incidents', 'Status pages', 'Do', 'Go to'] as const
const MOST_OF_A_KIND = 6
const MAX_TEXT = 100

type Hit = ItemOf<'GET /search'>
type Entry = {
  id: string
  group: (typeof GROUPS)[number]
  label: string
  lead: ReactNode
  end: ReactNode
  tone?: string
  run: () => void
}

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const entries = useEntries(text.trim(), onClose)
  const current = entries[Math.min(selected, entries.length - 1)]
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0)
      setSelected(
        (before) => (Math.min(before, entries.length - 1) + step + entries.length) % entries.length,
      )
    else if (event.key === 'Enter') current?.run()
    else return
    event.preventDefault()
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim-back" />
        <Base.Viewport className="scrim clear palette-scrim">
          <Base.Popup className="palette" aria-label="Search and do">
            <label className="p-input">
              <Search className="icon lg" aria-hidden="true" />
              <span className="sr">Search monitors, incidents, pages, actions and places</span>
              <input
                type="text"
                role="combobox"
                aria-expanded="true"
                aria-controls={listId}
                aria-activedescendant={current && `${listId}-${current.id}`}
                autoComplete="off"
                placeholder="Search, or say what to do"
                maxLength={MAX_TEXT}
                value={text}
                onKeyDown={onKey}
                onChange={(event) => {
                  setText(event.currentTarget.value)
                  setSelected(0)
                }}
              />
              <span className="kbd hide-phone" aria-hidden="true">
                Esc
              </span>
            </label>
            <List listId={listId} entries={entries} current={current} text={text} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

type ListProps = {
  listId: string
  entries: readonly Entry[]
  current: Entry | undefined
  text: string
}

function List({ listId, entries, current, text }: ListProps) {
  const groups = GROUPS.map(
    (group) => [group, entries.filter((entry) => entry.group === group)] as const,
  )
  return (
    <div className="p-list" id={listId} role="listbox" aria-label="Results">
      {entries.length === 0 && <p className="g">Nothing is called “{text}”.</p>}
      {groups.map(([group, own]) =>
        own.length === 0 ? null : (
          <div key={group} role="group" aria-label={group} className="p-group">
            <div className="g" aria-hidden="true">
              {group}
            </div>
            {own.map(({ id, label, lead, end, tone, run }) => (
              <div
                key={id}
                id={`${listId}-${id}`}
                role="option"
                tabIndex={-1}
                aria-selected={id === current?.id}
                className={tone ?? ''}
                onClick={run}
                onKeyDown={undefined}
              >
                <span className="lead">{lead}</span>
                <span className="t truncate" title={label}>
                  {label}
                </span>
                {end}
              </div>
            ))}
          </div>
        ),
      )}
    </div>
  )
}

function useEntries(text: string, onClose: () => void): readonly Entry[] {
  const found = useFound(text, onClose)
  const navigate = useNavigate()
  const items = useNavigationItems()
  const shortcuts = useRegistered()
  const fits = (label: string) => label.toLowerCase().includes(text.toLowerCase())
  const doing = shortcuts
    .filter(({ hidden, label }) => !hidden && fits(label))
    .map(
      ({ keys, label, run }): Entry => ({
        id: `do-${label.replaceAll(' ', '-')}`,
        group: 'Do',
        label,
        lead: null,
        end: <KeyNames keys={keys} />,
        run: () => {
          onClose()
          run()
        },
      }),
    )
  const going = items
    .filter(({ label }) => fits(label))
    .map(
      ({ to, label, icon: Icon, keys }): Entry => ({
        id: `go${to.replaceAll('/', '-')}`,
        group: 'Go to',
        label,
        lead: <Icon className="icon" aria-hidden="true" />,
        end: <KeyNames keys={keys} />,
        run: () => {
          onClose()
          void navigate({ to })
        },
      }),
    )
  return [...found, ...doing, ...going]
}

const KINDS = {
  MONITOR: {
    group: 'Monitors',
    toPath: (monitorId: string) => pathTo(PATHS.monitor, { monitorId }),
  },
  INCIDENT: {
    group: 'Incidents',
    toPath: (incidentId: string) => pathTo(PATHS.incident, { incidentId }),
  },
  STATUS_PAGE: {
    group: 'Status pages',
    toPath: (statusPageId: string) => pathTo(PATHS.statusPage, { statusPageId }),
  },
} as const

function useFound(text: string, onClose: () => void): readonly Entry[] {
  const q = useDeferredValue(text)
  const navigate = useNavigate()
  const enabled = q !== ''
  const { data } = useRead('GET /search', { query: { q } }, { enabled })
  if (!enabled) return []
  const hits = data?.data ?? []
  const fewOf = (kind: Hit['kind']) =>
    hits.filter((hit) => hit.kind === kind).slice(0, MOST_OF_A_KIND)
  return (['MONITOR', 'INCIDENT', 'STATUS_PAGE'] as const).flatMap(fewOf).map((hit): Entry => {
    const { group, toPath } = KINDS[hit.kind]
    const { state, word } = displayOf(hit)
    return {
      id: hit.id,
      group,
      label: labelOf(hit),
      tone: appearanceOf(state).tone,
      lead: <Mark state={state} />,
      end: <span className="word">{word}</span>,
      run: () => {
        onClose()
        void navigate({ to: toPath(hit.id) })
      },
    }
  })
}

const labelOf = ({ kind, title, detail }: Hit): string =>
  kind === 'INCIDENT' && detail !== null ? `${title}: ${detail}` : title

function displayOf({ kind, state }: Hit): { state: State; word: string } {
  // Safe because every monitor state has an appearance.
  if (kind === 'MONITOR') return { state: state as State, word: appearanceOf(state as State).word }
  if (kind === 'INCIDENT')
    return state === 'ONGOING'
      ? { state: 'DOWN', word: 'Ongoing' }
      : { state: 'UP', word: 'Resolved' }
  return state === 'PUBLISHED'
    ? { state: 'OPERATIONAL', word: 'Published' }
    : { state: 'PAUSED', word: 'Hidden' }
}
