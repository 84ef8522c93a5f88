// A trial check before a monitor is created.
import { CheckEvidence } from '../public/incident.ts'
import { MonitorCreate } from '../public/monitor.ts'
import { closed, oneOf } from '../schema.ts'
import { privateOperation } from './operation.ts'

/**
 * One check of the monitor that would be created, by the rules of createMonitor. Nothing is stored. CRON has nothing to
 * check.
 */
export const tryMonitor = privateOperation({
  id: 'tryMonitor',
  method: 'POST',
  waits: true,
  path: '/monitor-trials',
  who: 'MEMBER',
  needsSubscription: true,
  body: { schema: MonitorCreate, required: true },
  reply: {
    status: 200,
    body: closed({
      /** INCONCLUSIVE: we could not run the check. */
      result: oneOf(['OK', 'FAILED', 'INCONCLUSIVE'] as const),
      check: CheckEvidence,
    }),
  },
})
