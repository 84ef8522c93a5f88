// Published incidents of one page or all: ongoing first, then newest.
import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { statusPagesText } from '../../messages/publishing/status-pages.ts'
import { useRead } from '../../session/use-api.ts'
import { STATUS_LABELS, severityLabel, stateOfIncident } from '../../shared/published-incident.ts'
import { useAddress } from '../../ui/address.ts'
import { Empty, Loaded, Skeleton } from '../../ui/loading.tsx'
import { Pages } from '../../ui/pages.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import './published-list.css'

type Published = ItemOf<'GET /overview/status-incidents'>

const NEWEST = 8
const PAGE_SIZE = 25
const ADDRESS = { page: '1' }
const TEXT = statusPagesText.published

/** The newest of all pages. Hidden until something is published. */
export function PublishedIncidents() {
  const { data } = useRead('GET /overview/status-incidents', { query: { limit: NEWEST } })
  if (data === undefined || data.data.length === 0) return null
  const more = data.pagination.total - data.data.length
  return (
    <section className="card" aria-labelledby="published">
      <header>
        <h2 id="published">{TEXT.title}</h2>
        {more > 0 && (
          <span className="hint">
            {TEXT.shown({ shown: NEWEST, total: data.pagination.total })}
          </span>
        )}
      </header>
      <Rows incidents={data.data} />
    </section>
  )
}

export function PublishedOnPage({ statusPageId }: { statusPageId: string }) {
  const [{ page }] = useAddress(ADDRESS)
  const offset = (Math.max(1, Number(page) || 1) - 1) * PAGE_SIZE
  const list = useRead('GET /overview/status-incidents', {
    query: { statusPageId, limit: PAGE_SIZE, offset },
  })
  return (
    <>
      <section className="card" aria-labelledby="published">
        <header>
          <h2 id="published">{TEXT.title}</h2>
        </header>
        <Loaded query={list} loading={<Skeleton />}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={TEXT.emptyTitle}>{TEXT.emptyAbout}</Empty>
            ) : (
              <Rows incidents={data} />
            )
          }
        </Loaded>
      </section>
      {list.data && list.data.pagination.total > PAGE_SIZE && <Pages {...list.data.pagination} />}
    </>
  )
}

function Rows({ incidents }: { incidents: readonly Published[] }) {
  return (
    <ul className="told-list">
      {incidents.map((incident) => (
        <li key={incident.id} data-row={incident.id}>
          <div className="two">
            <Link
              className="truncate"
              to={PATHS.statusIncident}
              params={{ statusIncidentId: incident.id }}
              title={incident.title}
            >
              <bdi>{incident.title}</bdi>
            </Link>
            <span className="truncate">
              {severityLabel(incident)} · {TEXT.updates({ count: incident.updates })}
              {incident.incidentId !== null && ` · ${TEXT.detected}`}
            </span>
          </div>
          <span className="faint num">
            <Time at={incident.startedAt} />
          </span>
          <StateLabel state={stateOfIncident(incident)} word={STATUS_LABELS[incident.status]} />
        </li>
      ))}
    </ul>
  )
}
