// What the dashboard's screens read.
import type { AppBound } from './bind-app.ts'
import { checkScreenOperations } from './check-screens.ts'
import { deliveryScreenOperations } from './delivery-screens.ts'
import { exportOperations } from './exports.ts'
import { incidentScreenOperations } from './incident-screens.ts'
import { monitorScreenOperations } from './monitor-screens.ts'
import { type PageScreenOptions, pageScreenOperations } from './page-screens.ts'
import { pageSubscriberOperations } from './page-subscribers.ts'
import { searchOperations } from './search.ts'
import { windowScreenOperations } from './window-screens.ts'

export type ScreenOptions = PageScreenOptions & { resultRetentionDays: number }

export function screenOperations(options: ScreenOptions): readonly AppBound[] {
  return [
    ...monitorScreenOperations(options.statusBaseUrl),
    ...checkScreenOperations(options.resultRetentionDays),
    ...incidentScreenOperations,
    ...deliveryScreenOperations,
    ...windowScreenOperations,
    ...pageScreenOperations(options),
    ...pageSubscriberOperations,
    ...searchOperations,
    ...exportOperations,
  ]
}
