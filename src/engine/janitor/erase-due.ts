// Erases organizations whose days of grace are over. A loop of its own: erasing a large one takes longer than the
// janitor's other tasks may wait.
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { beginErasure, listDueErasures } from '../../store/operating/erase-organization.ts'
import { every, type Loop } from '../every.ts'
import { ErasureStopped, eraseOrganization } from './erase-organization.ts'

const POLL_INTERVAL_MS = 5_000
const MAX_ORGANIZATIONS = 10
/** In the operator log, instead of an account on the machine. */
const OPERATOR = 'janitor'

type ErasureDeps = { database: Database; log: Log }

export function startErasures(deps: ErasureDeps): Loop {
  let isStopping = false
  const loop = every(
    POLL_INTERVAL_MS,
    () => eraseDue(deps, () => isStopping),
    (err) => {
      if (!(err instanceof ErasureStopped)) deps.log.error({ err }, 'erasing failed')
    },
  )
  return {
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}

/** Returns how many were erased. */
export async function eraseDue(
  { database, log }: ErasureDeps,
  stopping: () => boolean,
): Promise<number> {
  let erased = 0
  for (const orgId of await listDueErasures(database, MAX_ORGANIZATIONS)) {
    if (!(await beginErasure(database, orgId))) continue
    const { id, rows } = await eraseOrganization(database, orgId, { operator: OPERATOR, stopping })
    log.info({ id, rows }, 'organization erased')
    erased += 1
  }
  return erased
}
