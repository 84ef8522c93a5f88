import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { LISTED_STATES } from '../../../../src/domain/monitors/list-order.ts'
import { MONITOR_TYPES } from '../../../../src/domain/monitors/monitor.ts'
import { monitorsText } from '../../messages/monitors/monitors.ts'
import { useRead } from '../../session/use-api.ts'
import { formatCount } from '../../time/figures.ts'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Segment } from '../../ui/segment.tsx'
import { appearanceOf, Mark } from '../../ui/state.tsx'
import type { LIST_ADDRESS } from './list-input.ts'
import type { MonitorCounts } from './overview-bar.tsx'
import { ViewsMenu } from './views-menu.tsx'

const TYPING_MS = 250
const text = monitorsText.filters

type Props = {
  counts: MonitorCounts | undefined
  address: typeof LIST_ADDRESS
  go: (change: Partial<typeof LIST_ADDRESS>, options?: { replace: boolean }) => void
}

export function Filters({ counts, address, go }: Props) {
  const options = [
    { value: '', label: <Choice word={text.all} count={counts?.all} /> },
    ...LISTED_STATES.map((state) => ({
      value: state,
      // Gray at zero: a red mark would draw the eye to nothing.
      ...(counts?.[state] !== 0 && { tone: appearanceOf(state).tone }),
      label: (
        <>
          <Mark state={state} />
          <Choice word={appearanceOf(state).word} count={counts?.[state]} />
        </>
      ),
    })),
  ]
  return (
    <div className="filters" {...useOnlineOnly()}>
      <div className="scroller">
        <Segment label={text.state} name="state" value={address.state} options={options} />
      </div>
      <SearchField q={address.q} onSearch={(q) => go({ q, page: '1' }, { replace: true })} />
      <select
        className="select hide-phone"
        aria-label={text.type}
        value={address.type}
        onChange={(event) => go({ type: event.currentTarget.value, page: '1' })}
      >
        <option value="">{text.allTypes}</option>
        {MONITOR_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <TagFilter tag={address.tag} onPick={(tag) => go({ tag, page: '1' })} />
      <ViewsMenu address={address} go={go} />
    </div>
  )
}

/** Missing until there is a tag. */
function TagFilter({ tag, onPick }: { tag: string; onPick: (tag: string) => void }) {
  const tags = useRead('GET /tags', {}).data?.data ?? []
  if (tags.length === 0) return null
  return (
    <select
      className="select hide-phone"
      aria-label={text.tag}
      value={tag}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      <option value="">{text.allTags}</option>
      {tags.map(({ id, name, monitors }) => (
        <option key={id} value={id}>
          {name} ({formatCount(monitors)})
        </option>
      ))}
    </select>
  )
}

function Choice({ word, count }: { word: string; count: number | undefined }) {
  return (
    <>
      {word} <span className="count">{count === undefined ? '' : formatCount(count)}</span>
    </>
  )
}

/** Searches when the person pauses typing. */
function SearchField({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [{ typed, from }, set] = useState({ typed: q, from: q })
  // The URL changed by other means, such as "Show all monitors": it replaces what was typed.
  if (from !== q) set({ typed: typed.trim() === q ? typed : q, from: q })
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => onSearch(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, q, onSearch])
  return (
    <label className="search right">
      <span className="sr">{text.search}</span>
      <Search className="icon" aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder={text.searchPlaceholder}
        maxLength={100}
        value={typed}
        onChange={(event) => set({ typed: event.currentTarget.value, from })}
      />
    </label>
  )
}
