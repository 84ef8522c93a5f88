// Rules of plans and subscriptions in SQL, for statements that apply them to many rows at once.
import { sql } from './db.ts'

/** Seconds between two checks: not faster than the plan allows. Needs monitors m, organizations o and plans p. */
export const effectiveInterval = sql`
  greatest(m.interval_seconds, coalesce((o.limit_overrides ->> 'fastestIntervalSeconds')::integer,
    p.fastest_interval_seconds))`

/** False without a subscription. Needs subscriptions b. */
export const subscriptionActive = sql`is_subscription_active(b.status, b.past_due_since)`
