import type { NewAlertCondition } from '../../domain/alerts/condition.ts'
import type { EventDraft } from '../../domain/events/event.ts'
import { insertConditions } from '../../store/alerts/conditions.ts'
import { newUuidsByClock } from '../../store/core/clock-uuids.ts'
import type { Db } from '../../store/core/db.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { insertEvents } from '../../store/events/events.ts'

export type NewEvent = {
  orgId: string
  draft: EventDraft
  /** Set if contacts may be alerted of the event. */
  condition?: NewAlertCondition
  /** The trace context that its deliveries belong to. */
  traceparent?: string
}

/**
 * Publishes events in the given order: writes them, their deliveries and their alert conditions. Call it after locking
 * the rows they are about: the clock is read here, so that events of one monitor sort by id in commit order.
 */
export async function publishAll(tx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const ids = await newUuidsByClock(tx, events.length)
  const rows = events.map((event, index) => ({ ...event, id: ids[index] ?? '' }))
  await insertEvents(tx, rows)
  const conditions = rows.flatMap(({ id, orgId, condition, traceparent }) =>
    condition === undefined ? [] : { ...condition, id, orgId, traceparent },
  )
  if (conditions.length > 0) await insertConditions(tx, conditions)
}

/** For events that alert no one. */
export async function publishEvents(tx: TenantTx, drafts: readonly EventDraft[]): Promise<void> {
  await publishAll(
    tx,
    drafts.map((draft) => ({ orgId: tx.orgId, draft })),
  )
}
