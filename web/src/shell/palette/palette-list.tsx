import {
  ChevronRight,
  Keyboard,
  type LucideIcon,
  Plus,
  RefreshCw,
  Save,
  SunMoon,
  ToggleRight,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { paletteText } from '../../messages/palette.ts'
import { useNow } from '../../time/use-now.ts'
import { ACTION_ICONS } from '../../ui/action-icons.ts'
import { appearanceOf, Mark } from '../../ui/state.tsx'
import { KeyNames } from '../keyboard-help.tsx'
import { GROUPS, type PaletteEntry } from './entries.ts'
import { stateOfHit } from './hits.ts'
import { type MatchSpan, toParts } from './match.ts'

const SHORTCUT_ICONS: Readonly<Record<string, LucideIcon>> = {
  '?': Keyboard,
  t: SunMoon,
  n: Plus,
  c: RefreshCw,
  p: ToggleRight,
  e: ACTION_ICONS.edit,
  s: Save,
}

type ListProps = {
  listId: string
  entries: readonly PaletteEntry[]
  current: PaletteEntry | undefined
  /** What to say if there are none. */
  none: string
  run: (entry: PaletteEntry) => void
}

export function List({ listId, entries, current, none, run }: ListProps) {
  return (
    <div className="p-list" id={listId} role="listbox" aria-label={paletteText.results}>
      {entries.length === 0 && <p className="g">{none}</p>}
      {GROUPS.map((group) => {
        const own = entries.filter((entry) => entry.group === group)
        if (own.length === 0) return null
        return (
          <div key={group} role="group" aria-label={paletteText.groups[group]} className="p-group">
            <div className="g" aria-hidden="true">
              {paletteText.groups[group]}
            </div>
            {own.map((entry) => (
              <Option
                key={entry.id}
                id={`${listId}-${entry.id}`}
                entry={entry}
                isSelected={entry.id === current?.id}
                onClick={() => run(entry)}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

type OptionProps = { id: string; entry: PaletteEntry; isSelected: boolean; onClick: () => void }

function Option({ id, entry, isSelected, onClick }: OptionProps) {
  const { label, spans, detail, detailSpans } = entry
  const { lead, end, tone } = useLook(entry)
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={tone}
      onClick={onClick}
      onKeyDown={undefined}
    >
      <span className="lead">{lead}</span>
      <span className="t truncate" title={detail === null ? label : `${label}, ${detail}`}>
        <bdi>
          <Marked text={label} spans={spans} />
        </bdi>
        {detail !== null && (
          <>
            {' '}
            <bdi className="faint">
              <Marked text={detail} spans={detailSpans} />
            </bdi>
          </>
        )}
      </span>
      {end}
    </div>
  )
}

function Marked({ text, spans }: { text: string; spans: readonly MatchSpan[] }) {
  return toParts(text, spans).map(({ text: part, isMatch, at }) =>
    isMatch ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  )
}

type Look = { lead: ReactNode; end: ReactNode; tone: string }

function useLook({ deed }: PaletteEntry): Look {
  const now = useNow()
  if (deed.does === 'open') {
    const { state, text } = stateOfHit(deed.hit, now)
    const { tone } = appearanceOf(state)
    return { lead: <Mark state={state} />, end: <span className="word">{text}</span>, tone }
  }
  if (deed.does === 'act' || deed.does === 'choose')
    return { lead: iconOf(ACTION_ICONS[deed.action]), end: null, tone: '' }
  if (deed.does === 'create') return { lead: iconOf(Plus), end: keysOf(deed.keys), tone: '' }
  if (deed.does === 'go')
    return { lead: iconOf(deed.place.icon), end: keysOf(deed.place.keys), tone: '' }
  const { keys } = deed.shortcut
  return { lead: iconOf(SHORTCUT_ICONS[keys] ?? ChevronRight), end: keysOf(keys), tone: '' }
}

const iconOf = (Icon: LucideIcon): ReactNode => <Icon className="icon" aria-hidden="true" />

const keysOf = (keys: string | undefined): ReactNode =>
  keys !== undefined && (
    <span className="p-keys">
      <KeyNames keys={keys} />
    </span>
  )

/** Which keys work, and what Tab would show. */
export function Foot({ more, isScoped }: { more: string | undefined; isScoped: boolean }) {
  const { move, run, more: actionsFor, back } = paletteText.foot
  return (
    <div className="p-foot hide-phone" aria-hidden="true">
      <Hint keys={['↑', '↓']}>{move}</Hint>
      <Hint keys={['↵']}>{run}</Hint>
      {more !== undefined && <Hint keys={['Tab']}>{actionsFor({ name: more })}</Hint>}
      {isScoped && <Hint keys={['⌫']}>{back}</Hint>}
    </div>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="p-hint">
      <span className="p-keys">
        {keys.map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </span>
      <span className="truncate">{children}</span>
    </span>
  )
}
