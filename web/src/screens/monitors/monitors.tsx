import { useNavigate } from '@tanstack/react-router'
import { Download, Plus, Upload } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { addressOf } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { listOf } from '../../messages/list.ts'
import { selectingText } from '../../messages/monitor-actions.ts'
import { monitorsText as text } from '../../messages/monitors/monitors.ts'
import { silentText } from '../../messages/silent.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Button, ButtonLink, Keys } from '../../ui/button.tsx'
import { useListKeys } from '../../ui/list-keys.ts'
import { Page } from '../../ui/page.tsx'
import { Pages } from '../../ui/pages.tsx'
import { type Selection, useSelection } from '../../ui/selection.ts'
import { appearanceOf } from '../../ui/state.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Filters } from './filters.tsx'
import { LIST_ADDRESS, listInput, PAGE_SIZES, type Query, toFilter, toQuery } from './list-input.ts'
import { MonitorTable } from './monitor-table.tsx'
import { type MonitorCounts, OverviewBar } from './overview-bar.tsx'
import type { BulkTarget } from './use-bulk.ts'

const FirstVisit = lazy(() => import('./first-visit.tsx').then((m) => ({ default: m.FirstVisit })))

const ImportDialog = lazy(() =>
  import('./import-dialog.tsx').then((m) => ({ default: m.ImportDialog })),
)

const REFRESH_MS = 30_000

type Rows = ResponseOf<'GET /overview/monitors'>

export function Monitors() {
  const [address, go] = useAddress(LIST_ADDRESS)
  const list = useRead('GET /overview/monitors', listInput(address), {
    refetchInterval: REFRESH_MS,
  })
  const { data: rows, pagination, counts, silent } = list.data ?? NOTHING
  const selection = useSelection(idsOf(rows))
  const pages = Math.ceil(pagination.total / pagination.limit)
  const everything = useEverything(address, selection, pagination.total)
  const picking = usePicking(selection)
  useListKeys({ pages, ...selection })
  const isFiltered = address.q !== '' || address.type !== '' || address.tag !== ''
  const isNew = !isFiltered && counts?.all === 0
  return (
    <Page
      title={text.title}
      about={<About counts={counts} silent={silent} isFiltered={isFiltered} />}
      actions={<Actions query={toQuery(address)} hasRows={!isNew} picking={picking} />}
    >
      {isNew ? (
        <Suspense>
          <FirstVisit />
        </Suspense>
      ) : (
        <>
          <OverviewBar counts={counts} isFiltered={isFiltered} />
          <Filters counts={counts} address={address} go={go} />
          <MonitorTable
            list={list}
            selection={selection}
            address={address}
            note={everything.note}
            isPicking={picking.isOn}
          />
        </>
      )}
      <Pages {...pagination}>
        <PageSize rows={address.rows} total={pagination.total} go={go} />
      </Pages>
      <BulkBar
        selection={selection}
        target={everything.target}
        hasDown={rows.some(({ id, state }) => state === 'DOWN' && selection.has(id))}
        onClear={() => {
          everything.clear()
          picking.stop()
        }}
      />
    </Page>
  )
}

type Picking = { isOn: boolean; toggle: () => void; stop: () => void }

/** On phones a button starts and ends the selection. Elsewhere the check boxes are always there. */
function usePicking({ clear }: Selection): Picking {
  const [isOn, setOn] = useState(false)
  const stop = () => setOn(false)
  const toggle = () => {
    if (isOn) clear()
    setOn(!isOn)
  }
  return { isOn, toggle, stop }
}

/** "Select all 5,000 that match", offered once a whole page is selected. It ends with the filter it was meant for. */
function useEverything(
  address: typeof LIST_ADDRESS,
  { selected }: Selection,
  total: number,
): { target: BulkTarget; note: ReactNode; clear: () => void } {
  const filter = toFilter(address)
  const name = JSON.stringify(filter)
  const [chosen, setChosen] = useState<string>()
  const isPage = selected.length > 0 && selected.length < total
  const isWhole = isPage && selected.length >= Math.min(total, Number(address.rows))
  const isChosen = isWhole && chosen === name
  const clear = () => setChosen(undefined)
  const button = (label: ReactNode) => (
    <button
      type="button"
      className="link bare"
      onClick={() => setChosen(isChosen ? undefined : name)}
    >
      {label}
    </button>
  )
  const note = isWhole && (
    <div className="all-note" role="status">
      {isChosen
        ? text.select.allAre({ total, page: button })
        : text.select.pageIs({ count: selected.length, total, all: button })}
    </div>
  )
  return { target: isChosen ? { filter, total } : { ids: selected }, note, clear }
}

type PageSizeProps = {
  rows: string
  total: number
  go: (change: { rows: string; page: string }) => void
}

function PageSize({ rows, total, go }: PageSizeProps) {
  if (total <= Number(PAGE_SIZES[0])) return null
  return (
    <label>
      <span className="sr">{text.select.rowsPerPage}</span>
      <select
        className="select"
        value={rows}
        onChange={(event) => go({ rows: event.currentTarget.value, page: '1' })}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {text.select.rows({ count: size })}
          </option>
        ))}
      </select>
    </label>
  )
}

const NOTHING = {
  data: [] as Rows['data'],
  pagination: { total: 0, limit: Number(LIST_ADDRESS.rows), offset: 0 },
  counts: undefined,
  silent: 0,
}
const known = new WeakMap<Rows['data'], string[]>()

/** Returns the same array for the same rows, because the selection is compared with it. */
function idsOf(rows: Rows['data']): string[] {
  const ids = known.get(rows) ?? rows.map(({ id }) => id)
  known.set(rows, ids)
  return ids
}

type Counted = { counts: MonitorCounts | undefined; isFiltered: boolean }

function About({ counts, silent, isFiltered }: Counted & { silent: number }) {
  if (counts === undefined) return <>&nbsp;</>
  return (
    <>
      {summary(counts, isFiltered)}{' '}
      {silent > 0 && (
        <b className="silent-count is-degraded">{silentText.count({ monitors: silent })}</b>
      )}
    </>
  )
}

/** With `isFiltered`, the counts are of matches, so zero does not mean that there are no monitors. */
function summary(counts: MonitorCounts, isFiltered = false): string {
  const { all, UP } = counts
  const bad = (['DOWN', 'DEGRADED', 'EXPIRING'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) =>
      text.countOf({ count: counts[state], state: appearanceOf(state).word.toLowerCase() }),
    )
  if (all === 0) return isFiltered ? text.noMatches : text.none
  if (bad.length > 0) return text.some({ states: listOf(bad, 'and'), all })
  return UP === all ? text.allUp({ all }) : text.noneDown({ all })
}

type ActionsProps = { query: Query; hasRows: boolean; picking: Picking }

function Actions({ query, hasRows, picking }: ActionsProps) {
  const { id } = useOrganization()
  const mayWrite = useMay('MEMBER')
  const navigate = useNavigate()
  const [isImporting, setImporting] = useState(false)
  useShortcuts(
    mayWrite
      ? [
          {
            keys: 'n',
            label: text.newMonitor,
            group: 'This screen',
            run: () => void navigate({ to: PATHS.newMonitor }),
          },
        ]
      : [],
  )
  return (
    <>
      {hasRows && (
        <a
          className="btn hide-phone"
          href={addressOf(id, 'GET /exports/monitors.csv', { query })}
          download
        >
          <Download className="icon" aria-hidden="true" />
          {text.csv}
        </a>
      )}
      {mayWrite && (
        <Button className="hide-phone" onClick={() => setImporting(true)}>
          <Upload className="icon" aria-hidden="true" />
          {text.import}
        </Button>
      )}
      {mayWrite && hasRows && (
        <Button className="pick-start" onClick={picking.toggle}>
          {picking.isOn ? selectingText.stopSelecting : selectingText.select}
        </Button>
      )}
      {mayWrite && (
        <ButtonLink to={PATHS.newMonitor} kind="primary">
          <Plus className="icon" aria-hidden="true" />
          {text.newMonitor}
          <Keys of="N" />
        </ButtonLink>
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}
