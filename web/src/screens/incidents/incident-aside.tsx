import { Link } from '@tanstack/react-router'
import { Download, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { listedState } from '../../../../src/domain/monitors/list-order.ts'
import type { MonitorState } from '../../../../src/domain/monitors/monitor.ts'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { incidentText } from '../../messages/incidents.ts'
import { useOrganization } from '../../session/organization.ts'
import { reportProblem } from '../../session/use-api.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { STATUS_LABELS } from '../../shared/published-incident.ts'
import { formatUptime } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { type IncidentScreen, noAlertsSentence } from './screen.ts'
import '../../ui/facts.css'

const text = incidentText.aside

type AlertLine = Extract<IncidentScreen['timeline'][number], { type: 'ALERT' }>

export function IncidentAside({ incident }: { incident: IncidentScreen }) {
  return (
    <aside aria-label={text.label}>
      <MonitorDetails incident={incident} />
      <NotifiedSoFar incident={incident} />
      {(incident.isPublic || incident.published.length > 0) && <Public incident={incident} />}
      <Evidence incidentId={incident.id} />
    </aside>
  )
}

function MonitorDetails({ incident }: { incident: IncidentScreen }) {
  const { monitor, monitorState, uptime30d, incidents30d } = incident
  return (
    <section className="card">
      <div className="card-body">
        <h2>{text.monitor}</h2>
        <dl className="facts">
          <div>
            <dt>{text.name}</dt>
            <dd className="long">
              <a className="link" href={pathTo(PATHS.monitor, { monitorId: monitor.id })}>
                <bdi>{monitor.name}</bdi>
              </a>
            </dd>
          </div>
          <div>
            <dt>{text.type}</dt>
            <dd>{monitor.type}</dd>
          </div>
          <div>
            <dt>{text.now}</dt>
            <dd>
              {/* Safe because it is the state of a monitor. */}
              <StateLabel
                state={listedState({ type: monitor.type, state: monitorState as MonitorState })}
              />
            </dd>
          </div>
          <div>
            <dt>{text.uptime}</dt>
            <dd className="num">{formatUptime(uptime30d)}</dd>
          </div>
          <div>
            <dt>{text.incidents}</dt>
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

function Evidence({ incidentId }: { incidentId: string }) {
  const { id } = useOrganization()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const params = { incidentId }
      const file = await callOrganizationApi(id, 'GET /incidents/{incidentId}/evidence-file', {
        params,
      })
      saveFile(file.name, file.text)
    } catch (error) {
      reportProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="card">
      <div className="card-body">
        <h2>{text.evidence}</h2>
        <p className="muted small">{text.evidenceAbout}</p>
        <Button size="sm" busy={isBusy} onClick={() => void download()}>
          {!isBusy && <Download className="icon" aria-hidden="true" />}
          {text.downloadEvidence}
        </Button>
      </div>
    </section>
  )
}

/** Exactly these bytes: a text that the browser changed would no longer be genuine. */
function saveFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

const SENT = {
  SUCCEEDED: { state: 'UP', word: text.sent },
  PENDING: { state: 'PENDING', word: text.sending },
  FAILED: { state: 'DEGRADED', word: text.failed },
} as const

/** Each contact once, with the outcome of the latest message. */
function NotifiedSoFar({ incident }: { incident: IncidentScreen }) {
  const alerts = incident.timeline.filter((line): line is AlertLine => line.type === 'ALERT')
  const latest = [...new Map(alerts.map((line) => [line.contact.id, line])).values()]
  return (
    <section className="card">
      <div className="card-body">
        <h2>{text.alerts}</h2>
        {latest.length === 0 && <p className="muted small">{noAlertsSentence(incident)}</p>}
        {latest.map(({ contact, status }) => (
          <div key={contact.id} className="contact">
            <ChannelIcon of={contact.channel} />
            <span className="truncate grow" title={contact.name}>
              <bdi>{contact.name}</bdi>
            </span>
            <StateLabel state={SENT[status].state} word={SENT[status].word} />
          </div>
        ))}
      </div>
    </section>
  )
}

function Public({ incident }: { incident: IncidentScreen }) {
  const { published, monitor, resolvedAt } = incident
  const count = published.length
  const unexplained = resolvedAt === null ? text.unexplained : text.wasUnexplained
  return (
    <section className="card">
      <div className="card-body">
        <h2>{count > 0 ? text.published : text.notPublished}</h2>
        <p className="muted small">
          {count === 0 ? unexplained({ monitor: monitor.name }) : text.publishedCount({ count })}
        </p>
        {published.map(({ id, title, status }) => (
          <div key={id} className="contact">
            <Megaphone className="icon" aria-hidden="true" />
            <Link
              className="link truncate grow"
              to={PATHS.statusIncident}
              params={{ statusIncidentId: id }}
              title={title}
            >
              <bdi>{title}</bdi>
            </Link>
            <span className="faint">{STATUS_LABELS[status]}</span>
          </div>
        ))}
      </div>
    </section>
  )
}
