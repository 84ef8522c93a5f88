import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  const strong = (inside: ReactNode) => <b className="strong">{inside}</b>
  const headline = () => {
    const parts = { lead: lead ?? word, b: strong }
    const duration = <Time at={since} as="elapsed" />
    if (lasts) return text.lasting({ ...parts, duration, moment: formatMoment(since, at) })
    return until ? text[until.how]({ ...parts, moment: until.moment }) : strong(parts.lead)
  }
  return (
    <div className={`verdict ${tone}`} role="status">
      <Mark state={state} />
      <p>
        {headline()} <span className="muted">{reason}</span>{' '}
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
  const { type, state, nextCheckAt } = screen
  const next =
    state === 'PAUSED' || nextCheckAt === null ? null : <Time at={nextCheckAt} as="until" />
  return (
    <span className="end">{type === 'CRON' ? pinged(screen, next) : checked(screen, next)}</span>
  )
}

function checked({ lastCheckedAt }: MonitorScreen, next: ReactNode): ReactNode {
  const at = <Time at={lastCheckedAt} as="ago" none={text.notYet} />
  return next === null ? text.checked({ at }) : text.checkedAndNext({ at, next })
}

function pinged({ lastHeartbeatAt }: MonitorScreen, next: ReactNode): ReactNode {
  if (lastHeartbeatAt === null) return next === null ? text.noPing : text.noPingAndNext({ next })
  const at = <Time at={lastHeartbeatAt} as="ago" />
  return next === null ? text.lastPing({ at }) : text.lastPingAndNext({ at, next })
}
