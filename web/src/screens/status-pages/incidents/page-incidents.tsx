// The published incidents and planned maintenance of one page.
import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { statusPagesText } from '../../../messages/publishing/status-pages.ts'
import { useMay } from '../../../session/organization.ts'
import { useRead } from '../../../session/use-api.ts'
import {
  ownSpanLabel,
  spanLabel,
  spanOf,
  type WindowView,
} from '../../../shared/maintenance-window.ts'
import { useNow } from '../../../time/use-now.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { useListKeys } from '../../../ui/list-keys.ts'
import { Empty, Loaded, Skeleton } from '../../../ui/loading.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import { componentsOf, type StatusPageView } from '../page.ts'
import { PublishLink } from '../page-head.tsx'
import { PageTab } from '../page-tab.tsx'
import { PublishedOnPage } from '../published-list.tsx'
import '../published-list.css'

const MOST_WINDOWS = 100
const TEXT = statusPagesText.planned

export function PageIncidents() {
  const may = useMay('MEMBER')
  useListKeys({ pages: 1 })
  const publish = ({ id }: StatusPageView) => (
    <div className="actions">
      <PublishLink statusPageId={id} />
    </div>
  )
  return (
    <PageTab current="INCIDENTS" {...(may && { actions: publish })}>
      {(page) => (
        <>
          <PublishedOnPage statusPageId={page.id} />
          <Planned page={page} may={may} />
        </>
      )}
    </PageTab>
  )
}

function Planned({ page, may }: { page: StatusPageView; may: boolean }) {
  const list = useRead('GET /maintenance-windows', {
    query: { status: ['SCHEDULED', 'ACTIVE'], limit: MOST_WINDOWS },
  })
  return (
    <section className="card" aria-labelledby="planned">
      <header>
        <h2 id="planned">{TEXT.title}</h2>
        <span className="hint">{TEXT.hint}</span>
      </header>
      <Loaded query={list} loading={<Skeleton />}>
        {({ data }) => <Windows windows={data.filter((one) => isShownOn(one, page))} may={may} />}
      </Loaded>
    </section>
  )
}

/** Shown if the window names the page, or covers one of its components. */
export function isShownOn(
  window: WindowView,
  page: Pick<StatusPageView, 'id' | 'sections'>,
): boolean {
  const { showOnStatusPages, statusPageIds, allMonitors, monitorIds } = window
  if (!showOnStatusPages) return false
  if (statusPageIds.length > 0) return statusPageIds.includes(page.id)
  return componentsOf(page).some(
    ({ monitorId }) => monitorId !== null && (allMonitors || monitorIds.includes(monitorId)),
  )
}

function Windows({ windows, may }: { windows: readonly WindowView[]; may: boolean }) {
  const now = useNow(60_000)
  if (windows.length === 0)
    return (
      <Empty
        title={TEXT.emptyTitle}
        action={may && <ButtonLink to={PATHS.newWindow}>{TEXT.create}</ButtonLink>}
      >
        {TEXT.emptyAbout}
      </Empty>
    )
  return (
    <ul className="told-list">
      {windows.map((window) => (
        <li key={window.id} data-row={window.id}>
          <div className="two">
            <Link
              className="truncate"
              to={PATHS.maintenance}
              search={{ window: window.id }}
              title={window.name}
            >
              <bdi>{window.name}</bdi>
            </Link>
            <span className="truncate">
              {window.notifySubscribers ? TEXT.notified : TEXT.notNotified}
            </span>
          </div>
          <When of={window} now={now} />
          {window.status === 'ACTIVE' ? (
            <StateLabel state="MAINTENANCE" word={TEXT.active} />
          ) : (
            <span className="state is-none">
              <Clock className="icon" aria-hidden="true" />
              {TEXT.scheduled}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function When({ of, now }: { of: WindowView; now: number }) {
  const span = spanOf(of)
  const own = ownSpanLabel(span, now, of.timezone)
  return (
    <span className="two num">
      <span>{spanLabel(span, now)}</span>
      {own && <span>{own}</span>}
    </span>
  )
}
