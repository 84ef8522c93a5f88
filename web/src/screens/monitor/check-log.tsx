import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import { useOrganization } from '../../session/organization.ts'
import { zoneName } from '../../time/format.ts'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Failed, SkeletonRows } from '../../ui/loading.tsx'
import { Segment } from '../../ui/segment.tsx'
import type { CheckEntry } from './check-entry.ts'
import { CheckRow, lengthOf, phasesOf } from './check-row.tsx'
import { foldRuns } from './fold-runs.ts'
import '../../ui/legend.css'
import '../../ui/log.css'

const PAGE_SIZE = 50
const REFRESH_MS = 15_000
const ADDRESS = { log: 'all' }
const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
]
const WIDTHS = ['56px', '70px', '48px', '80%', '50px', '']

type LogProps = { monitorId: string; isCron: boolean; hasTimes: boolean }

export function CheckLog({ monitorId, isCron, hasTimes }: LogProps) {
  const [{ log }] = useAddress(ADDRESS)
  const read = useChecks(monitorId, log === 'failed')
  const lines = read.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section className="card" aria-label="Check log">
      <header>
        <h2>{isCron ? 'Calls' : 'Check log'}</h2>
        <div className="row wrap log-head">
          {hasTimes && <PhaseLegend lines={lines} />}
          <Segment label="Which checks" name="log" value={log} options={FILTERS} />
        </div>
      </header>
      {read.error && lines.length === 0 ? (
        <Failed error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Lines monitorId={monitorId} lines={lines} isWaiting={read.isPending} hasTimes={hasTimes} />
      )}
      {read.data && lines.length === 0 && <Nothing failed={log === 'failed'} />}
      {lines.length > 0 && (
        <footer>
          <span>Equal runs are folded. Times in {zoneName()}.</span>
          {read.hasNextPage && (
            <Button
              size="sm"
              busy={read.isFetchingNextPage}
              onClick={() => void read.fetchNextPage()}
            >
              Older
            </Button>
          )}
        </footer>
      )}
    </section>
  )
}

function Nothing({ failed }: { failed: boolean }) {
  return (
    <Empty title={failed ? 'No failed checks' : 'No checks yet'}>
      {failed ? 'None of the checks that are kept has failed.' : 'The first one is on its way.'}
    </Empty>
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

type LinesProps = {
  monitorId: string
  lines: readonly CheckEntry[]
  isWaiting: boolean
  hasTimes: boolean
}

function Lines({ monitorId, lines, isWaiting, hasTimes }: LinesProps) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const show = (key: string) => setShown(new Set([...shown, key]))
  const slowest = Math.max(1, ...lines.map(lengthOf))
  if (!isWaiting && lines.length === 0) return null
  return (
    <div className="table-wrap">
      <table className={hasTimes ? 'table dense log' : 'table dense log timeless'}>
        <thead>
          <tr>
            <th>Time</th>
            <th>Result</th>
            <th className="end">Total</th>
            <th className="wide hide-phone">Phases</th>
            <th className="hide-phone">Region</th>
            <th>
              <span className="sr">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {isWaiting && <SkeletonRows rows={6} widths={WIDTHS} />}
          {foldRuns(lines).flatMap((run) =>
            run.folded && !shown.has(run.key) ? (
              <tr key={run.key} className="fold">
                <td colSpan={6}>
                  <span className="row between">
                    {run.summary}
                    <button type="button" className="link bare" onClick={() => show(run.key)}>
                      Show
                    </button>
                  </span>
                </td>
              </tr>
            ) : (
              run.lines.map((line) => (
                <CheckRow
                  key={`${line.at}${line.kind}`}
                  monitorId={monitorId}
                  line={line}
                  slowest={slowest}
                />
              ))
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

const PHASE_LABELS = { dns: 'DNS', con: 'Connect', tls: 'TLS', wait: 'Wait' } as const

/** Only the phases that occur in the shown checks. */
function PhaseLegend({ lines }: { lines: readonly CheckEntry[] }) {
  const known = new Set(
    lines.flatMap(({ timings }) =>
      timings === null ? [] : phasesOf(timings).flatMap(([name, ms]) => (ms ? [name] : [])),
    ),
  )
  const shown = Object.entries(PHASE_LABELS).filter(([name]) => known.has(name as 'dns'))
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
