import type { NewAlertCondition } from '../../domain/alerts/condition.ts'
import type { EventDraft } from '../../domain/events/event.ts'
import { insertConditions } from '../../store/alerts/conditions.ts'
import { newUuidsByClock } from '../../store/core/clock-uuids.ts'
import type { Db } from '../../store/core/db.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { insertEvents } from '../../store/events/events.ts'
import { chargeDay } from '../charge-day.ts'

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
 * the rows they are about: the clock is read here, so that events of one monitor sort by id in commit order. Returns how many
 * bytes are stored of each organization.
 */
export async function publishAll(
  tx: Db,
  events: readonly NewEvent[],
): Promise<Map<string, number>> {
  if (events.length === 0) return new Map()
  const ids = await newUuidsByClock(tx, events.length)
  const rows = events.map((event, index) => ({ ...event, id: ids[index] ?? '' }))
  const bytes = await insertEvents(tx, rows)
  const conditions = rows.flatMap(({ id, orgId, condition, traceparent }) =>
    condition === undefined ? [] : { ...condition, id, orgId, traceparent },
  )
  if (conditions.length > 0) await insertConditions(tx, conditions)
  return bytes
}

/**
 * For events of a request, which alert no one. Refused if the organization's day has no room. `charged`: the quota, and what the
 * same change stores besides.
 */
export async function publishEvents(
  tx: TenantTx,
  drafts: readonly EventDraft[],
  charged: { kind: 'EVENTS' | 'NEWS'; bytes: number } = { kind: 'EVENTS', bytes: 0 },
): Promise<void> {
  const events = drafts.map((draft) => ({ orgId: tx.orgId, draft }))
  const published = await publishAll(tx, events)
  await chargeDay(tx, charged.kind, charged.bytes + (published.get(tx.orgId) ?? 0))
}
