import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { formatMoment, zoneName } from '../../time/format.ts'
import { appearanceOf, Mark, type State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import './monitor.css'

/** The state, since when, why, and when the next check is due. */
export function Verdict({ screen }: { screen: MonitorScreen }) {
  const { since, at, openIncident } = screen
  const state: State =
    screen.inMaintenance && screen.state !== 'PAUSED' ? 'MAINTENANCE' : screen.state
  const { tone, word } = appearanceOf(state)
  return (
    <div className={`verdict ${tone}`} role="status">
      <Mark state={state} />
      <p>
        <b className="strong">{word}</b>{' '}
        {state === 'PENDING' ? (
          <span className="muted">The first check has not ended yet.</span>
        ) : (
          <>
            since {formatMoment(since, at)} {zoneName(since)}, <Time at={since} as="elapsed" />.{' '}
            <span className="muted">{reasonOf(screen)}</span>{' '}
            {openIncident && <IncidentLink {...openIncident} />}
          </>
        )}
      </p>
      <Checked screen={screen} />
    </div>
  )
}

function IncidentLink({ id, acknowledged }: { id: string; acknowledged: boolean }) {
  return (
    <Link to={PATHS.incident} params={{ incidentId: id }} className="link">
      {acknowledged ? 'Incident, taken' : 'Incident, not taken yet'}
    </Link>
  )
}

function reasonOf({ state, openIncident, inMaintenance, monitor }: MonitorScreen): string {
  if (inMaintenance) return 'A window covers it: nobody is told, and the time does not count.'
  if (openIncident !== null) return openIncident.cause
  if (state === 'PAUSED') return 'Checks and alerts stand still; the time does not count.'
  if (state !== 'DEGRADED') return ''
  if (monitor.degradedThresholdMs === null) return 'It ends soon.'
  const { degradedSamples: samples, degradedThresholdMs: limit } = monitor
  return monitor.degradedThresholdMode === 'P95'
    ? `The p95 of the last ${samples} checks is over ${limit} ms.`
    : `The last ${samples === 1 ? 'check was' : `${samples} checks were`} over ${limit} ms.`
}

function Checked({
  screen: { type, state, lastCheckedAt, nextCheckAt, lastHeartbeatAt },
}: {
  screen: MonitorScreen
}) {
  if (type === 'CRON')
    return (
      <span className="end">
        Last call <Time at={lastHeartbeatAt} as="ago" none="never" />
        {nextCheckAt !== null && (
          <>
            , due <Time at={nextCheckAt} as="until" />
          </>
        )}
      </span>
    )
  return (
    <span className="end">
      Checked <Time at={lastCheckedAt} as="ago" none="not yet" />
      {state !== 'PAUSED' && nextCheckAt !== null && (
        <>
          , next <Time at={nextCheckAt} as="until" />
        </>
      )}
    </span>
  )
}
