// A look at something before it becomes a monitor.
import { CheckEvidence } from '../public/incident.ts'
import { MonitorCreate } from '../public/monitor.ts'
import { closed, oneOf } from '../schema.ts'
import { ORGANIZATION_PATH, OrganizationParams, privateOperation } from './operation.ts'

/** One check of what would be created, by the rules of createMonitor; nothing is kept. CRON has nothing to look at. */
export const tryMonitor = privateOperation({
  id: 'tryMonitor',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/monitor-trials`,
  who: 'MEMBER',
  needsSubscription: true,
  params: OrganizationParams,
  body: { schema: MonitorCreate, required: true },
  reply: {
    status: 200,
    body: closed({
      /** INCONCLUSIVE: we could not look. */
      result: oneOf(['OK', 'FAILED', 'INCONCLUSIVE'] as const),
      check: CheckEvidence,
    }),
  },
})
