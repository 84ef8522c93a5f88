import { Download, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CAUSE_CODES } from '../../../../src/domain/incidents/incident.ts'
import { addressOf } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { CAUSE_LABELS, incidentsText as text } from '../../messages/incidents.ts'
import { useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { PERIODS } from '../../shared/periods.ts'
import { formatCount } from '../../time/figures.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { useListKeys } from '../../ui/list-keys.ts'
import { Empty } from '../../ui/loading.tsx'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Page } from '../../ui/page.tsx'
import { Segment } from '../../ui/segment.tsx'
import { Mark } from '../../ui/state.tsx'
import { ADDRESS, type IncidentFilters, type IncidentQuery, queryOf, spanOfDay } from './filters.ts'
import { LastDays } from './last-days.tsx'
import { Ongoing } from './ongoing.tsx'
import { Resolved } from './resolved.tsx'
import './incidents.css'

const TYPING_MS = 250
const PAGE_SIZE = 25
const REFRESH_MS = 30_000
const { filters } = text

export function Incidents() {
  const [address, go] = useAddress(ADDRESS)
  const { state } = address
  const { id } = useOrganization()
  const query = queryOf(address, useNow(60_000))
  // Counts respect all filters except the state. One request serves the header and the segment.
  const { data: all } = useRead(
    'GET /overview/incidents',
    { query: { ...query, limit: 1 } },
    { refetchInterval: REFRESH_MS },
  )
  useListKeys({ pages: pagesOf(state, all?.counts) })
  const page = pageOf(address.page)
  const isFiltered = Object.keys(query).length > 0
  return (
    <Page
      title={text.title}
      about={<About counts={all?.counts} isFiltered={isFiltered} />}
      actions={
        <a
          className="btn hide-phone"
          href={addressOf(id, 'GET /exports/incidents.csv', { query: exported(address, query) })}
          download
        >
          <Download className="icon" aria-hidden="true" />
          {text.csv}
        </a>
      }
    >
      {state !== 'resolved' && (
        <Ongoing query={query} page={state === 'ongoing' ? page : undefined} />
      )}
      {!isFiltered && state === 'all' && <LastDays />}
      <Filters address={address} go={go} counts={all?.counts} />
      {state !== 'ongoing' && <Resolved query={query} page={page} />}
      {state === 'ongoing' && all?.counts.ongoing === 0 && (
        <section className="card">
          <Empty title={text.noOngoing.title}>{text.noOngoing.about}</Empty>
        </section>
      )}
    </Page>
  )
}

type Counts = ResponseOf<'GET /overview/incidents'>['counts']

const pageOf = (text: string): number => Math.max(1, Math.floor(Number(text)) || 1)

function pagesOf(state: string, counts: Counts | undefined): number {
  const listed = state === 'ongoing' ? counts?.ongoing : counts?.resolved
  return Math.ceil((listed ?? 0) / PAGE_SIZE)
}

type AboutProps = { counts: Counts | undefined; isFiltered: boolean }

function About({ counts, isFiltered }: AboutProps) {
  if (counts === undefined) return <>&nbsp;</>
  return <>{sentenceOf(counts, isFiltered)}</>
}

function sentenceOf(counts: Counts, isFiltered: boolean): string {
  if (isFiltered && counts.all === 0) return text.noMatches
  return counts.ongoing === 0 ? text.nothingDown : text.ongoing({ count: counts.ongoing })
}

function exported({ state }: IncidentFilters, query: IncidentQuery) {
  const status = { ongoing: ['ONGOING' as const], resolved: ['RESOLVED' as const] }[state]
  return { ...query, ...(status && { status }) }
}

type FiltersProps = {
  address: IncidentFilters
  go: (change: Partial<IncidentFilters>, options?: { replace?: boolean }) => void
  counts: Counts | undefined
}

function Filters({ address, go, counts }: FiltersProps) {
  const count = (figure: number | undefined) => (
    <span className="count">{figure === undefined ? '' : formatCount(figure)}</span>
  )
  return (
    <div className="filters" {...useOnlineOnly()}>
      <div className="scroller">
        <Segment
          label={filters.state}
          name="state"
          value={address.state}
          options={[
            {
              value: 'all',
              label: (
                <>
                  {filters.all} {count(counts?.all)}
                </>
              ),
            },
            {
              value: 'ongoing',
              tone: 'is-down',
              label: (
                <>
                  <Mark state="DOWN" />
                  {filters.ongoing} {count(counts?.ongoing)}
                </>
              ),
            },
            {
              value: 'resolved',
              tone: 'is-up',
              label: (
                <>
                  <Mark state="UP" />
                  {filters.resolved} {count(counts?.resolved)}
                </>
              ),
            },
            {
              value: 'unacknowledged',
              label: (
                <>
                  {filters.unacknowledged} {count(counts?.notTaken)}
                </>
              ),
            },
          ]}
        />
      </div>
      <Only address={address} go={go} />
      <SearchBox q={address.q} go={go} />
      <Selects address={address} go={go} />
    </div>
  )
}

function Selects({ address, go }: Omit<FiltersProps, 'counts'>) {
  return (
    <>
      <select
        className="select hide-phone"
        aria-label={filters.cause}
        value={address.cause}
        onChange={(event) => go({ cause: event.currentTarget.value, page: '1' })}
      >
        <option value="">{filters.allCauses}</option>
        {CAUSE_CODES.map((code) => (
          <option key={code} value={code}>
            {CAUSE_LABELS[code]}
          </option>
        ))}
      </select>
      <select
        className="select hide-phone"
        aria-label={filters.period}
        value={address.period}
        onChange={(event) => go({ period: event.currentTarget.value, day: '', page: '1' })}
      >
        {PERIODS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
}

/** Filters set by a link; a click removes one. */
function Only({ address, go }: Omit<FiltersProps, 'counts'>) {
  const span = spanOfDay(address.day)
  const chips = [
    ...(span ? [{ key: 'day', label: formatDay(span.from, Date.now()) }] : []),
    ...(address.monitor === '' ? [] : [{ key: 'monitor', label: filters.oneMonitor }]),
  ]
  return chips.map(({ key, label }) => (
    <Button key={key} className="chip" onClick={() => go({ [key]: '', page: '1' })}>
      {label}
      <X className="icon sm" aria-hidden="true" />
      <span className="sr">{filters.remove}</span>
    </Button>
  ))
}

function SearchBox({ q, go }: { q: string; go: FiltersProps['go'] }) {
  const [{ typed, from }, set] = useState({ typed: q, from: q })
  // The URL changed by other means, such as the back button: it replaces what was typed.
  if (from !== q) set({ typed: q, from: q })
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => go({ q: typed, page: '1' }, { replace: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, q, go])
  return (
    <label className="search right">
      <span className="sr">{filters.search}</span>
      <Search className="icon" aria-hidden="true" />
      <input
        className="input"
        type="search"
        placeholder={filters.searchPlaceholder}
        maxLength={100}
        value={typed}
        onChange={(event) => set({ typed: event.currentTarget.value, from })}
      />
    </label>
  )
}
