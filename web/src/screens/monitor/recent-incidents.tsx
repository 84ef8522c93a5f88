import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorText } from '../../messages/monitor.ts'
import { causeSentence, wholeCause } from '../../shared/cause-sentence.ts'
import { formatDuration } from '../../time/format.ts'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import './monitor.css'

const text = monitorText.incidents

/** The monitor's last incidents, newest first, with a link to all of them. */
export function RecentIncidents({ screen: { id, incidents } }: { screen: MonitorScreen }) {
  return (
    <section className="card" aria-labelledby="monitor-incidents">
      <header>
        <h2 id="monitor-incidents">{text.title}</h2>
        {incidents.length > 0 && (
          <Link className="link text-sm" to={PATHS.incidents} search={{ monitor: id }}>
            {text.all}
          </Link>
        )}
      </header>
      {incidents.length === 0 ? (
        <p className="card-body muted text-sm">{text.none}</p>
      ) : (
        <table className="table dense recent">
          <thead>
            <tr>
              <th>{text.cause}</th>
              <th>{text.started}</th>
              <th className="end">{text.duration}</th>
            </tr>
          </thead>
          <tbody>
            {incidents.map((incident) => (
              <IncidentLine key={incident.id} incident={incident} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

type Incident = MonitorScreen['incidents'][number]

function IncidentLine({ incident }: { incident: Incident }) {
  const { id, cause, startedAt, resolvedAt } = incident
  return (
    <tr>
      <td className="name">
        <Link
          className="link truncate"
          to={PATHS.incident}
          params={{ incidentId: id }}
          title={wholeCause(cause)}
        >
          {causeSentence(cause)}
        </Link>
      </td>
      <td className="num">
        <Time at={startedAt} />
      </td>
      <td className="num end">
        {resolvedAt === null ? (
          <StateLabel state="DOWN" word={text.ongoing} />
        ) : (
          formatDuration(Date.parse(resolvedAt) - Date.parse(startedAt))
        )}
      </td>
    </tr>
  )
}
