import { useLocation } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { useConnection } from '../api/connection.ts'
import { keyboardText, navigationText } from '../messages/shell.ts'
import { useShortcuts } from '../session/keyboard.ts'
import { useMonitorActions } from '../session/use-monitor-actions.ts'
import { causeSentence } from '../shared/cause-sentence.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Mark } from '../ui/state.tsx'
import { useUnacknowledged, useUnacknowledgedCount } from './use-unacknowledged.ts'
import './acknowledge-newest.css'

// The second click must not acknowledge the next incident, which takes the place of the first.
const DOUBLE_CLICK_MS = 800

/** Above every screen: acknowledges the newest incident in one step. The screens of incidents have their own button, and so
 * has a monitor that is down: on its page, the button of another one would be mistaken for it. */
export function AcknowledgeNewest() {
  const { pathname } = useLocation()
  const { acknowledge } = useMonitorActions()
  const [newest] = useUnacknowledged()
  const count = useUnacknowledgedCount()
  const { offlineSince } = useConnection()
  const lastAt = useRef(0)
  const run = () => {
    const now = performance.now()
    if (newest === undefined || now - lastAt.current < DOUBLE_CLICK_MS) return
    lastAt.current = now
    acknowledge(newest.id)
  }
  useShortcuts([
    { keys: 'A', label: keyboardText.acknowledgeNewest, group: 'Anywhere', hidden: true, run },
  ])
  if (newest === undefined || pathname.startsWith(PATHS.incidents)) return null
  const isOnMonitor = pathname.startsWith(`${PATHS.monitors}/`)
  return (
    <>
      {!isOnMonitor && (
        <Button
          className="ack-newest is-down hide-phone"
          disabled={offlineSince !== undefined}
          title={causeSentence(newest.cause ?? '')}
          onClick={run}
        >
          <Mark state="DOWN" />
          <span className="truncate">
            {navigationText.acknowledge({ monitor: newest.monitor.name })}
          </span>
        </Button>
      )}
      <ButtonLink
        className={`ack-newest ack-count is-down ${isOnMonitor ? '' : 'just-phone'}`}
        to={PATHS.incidents}
        search={{ state: 'unacknowledged' }}
      >
        <Mark state="DOWN" />
        <span>{navigationText.unacknowledged({ count })}</span>
        <ChevronRight className="icon sm" aria-hidden="true" />
      </ButtonLink>
    </>
  )
}
