// One incident, for the person on call: what is down, for how long, who has it; then evidence and timeline.
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../api/problem.ts'
import { incidentText as text } from '../../messages/incidents.ts'
import { useRead } from '../../session/use-api.ts'
import { SilentNotice } from '../../shared/silent-notice.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { ItemNotFound } from '../../ui/not-found.tsx'
import { Page } from '../../ui/page.tsx'
import { AcknowledgeDialog } from './acknowledge.tsx'
import { Cause } from './evidence.tsx'
import { IncidentAside } from './incident-aside.tsx'
import { IncidentTop } from './incident-top.tsx'
import { Regions } from './regions.tsx'
import { type IncidentScreen, titleOf } from './screen.ts'
import { Timeline } from './timeline.tsx'
import '../../ui/event-head.css'
import './incident.css'

const REFRESH_MS = 10_000
const CRUMBS = [{ label: text.incidents, to: PATHS.incidents }]

export function Incident() {
  const { incidentId = '' } = useParams({ strict: false })
  const read = useRead(
    'GET /overview/incidents/{incidentId}',
    { params: { incidentId } },
    { refetchInterval: REFRESH_MS },
  )
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="incident" back={PATHS.incidents} />
  const title = read.data === undefined ? text.incident : titleOf(read.data)
  const hasOwnHead = read.data !== undefined || read.error === null
  return (
    <Page title={title} crumbs={CRUMBS} {...(hasOwnHead && { head: <></> })}>
      <Loaded query={read} loading={<IncidentLoading />}>
        {(incident) => <IncidentContent incident={incident} />}
      </Loaded>
    </Page>
  )
}

function IncidentContent({ incident }: { incident: IncidentScreen }) {
  const note = useRef<HTMLTextAreaElement>(null)
  return (
    <>
      <IncidentTop incident={incident} onNote={() => note.current?.focus()} />
      {incident.resolvedAt === null && (
        <SilentNotice alerting={incident.alerting} monitorId={incident.monitor.id} isOutage />
      )}
      <div className="cols incident">
        <div>
          <Cause incident={incident} />
          <Regions regions={incident.regions} type={incident.monitor.type} />
          <Timeline incident={incident} note={note} />
        </div>
        <IncidentAside incident={incident} />
      </div>
      <AcknowledgeDialog incident={incident} />
    </>
  )
}

function IncidentLoading() {
  return (
    <>
      <section className="inc-top coming" aria-hidden="true">
        <Skeleton width="40%" />
        <Skeleton width="24%" />
      </section>
      <div className="cols" aria-hidden="true">
        <div>
          <section className="card coming" />
          <section className="card coming" />
        </div>
        <aside>
          <section className="card coming" />
        </aside>
      </div>
    </>
  )
}
