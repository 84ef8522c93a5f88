// The read operations of the dashboard's screens.
import type { BoundOperation } from '../../http/bind.ts'
import { exportOperations } from '../exports.ts'
import { incidentPostOperations } from '../incident-posts.ts'
import { pageSubscriberOperations } from '../page-subscribers.ts'
import { searchOperations } from '../search.ts'
import { checkScreenOperations } from './checks.ts'
import { deliveryScreenOperations } from './deliveries.ts'
import { evidenceOperations } from './evidence.ts'
import { incidentScreenOperations } from './incidents.ts'
import { monitorScreenOperations } from './monitors.ts'
import { pageLedgerOperations } from './page-ledger.ts'
import { type PageScreenOptions, pageScreenOperations } from './pages.ts'
import { replayOperations } from './replay.ts'
import { windowScreenOperations } from './windows.ts'

type ScreenOptions = PageScreenOptions &
  Parameters<typeof evidenceOperations>[0] &
  Parameters<typeof replayOperations>[0]

export function screenOperations(options: ScreenOptions): readonly BoundOperation[] {
  return [
    ...monitorScreenOperations(options.statusBaseUrl),
    ...checkScreenOperations(options.resultRetentionDays),
    ...incidentScreenOperations,
    ...evidenceOperations(options),
    ...replayOperations(options),
    ...deliveryScreenOperations,
    ...windowScreenOperations,
    ...pageScreenOperations(options),
    ...pageLedgerOperations,
    ...pageSubscriberOperations,
    ...incidentPostOperations,
    ...searchOperations,
    ...exportOperations,
  ]
}
