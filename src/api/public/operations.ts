// The operations under /api/v1, bound to their handlers.
import type { RequestCheck } from '../../actions/monitors/request-check.ts'
import { OPERATIONS } from '../../contract/public/operations.ts'
import type { AddressPolicy } from '../../domain/events/webhook.ts'
import type { Config } from '../../platform/config/config.ts'
import { assertComplete, type BoundOperation } from '../http/bind.ts'
import { checkOperation } from './check-monitor.ts'
import { incidentOperations } from './incidents.ts'
import { maintenanceWindowOperations } from './maintenance-windows.ts'
import { monitorOperations } from './monitors.ts'
import { statusIncidentOperations } from './status-incidents.ts'
import { statusPageOperations } from './status-pages.ts'
import { webhookDeliveryOperations } from './webhook-deliveries.ts'
import { webhookEndpointOperations } from './webhook-endpoints.ts'

type PublicDeps = { config: Config; policy: AddressPolicy; requestCheck: RequestCheck }

export function bindPublicOperations(deps: PublicDeps): readonly BoundOperation[] {
  const bound = [
    ...monitorOperations,
    checkOperation(deps.requestCheck),
    ...incidentOperations,
    ...maintenanceWindowOperations,
    ...statusPageOperations(deps.config),
    ...statusIncidentOperations,
    ...webhookEndpointOperations(deps.policy),
    ...webhookDeliveryOperations,
  ]
  assertComplete(OPERATIONS, bound)
  return bound
}
