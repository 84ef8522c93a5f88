import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useConnection } from '../../api/connection.ts'
import { monitorText } from '../../messages/monitor.ts'
import { useMay } from '../../session/organization.ts'
import { useMonitorActions } from '../../session/use-monitor-actions.ts'
import { formatMoment } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { appearanceOf, Mark } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import { verdictOf } from './verdict-text.ts'
import './monitor.css'

const text = monitorText.verdict

/** The state or the time left, since when, why, and when the next check is due. */
export function Verdict({ screen }: { screen: MonitorScreen }) {
  const { since, at, openIncident } = screen
  const { state, lead, lasts, until, reason } = verdictOf(screen)
  const { tone, word } = appearanceOf(state)
  return (
    <div className={`verdict ${tone}`} role="status">
      <Mark state={state} />
      <p>
        <b className="strong">{lead ?? word}</b>
        {lasts && (
          <>
            {' '}
            {text.for} <Time at={since} as="elapsed" />
            {text.since(formatMoment(since, at))}
          </>
        )}
        {until} <span className="muted">{reason}</span>{' '}
        {openIncident && <IncidentLink {...openIncident} />}
      </p>
      {openIncident?.acknowledged === false && <Acknowledge id={openIncident.id} />}
      <Checked screen={screen} />
    </div>
  )
}

function IncidentLink({ id, acknowledged }: { id: string; acknowledged: boolean }) {
  return (
    <Link to={PATHS.incident} params={{ incidentId: id }} className="link">
      {acknowledged ? text.incidentAcknowledged : text.incident}
    </Link>
  )
}

function Acknowledge({ id }: { id: string }) {
  const { acknowledge } = useMonitorActions()
  const { offlineSince } = useConnection()
  if (!useMay('MEMBER')) return null
  return (
    <Button size="sm" disabled={offlineSince !== undefined} onClick={() => acknowledge(id)}>
      {text.acknowledge}
    </Button>
  )
}

function Checked({ screen }: { screen: MonitorScreen }) {
  const { type, state, lastCheckedAt, nextCheckAt, lastHeartbeatAt } = screen
  const isCron = type === 'CRON'
  return (
    <span className="end">
      {isCron ? (
        <LastPing at={lastHeartbeatAt} />
      ) : (
        <>
          {text.checked} <Time at={lastCheckedAt} as="ago" none={text.notYet} />
        </>
      )}
      {state !== 'PAUSED' && nextCheckAt !== null && (
        <>
          , {isCron ? text.nextDue : text.next} <Time at={nextCheckAt} as="until" />
        </>
      )}
    </span>
  )
}

function LastPing({ at }: { at: string | null }) {
  if (at === null) return text.noPing
  return (
    <>
      {text.lastPing} <Time at={at} as="ago" />
    </>
  )
}
