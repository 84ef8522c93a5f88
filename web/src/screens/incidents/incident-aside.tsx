import { Link } from '@tanstack/react-router'
import { Bell, Mail, Megaphone } from 'lucide-react'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import { useRead } from '../../session/use-api.ts'
import { STATUS_LABELS } from '../../shared/published-incident.ts'
import { formatUptime, plural } from '../../time/figures.ts'
import { type State, StateLabel } from '../../ui/state.tsx'
import type { IncidentScreen } from './screen.ts'
import '../../ui/facts.css'

type AlertLine = Extract<IncidentScreen['timeline'][number], { type: 'ALERT' }>

export function IncidentAside({ incident }: { incident: IncidentScreen }) {
  return (
    <aside aria-label="About this incident">
      <MonitorDetails incident={incident} />
      <NotifiedSoFar timeline={incident.timeline} />
      <Public incident={incident} />
    </aside>
  )
}

function MonitorDetails({ incident }: { incident: IncidentScreen }) {
  const { monitor, monitorState, uptime30d, incidents30d } = incident
  return (
    <section className="card">
      <div className="card-body">
        <h2>Monitor</h2>
        <dl className="facts">
          <div>
            <dt>Name</dt>
            <dd className="long">
              <a className="link" href={pathTo(PATHS.monitor, { monitorId: monitor.id })}>
                <bdi>{monitor.name}</bdi>
              </a>
            </dd>
          </div>
          <div>
            <dt>Type</dt>
            <dd>{monitor.type}</dd>
          </div>
          <div>
            <dt>Now</dt>
            <dd>
              {/* Safe because every monitor state has an appearance. */}
              <StateLabel state={monitorState as State} />
            </dd>
          </div>
          <div>
            <dt>Uptime 30 days</dt>
            <dd className="num">{formatUptime(uptime30d)}</dd>
          </div>
          <div>
            <dt>Incidents 30 days</dt>
            <dd className="num">
              <Link className="link" to={PATHS.incidents} search={{ monitor: monitor.id }}>
                {incidents30d}
              </Link>
            </dd>
          </div>
        </dl>
      </div>
    </section>
  )
}

const SENT = {
  SUCCEEDED: { state: 'UP', word: 'Sent' },
  PENDING: { state: 'PENDING', word: 'Sending' },
  FAILED: { state: 'DEGRADED', word: 'Did not arrive' },
} as const

/** Each contact once, with the outcome of the latest message. */
function NotifiedSoFar({ timeline }: Pick<IncidentScreen, 'timeline'>) {
  const alerts = timeline.filter((line): line is AlertLine => line.type === 'ALERT')
  const latest = [...new Map(alerts.map((line) => [line.contact.id, line])).values()]
  return (
    <section className="card">
      <div className="card-body">
        <h2>Told so far</h2>
        {latest.length === 0 && (
          <p className="muted small">
            Nobody. Alerts go to the contacts of the monitor, after the delay each of them has.
          </p>
        )}
        {latest.map(({ contact, status }) => {
          const Icon = contact.channel === 'EMAIL' ? Mail : Bell
          return (
            <div key={contact.id} className="contact">
              <Icon className="icon" aria-hidden="true" />
              <span className="truncate grow" title={contact.name}>
                <bdi>{contact.name}</bdi>
              </span>
              <StateLabel state={SENT[status].state} word={SENT[status].word} />
            </div>
          )
        })}
      </div>
    </section>
  )
}

function Public({
  incident: { statusIncidentIds, monitor, resolvedAt },
}: {
  incident: IncidentScreen
}) {
  const count = statusIncidentIds.length
  return (
    <section className="card">
      <div className="card-body">
        <h2>{count > 0 ? 'Public' : resolvedAt === null ? 'Not public yet' : 'Not public'}</h2>
        <p className="muted small">
          {count === 0
            ? `Readers of a status page with ${monitor.name} see its red bar, but no words.`
            : `${plural(count, 'incident is', 'incidents are')} published about it.`}
        </p>
        {statusIncidentIds.map((id) => (
          <PublishedLink key={id} statusIncidentId={id} />
        ))}
      </div>
    </section>
  )
}

/** The title, once loaded, and the phase. */
function PublishedLink({ statusIncidentId }: { statusIncidentId: string }) {
  const { data } = useRead('GET /status-incidents/{statusIncidentId}', {
    params: { statusIncidentId },
  })
  return (
    <div className="contact">
      <Megaphone className="icon" aria-hidden="true" />
      <Link
        className="link truncate grow"
        to={PATHS.statusIncident}
        params={{ statusIncidentId }}
        title={data?.title}
      >
        <bdi>{data?.title ?? 'Published incident'}</bdi>
      </Link>
      {data && <span className="faint">{STATUS_LABELS[data.status]}</span>}
    </div>
  )
}
