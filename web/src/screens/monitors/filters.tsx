import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MONITOR_TYPES } from '../../../../src/domain/monitors/monitor.ts'
import { useRead } from '../../session/use-api.ts'
import { formatCount } from '../../time/figures.ts'
import { Segment } from '../../ui/segment.tsx'
import { appearanceOf, Mark, MONITOR_STATE_ORDER } from '../../ui/state.tsx'
import type { MonitorCounts } from './overview-bar.tsx'

const TYPING_MS = 250

type Props = {
  counts: MonitorCounts | undefined
  address: { q: string; type: string; state: string; tag: string }
  go: (
    change: { q?: string; type?: string; tag?: string; page: string },
    options?: { replace: boolean },
  ) => void
}

export function Filters({ counts, address, go }: Props) {
  const options = [
    { value: '', label: <Choice word="All" count={counts?.all} /> },
    ...MONITOR_STATE_ORDER.map((state) => ({
      value: state,
      tone: appearanceOf(state).tone,
      label: (
        <>
          <Mark state={state} />
          <Choice word={appearanceOf(state).word} count={counts?.[state]} />
        </>
      ),
    })),
  ]
  return (
    <div className="filters">
      <div className="scroller">
        <Segment label="Filter by state" name="state" value={address.state} options={options} />
      </div>
      <SearchField q={address.q} onSearch={(q) => go({ q, page: '1' }, { replace: true })} />
      <select
        className="select hide-phone"
        aria-label="Type"
        value={address.type}
        onChange={(event) => go({ type: event.currentTarget.value, page: '1' })}
      >
        <option value="">All types</option>
        {MONITOR_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <TagFilter tag={address.tag} onPick={(tag) => go({ tag, page: '1' })} />
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
      aria-label="Tag"
      value={tag}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      <option value="">All tags</option>
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
  const [{ text, from }, set] = useState({ text: q, from: q })
  // The URL changed by other means, such as "Show all monitors": it replaces what was typed.
  if (from !== q) set({ text: text.trim() === q ? text : q, from: q })
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => onSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, q, onSearch])
  return (
    <label className="search right">
      <span className="sr">Filter by name, URL or host</span>
      <Search className="icon" aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder="Name, URL or host"
        maxLength={100}
        value={text}
        onChange={(event) => set({ text: event.currentTarget.value, from })}
      />
    </label>
  )
}
