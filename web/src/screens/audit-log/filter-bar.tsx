import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { currentAction } from '../../../../src/domain/people/audit-actions.ts'
import { auditLogText } from '../../messages/audit-log.ts'
import { useRead } from '../../session/use-api.ts'
import { PERIODS } from '../../shared/periods.ts'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { ACTIONS } from './action-labels.ts'
import type { AuditFilters } from './filters.ts'
import './audit-log.css'

const TYPING_MS = 250

type Props = {
  address: AuditFilters
  go: (change: Partial<AuditFilters>, options?: { replace?: boolean }) => void
}

export function FilterBar({ address, go }: Props) {
  const { q, actor, action, period } = address
  const members = useRead('GET /members', {})
  const keys = useRead('GET /keys', {})
  const names = [...(members.data?.data ?? []), ...(keys.data?.data ?? [])].map(({ name }) => name)
  // A person or key that is gone stays selectable while its entries are shown.
  const actors = [...new Set([...names, ...(actor === '' ? [] : [actor])])].toSorted()
  const pick = (change: Partial<AuditFilters>) => go({ ...change, page: '1', open: '' })
  return (
    <div className="filters" {...useOnlineOnly()}>
      <SearchField
        q={q}
        onSearch={(text) => go({ q: text, page: '1', open: '' }, { replace: true })}
      />
      <div className="pickers">
        <Pick
          label={auditLogText.who}
          value={actor}
          options={[
            { value: '', label: 'Everyone' },
            ...actors.map((name) => ({ value: name, label: name })),
          ]}
          onPick={(value) => pick({ actor: value })}
        />
        <Pick
          label={auditLogText.action}
          value={currentAction(action)}
          options={[{ value: '', label: 'All actions' }, ...ACTIONS]}
          onPick={(value) => pick({ action: value })}
        />
        <Pick
          label={auditLogText.period}
          value={period}
          options={PERIODS}
          onPick={(value) => pick({ period: value })}
        />
      </div>
    </div>
  )
}

type PickProps = {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onPick: (value: string) => void
}

function Pick({ label, value, options, onPick }: PickProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** Searches when the person pauses typing. */
function SearchField({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [{ text, from }, set] = useState({ text: q, from: q })
  // The URL changed by other means, such as the browser's back button: it replaces what was typed.
  if (from !== q) set({ text: text.trim() === q ? text : q, from: q })
  useEffect(() => {
    if (text.trim() === q) return
    const timer = setTimeout(() => onSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, q, onSearch])
  return (
    <label className="search">
      <span className="sr">{auditLogText.searchByObjectField}</span>
      <Search className="icon" aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder={auditLogText.objectFieldPersonOr}
        maxLength={100}
        value={text}
        onChange={(event) => set({ text: event.currentTarget.value, from })}
      />
    </label>
  )
}
