import type { StartedAttempt } from '../../domain/events/delivery-outcome.ts'
import type { Database } from '../../store/core/db.ts'
import {
  countDue,
  findHorizon,
  findLostAttempts,
  type Horizon,
  readByIndex,
} from '../../store/deliveries/queue.ts'

const MAX_LOST = 200
const MAX_COUNTED = 10_000

type Poll = {
  horizon: Horizon
  /** Something is pending, due or not. */
  isBusy: boolean
  lost: StartedAttempt[]
  /** Undefined if they were not counted. */
  due: number | undefined
}

/** Finds the range of pending deliveries, and attempts that were lost. */
export function pollDeliveries(database: Database, isCounting: boolean): Promise<Poll> {
  return database.transaction(undefined, async (tx) => {
    await readByIndex(tx)
    const { isBusy, ...horizon } = await findHorizon(tx)
    const due = isCounting ? await countDue(tx, horizon, MAX_COUNTED) : undefined
    return { horizon, isBusy, lost: await findLostAttempts(tx, MAX_LOST), due }
  })
}
