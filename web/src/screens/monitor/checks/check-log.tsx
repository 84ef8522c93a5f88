import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../../../api/call.ts'
import { monitorText } from '../../../messages/monitor.ts'
import { useOrganization } from '../../../session/organization.ts'
import { useAddress } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Failed, SkeletonRows } from '../../../ui/loading.tsx'
import { Segment } from '../../../ui/segment.tsx'
import { barLength, columnCount, type LogColumns, logColumnsOf, phasesOf } from '../by-type.ts'
import type { MonitorScreen } from '../monitor-screen.ts'
import type { CheckEntry } from './check-entry.ts'
import { CheckRow } from './check-row.tsx'
import { foldRuns } from './fold-runs.ts'
import '../../../ui/legend.css'
import '../../../ui/log.css'

const text = monitorText.log
const PAGE_SIZE = 50
const REFRESH_MS = 15_000
const ADDRESS = { log: 'all' }
const FILTERS = [
  { value: 'all', label: text.all },
  { value: 'failed', label: text.failed },
]

type LogProps = { monitorId: string; type: MonitorScreen['type'] }

export function CheckLog({ monitorId, type }: LogProps) {
  const [{ log }] = useAddress(ADDRESS)
  const read = useChecks(monitorId, log === 'failed')
  const lines = read.data?.pages.flatMap(({ data }) => data) ?? []
  const columns = logColumnsOf(type)
  return (
    <section className="card" aria-label={text.title}>
      <header>
        <h2>{type === 'CRON' ? text.pings : text.title}</h2>
        <div className="row wrap log-head">
          {columns.phases && <PhaseLegend lines={lines} />}
          <Segment label={text.filter} name="log" value={log} options={FILTERS} />
        </div>
      </header>
      {read.error && lines.length === 0 ? (
        <Failed error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Lines
          monitorId={monitorId}
          type={type}
          lines={lines}
          isWaiting={read.isPending}
          columns={columns}
        />
      )}
      {read.data && lines.length === 0 && (
        <Nothing failed={log === 'failed'} isCron={type === 'CRON'} />
      )}
      {lines.length > 0 && (
        <footer>
          <span>{text.grouped}</span>
          {read.hasNextPage && (
            <Button
              size="sm"
              busy={read.isFetchingNextPage}
              onClick={() => void read.fetchNextPage()}
            >
              {text.older}
            </Button>
          )}
        </footer>
      )}
    </section>
  )
}

function Nothing({ failed, isCron }: { failed: boolean; isCron: boolean }) {
  if (failed) return <Empty title={text.noneFailed}>{text.noneFailedAbout}</Empty>
  return isCron ? (
    <Empty title={text.noPings}>{text.noPingsAbout}</Empty>
  ) : (
    <Empty title={text.none}>{text.noneAbout}</Empty>
  )
}

function useChecks(monitorId: string, failed: boolean) {
  const { id } = useOrganization()
  return useInfiniteQuery({
    queryKey: [id, 'checks', monitorId, failed],
    queryFn: ({ pageParam }) =>
      callOrganizationApi(id, 'GET /monitors/{monitorId}/checks', {
        params: { monitorId },
        query: {
          limit: PAGE_SIZE,
          ...(failed && { failed }),
          ...(pageParam && { cursor: pageParam }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: REFRESH_MS,
  })
}

type LinesProps = LogProps & {
  lines: readonly CheckEntry[]
  isWaiting: boolean
  columns: LogColumns
}

function Lines({ monitorId, type, lines, isWaiting, columns }: LinesProps) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const show = (key: string) => setShown(new Set([...shown, key]))
  const slowest = Math.max(
    1,
    ...lines.map(({ timings, responseMs }) => barLength(timings, responseMs) ?? 0),
  )
  if (!isWaiting && lines.length === 0) return null
  return (
    <div className="table-wrap">
      <table className="table dense log">
        <LogHead columns={columns} />
        <tbody>
          {isWaiting && <SkeletonRows rows={6} widths={widthsOf(columns)} />}
          {foldRuns(lines, type).flatMap((run) =>
            run.folded && !shown.has(run.key) ? (
              <tr key={run.key} className="fold">
                <td colSpan={columnCount(columns)}>
                  <span className="row between">
                    {run.summary}
                    <button type="button" className="link bare" onClick={() => show(run.key)}>
                      {text.showGroup}
                    </button>
                  </span>
                </td>
              </tr>
            ) : (
              run.lines.map((line) => (
                <CheckRow
                  key={`${line.at}${line.kind}`}
                  monitorId={monitorId}
                  type={type}
                  line={line}
                  slowest={slowest}
                  columns={columns}
                />
              ))
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

function LogHead({ columns: { total, phases, region } }: { columns: LogColumns }) {
  return (
    <thead>
      <tr>
        <th>{text.columns.time}</th>
        <th className={phases ? '' : 'wide'}>{text.columns.result}</th>
        {total !== null && <th className="end">{total}</th>}
        {phases && <th className="wide hide-phone">{text.columns.phases}</th>}
        {region && <th className="hide-phone">{text.columns.region}</th>}
        <th>
          <span className="sr">{text.details}</span>
        </th>
      </tr>
    </thead>
  )
}

const widthsOf = ({ total, phases, region }: LogColumns): string[] => [
  '56px',
  '70px',
  ...(total === null ? [] : ['48px']),
  ...(phases ? ['80%'] : []),
  ...(region ? ['50px'] : []),
  '',
]

/** Only the phases that occur in the shown checks. */
function PhaseLegend({ lines }: { lines: readonly CheckEntry[] }) {
  const known = new Set(
    lines.flatMap(({ timings }) =>
      timings === null ? [] : phasesOf(timings).flatMap(([name, ms]) => (ms ? [name] : [])),
    ),
  )
  const shown = Object.entries(text.phases).filter(([name]) => known.has(name as 'dns'))
  return (
    <div className="legend hide-phone" aria-hidden="true">
      {shown.map(([name, word]) => (
        <span key={name}>
          <i className={name} /> {word}
        </span>
      ))}
    </div>
  )
}
