import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { incidentsText } from '../../messages/incidents.ts'
import { useRead } from '../../session/use-api.ts'
import { causeSentence, wholeCause } from '../../shared/cause-sentence.ts'
import { formatDuration, formatFull, formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Empty, Failed, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Pages } from '../../ui/pages.tsx'
import { Person } from '../../ui/person.tsx'
import { type State, StateLabel } from '../../ui/state.tsx'
import type { IncidentQuery } from './filters.ts'
import type { OngoingRow } from './ongoing.tsx'
import './resolved.css'

const text = incidentsText.resolved
const PAGE_SIZE = 25
const BAR = { width: 100, least: 2 }
const ENDS = {
  RECOVERED: { state: 'UP', word: text.recovered },
  MONITOR_PAUSED: { state: 'PAUSED', word: text.monitorPaused },
  MONITOR_CHANGED: { state: 'UNKNOWN', word: text.monitorChanged },
} as const satisfies Record<string, { state: State; word: string }>

type ResolvedProps = { query: IncidentQuery; page: number }

export function Resolved({ query, page }: ResolvedProps) {
  const asked = { ...query, status: ['RESOLVED' as const], limit: PAGE_SIZE }
  const list = useRead('GET /overview/incidents', {
    query: { ...asked, offset: (page - 1) * PAGE_SIZE },
  })
  const total = list.data?.pagination.total
  return (
    <>
      <section className="card" aria-labelledby="resolved">
        <h2 id="resolved" className="sr">
          {text.title}
        </h2>
        {list.data === undefined && list.error !== null ? (
          <Failed error={list.error} retry={() => void list.refetch()} />
        ) : total === 0 ? (
          <Nothing filtered={Object.keys(query).length > 0} />
        ) : (
          <table className="table inc-list">
            <thead>
              <tr>
                <th>{text.monitor}</th>
                <th>{text.started}</th>
                <th>{text.duration}</th>
                <th className="hide-narrow">{text.acknowledgedBy}</th>
                <th>{text.ended}</th>
                <th>{text.public}</th>
              </tr>
            </thead>
            <tbody>
              <Loaded
                query={list}
                loading={
                  <SkeletonRows rows={9} widths={['60%', '80%', '60%', '70%', '70%', '40%']} />
                }
              >
                {({ data }) => <Rows rows={data} />}
              </Loaded>
            </tbody>
          </table>
        )}
      </section>
      {list.data && <Pages {...list.data.pagination} />}
    </>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { title, about } = filtered ? text.noMatches : text.none
  return <Empty title={title}>{about}</Empty>
}

function Rows({ rows }: { rows: readonly OngoingRow[] }) {
  const now = useNow(60_000)
  const longest = Math.max(1, ...rows.map(({ durationSec }) => durationSec ?? 0))
  return rows.map((row) => (
    <tr key={row.id} data-row={row.id}>
      <td className="name">
        <div className="two">
          <Link
            className="truncate"
            to={PATHS.incident}
            params={{ incidentId: row.id }}
            title={row.monitor.name}
          >
            <bdi>{row.monitor.name}</bdi> <span className="type">{row.monitor.type}</span>
          </Link>
          <span className="truncate" title={wholeCause(row.cause ?? '')}>
            {causeSentence(row.cause ?? '')}
          </span>
        </div>
      </td>
      <td className="num st">
        <time dateTime={row.startedAt} title={formatFull(row.startedAt)}>
          {formatMoment(row.startedAt, now)}
        </time>
      </td>
      <td className="len">
        <Length seconds={row.durationSec ?? 0} longest={longest} />
      </td>
      <td className="by hide-narrow">
        <AcknowledgedBy row={row} />
      </td>
      <td className="en">{row.resolution && <Ended how={row.resolution} />}</td>
      <td className="pb">
        <Published ids={row.statusIncidentIds} />
      </td>
    </tr>
  ))
}

function Length({ seconds, longest }: { seconds: number; longest: number }) {
  // The square root, so that one long outage does not make all others invisible.
  const width = Math.max(BAR.least, Math.round(Math.sqrt(seconds / longest) * BAR.width))
  return (
    <>
      <span className="num">{formatDuration(seconds * 1000)}</span>
      <svg
        className="len-bar"
        viewBox={`0 0 ${BAR.width} 4`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect className="trk" width={BAR.width} height="4" />
        <rect className="val" width={width} height="4" />
      </svg>
    </>
  )
}

function AcknowledgedBy({
  row: { acknowledgedBy, acknowledgedAt, startedAt },
}: {
  row: OngoingRow
}) {
  if (acknowledgedBy === null || acknowledgedAt === null)
    return <span className="faint">{text.noOne}</span>
  const after = formatDuration(Math.max(0, Date.parse(acknowledgedAt) - Date.parse(startedAt)))
  const isByLink = acknowledgedBy.type === 'ALERT_CONTACT'
  return (
    <Person
      name={acknowledgedBy.name}
      below={
        <span className="num">
          {isByLink ? text.byLinkAfter({ duration: after }) : text.after({ duration: after })}
        </span>
      }
    />
  )
}

function Ended({ how }: { how: keyof typeof ENDS }) {
  return <StateLabel state={ENDS[how].state} word={ENDS[how].word} />
}

function Published({ ids: [first] }: { ids: readonly string[] }) {
  if (first === undefined) return <span className="faint">–</span>
  return (
    <Link className="link" to={PATHS.statusIncident} params={{ statusIncidentId: first }}>
      {text.view}
    </Link>
  )
}
