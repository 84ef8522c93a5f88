import { useNavigate } from '@tanstack/react-router'
import { Check, Ellipsis, Megaphone, MessageSquareText } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { incidentText as text } from '../../messages/incidents.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { formatClock, formatDay, formatDuration, formatMoment } from '../../time/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { Mark } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { acknowledgedSentence, currentPublished, type IncidentScreen, titleOf } from './screen.ts'
import '../../ui/event-head.css'
import './incident.css'

type TopProps = { incident: IncidentScreen; onNote: () => void }

export function IncidentTop({ incident, onNote }: TopProps) {
  const { startedAt, resolvedAt, durationSec, monitor } = incident
  const isOver = resolvedAt !== null
  return (
    <section className={`inc-top ${isOver ? 'is-up' : 'is-down'}`}>
      <div className="inc-line">
        <Mark state={isOver ? 'UP' : 'DOWN'} />
        <div>
          <h1 title={monitor.name}>
            <bdi>{titleOf(incident)}</bdi>
          </h1>
          <p>
            {whenOf(incident)} {acknowledgementOf(incident)}
          </p>
        </div>
        <div className="timer">
          <b>
            {isOver ? (
              formatDuration((durationSec ?? 0) * 1000)
            ) : (
              <Time at={startedAt} as="elapsed" />
            )}
          </b>
          <span>{isOver ? text.resolved : text.ongoing}</span>
        </div>
      </div>
      <Actions incident={incident} onNote={onNote} />
    </section>
  )
}

function whenOf({ startedAt, resolvedAt }: IncidentScreen): string {
  const start = `${formatDay(startedAt, Date.now())}, ${clock(startedAt)}`
  if (resolvedAt === null) return text.since({ start })
  const isSameDay = formatDay(startedAt, Date.now()) === formatDay(resolvedAt, Date.now())
  const end = isSameDay ? clock(resolvedAt) : formatMoment(resolvedAt, startedAt)
  return text.span({ start, end })
}

const clock = (at: string): string => formatClock(at, undefined, true)

function acknowledgementOf(incident: IncidentScreen): string {
  const isOpen = incident.resolvedAt === null
  return acknowledgedSentence(incident) ?? (isOpen ? text.notAcknowledgedYet : text.notAcknowledged)
}

/** On phones they stay within reach of the thumb. Resolved or acknowledged incidents have no Acknowledge button. */
function Actions({ incident, onNote }: TopProps) {
  const { id, acknowledged, resolvedAt } = incident
  const acknowledge = useWrite('POST /incidents/{incidentId}/acknowledge', {
    onDone: () => toast(text.acknowledged),
  })
  const onlineOnly = useOnlineOnly()
  if (!useMay('MEMBER')) return null
  return (
    <div className="row inc-act" {...onlineOnly}>
      {!acknowledged && resolvedAt === null && (
        <Button
          kind="primary"
          size="lg"
          busy={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ params: { incidentId: id }, body: {} })}
        >
          {!acknowledge.isPending && <Check className="icon" aria-hidden="true" />}
          {text.acknowledge}
        </Button>
      )}
      <Button size="lg" className="add-note" onClick={onNote}>
        <MessageSquareText className="icon" aria-hidden="true" />
        {text.addNote}
      </Button>
      <Publish incident={incident} />
    </div>
  )
}

/** What was published gets an update: a second one would be sent to all subscribers again. */
function Publish({ incident }: { incident: IncidentScreen }) {
  const navigate = useNavigate()
  const published = currentPublished(incident)
  if (published === undefined)
    return (
      <ButtonLink size="lg" to={PATHS.newStatusIncident} search={{ incident: incident.id }}>
        <Megaphone className="icon" aria-hidden="true" />
        {text.publish}
      </ButtonLink>
    )
  return (
    <>
      <ButtonLink
        size="lg"
        to={PATHS.statusIncident}
        params={{ statusIncidentId: published.id }}
        title={published.title}
      >
        <Megaphone className="icon" aria-hidden="true" />
        {published.status === 'RESOLVED' ? text.viewPublished : text.postUpdate}
      </ButtonLink>
      <Menu
        trigger={
          <Button size="lg" square className="more" aria-label={text.more}>
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem
          icon={Megaphone}
          onSelect={() =>
            void navigate({ to: PATHS.newStatusIncident, search: { incident: incident.id } })
          }
        >
          {text.publishAnother}
        </MenuItem>
      </Menu>
    </>
  )
}
