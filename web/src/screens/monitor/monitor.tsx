import { useParams } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../api/problem.ts'
import { useRead } from '../../session/use-api.ts'
import { formatSpan } from '../../time/format.ts'
import { Loaded } from '../../ui/loading.tsx'
import { ItemNotFound } from '../../ui/not-found.tsx'
import { Page } from '../../ui/page.tsx'
import { MonitorActions } from './actions.tsx'
import { Aside } from './aside.tsx'
import { CheckLog } from './check-log.tsx'
import { Heartbeat } from './heartbeat.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import { ResponseTimes } from './response-times.tsx'
import { Tiles } from './tiles.tsx'
import { Verdict } from './verdict.tsx'
import './monitor.css'

const REFRESH_MS = 15_000
const CRUMBS = [{ label: 'Monitors', to: PATHS.monitors }]

export function Monitor() {
  const { monitorId = '' } = useParams({ strict: false })
  const read = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId } },
    { refetchInterval: REFRESH_MS },
  )
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="monitor" back={PATHS.monitors} />
  const screen = read.data
  const hasOwnHead = screen !== undefined || read.error === null
  return (
    <Page
      title={screen?.name ?? 'Monitor'}
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
          </div>
        </div>
        {screen && <MonitorActions screen={screen} />}
      </div>
      {screen ? <Verdict screen={screen} /> : <div className="verdict-wait" />}
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
  const every = formatSpan(everySeconds * 1000)
  if (type === 'CRON')
    return `a call every ${every}, up to ${formatSpan(monitor.graceSeconds * 1000)} late`
  return type === 'HTTP' || type === 'KEYWORD'
    ? `${monitor.method} every ${every}`
    : `every ${every}`
}

// Response times mean nothing for a job's run or a registry lookup.
const hasTimes = (type: string): boolean => type !== 'CRON' && type !== 'DOMAIN'

function Body({ screen }: { screen: MonitorScreen }) {
  return (
    <>
      <Tiles screen={screen} />
      <div className="cols">
        <div>
          {screen.type === 'CRON' && <Heartbeat screen={screen} />}
          {hasTimes(screen.type) && <ResponseTimes screen={screen} />}
          <CheckLog
            monitorId={screen.id}
            isCron={screen.type === 'CRON'}
            hasTimes={hasTimes(screen.type)}
          />
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
      <div className="card chart-wait" aria-hidden="true" />
    </>
  )
}
