// The read operations of the dashboard's screens.
import type { BoundPrivateOperation } from '../bind.ts'
import { exportOperations } from '../exports.ts'
import { incidentPostOperations } from '../incident-posts.ts'
import { pageSubscriberOperations } from '../page-subscribers.ts'
import { searchOperations } from '../search.ts'
import { checkScreenOperations } from './checks.ts'
import { deliveryScreenOperations } from './deliveries.ts'
import { incidentScreenOperations } from './incidents.ts'
import { monitorScreenOperations } from './monitors.ts'
import { type PageScreenOptions, pageScreenOperations } from './pages.ts'
import { windowScreenOperations } from './windows.ts'

type ScreenOptions = PageScreenOptions & { resultRetentionDays: number }

export function screenOperations(options: ScreenOptions): readonly BoundPrivateOperation[] {
  return [
    ...monitorScreenOperations(options.statusBaseUrl),
    ...checkScreenOperations(options.resultRetentionDays),
    ...incidentScreenOperations,
    ...deliveryScreenOperations,
    ...windowScreenOperations,
    ...pageScreenOperations(options),
    ...pageSubscriberOperations,
    ...incidentPostOperations,
    ...searchOperations,
    ...exportOperations,
  ]
}
