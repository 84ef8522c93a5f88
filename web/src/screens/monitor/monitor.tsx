import { useParams } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../api/problem.ts'
import { monitorText } from '../../messages/monitor.ts'
import { useRead } from '../../session/use-api.ts'
import { expiryLabel } from '../../shared/expiry.ts'
import { ManagedById } from '../../shared/managed-by.tsx'
import { warningOf } from '../../shared/silent.ts'
import { SilentNotice } from '../../shared/silent-notice.tsx'
import { TagList } from '../../shared/tag-list.tsx'
import { formatSpan } from '../../time/format.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import { Loaded } from '../../ui/loading.tsx'
import { ItemNotFound } from '../../ui/not-found.tsx'
import { Page } from '../../ui/page.tsx'
import { MonitorActions } from './actions.tsx'
import { Aside } from './aside.tsx'
import { hasResponseTimes, leadsWithUptime } from './by-type.ts'
import { ResponseTimes } from './chart/response-times.tsx'
import { CheckLog } from './checks/check-log.tsx'
import { Days } from './days.tsx'
import { ExpiryPanel } from './expiry-panel.tsx'
import { Heartbeat } from './heartbeat.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import { RecentIncidents } from './recent-incidents.tsx'
import { Tiles } from './tiles.tsx'
import { Verdict } from './verdict.tsx'
import './monitor.css'

const REFRESH_MS = 15_000
const CRUMBS = [{ label: monitorText.list, to: PATHS.monitors }]

export function Monitor() {
  const { monitorId = '' } = useParams({ strict: false })
  const read = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId }, query: { timezone: VIEWER_ZONE } },
    { refetchInterval: REFRESH_MS },
  )
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="monitor" back={PATHS.monitors} />
  const screen = read.data
  const hasOwnHead = screen !== undefined || read.error === null
  return (
    <Page
      title={screen?.name ?? monitorText.title}
      crumbs={CRUMBS}
      {...(hasOwnHead && { head: <Head screen={screen} /> })}
    >
      <Loaded query={read} loading={<Waiting />}>
        {(data) => <Body key={data.id} screen={data} />}
      </Loaded>
    </Page>
  )
}

function Head({ screen }: { screen: MonitorScreen | undefined }) {
  return (
    <div className="mon-head">
      <div className="mon-title">
        <div className="grow">
          <h1>
            <bdi>{screen?.name ?? '\u00a0'}</bdi>
          </h1>
          <div className="mon-sub">
            {screen && <span className="type">{screen.type}</span>}
            {screen && <Target screen={screen} />}
            <span>{screen ? rhythm(screen) : '\u00a0'}</span>
            {screen && <ManagedById id={screen.id} />}
            {screen && <TagList tags={screen.tags} />}
          </div>
        </div>
        {screen && <MonitorActions screen={screen} />}
      </div>
      {screen ? <Verdict screen={screen} /> : <div className="verdict-wait" />}
      {screen && screen.state !== 'PAUSED' && (
        <SilentNotice {...warningOf(screen)} monitorId={screen.id} />
      )}
    </div>
  )
}

function Target({ screen: { target } }: { screen: MonitorScreen }) {
  if (target === null) return null
  if (!/^https?:\/\//.test(target)) return <span className="mono">{target}</span>
  return (
    <a className="link mono" href={target} target="_blank" rel="noreferrer">
      {target}
    </a>
  )
}

function rhythm({ type, everySeconds, monitor }: MonitorScreen): string {
  const { ping, request, check } = monitorText.rhythm
  const every = formatSpan(everySeconds * 1000)
  if (type === 'CRON') return ping({ every, grace: formatSpan(monitor.graceSeconds * 1000) })
  return type === 'HTTP' || type === 'KEYWORD'
    ? request({ method: monitor.method, every })
    : check({ every })
}

function Body({ screen }: { screen: MonitorScreen }) {
  return (
    <>
      {leadsWithUptime(screen.type) ? (
        <Tiles screen={screen} />
      ) : (
        screen.expiry && (
          <ExpiryPanel
            expiry={screen.expiry}
            at={screen.at}
            hasDay={expiryLabel(screen) !== undefined}
          />
        )
      )}
      <Days screen={screen} />
      <div className="cols">
        <div>
          {screen.type === 'CRON' && <Heartbeat screen={screen} />}
          {hasResponseTimes(screen.type) && <ResponseTimes screen={screen} />}
          <RecentIncidents screen={screen} />
          <CheckLog monitorId={screen.id} type={screen.type} />
        </div>
        <Aside screen={screen} />
      </div>
    </>
  )
}

/** Same height as the loaded content. */
function Waiting() {
  return (
    <>
      <div className="tiles tiles-wait" aria-hidden="true" />
      <div className="card days-wait" aria-hidden="true" />
      <div className="card chart-wait" aria-hidden="true" />
    </>
  )
}
