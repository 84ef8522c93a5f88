import { useLocation } from '@tanstack/react-router'
import { useRef } from 'react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { keyboardText, navigationText } from '../messages/shell.ts'
import { useShortcuts } from '../session/keyboard.ts'
import { useMonitorActions } from '../session/use-monitor-actions.ts'
import { causeSentence } from '../shared/cause-sentence.ts'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/state.tsx'
import { useUnacknowledged } from './use-unacknowledged.ts'
import './acknowledge-newest.css'

// The second click must not acknowledge the next incident, which takes the place of the first.
const DOUBLE_CLICK_MS = 800

/** Above every screen: acknowledges the newest incident in one step. The screens of incidents have their own button. */
export function AcknowledgeNewest() {
  const { pathname } = useLocation()
  const { acknowledge } = useMonitorActions()
  const [newest] = useUnacknowledged()
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
  return (
    <Button className="ack-newest is-down" title={causeSentence(newest.cause ?? '')} onClick={run}>
      <Mark state="DOWN" />
      <span className="truncate">{navigationText.acknowledge(newest.monitor.name)}</span>
    </Button>
  )
}
