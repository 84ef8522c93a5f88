// Whether an alert contact `c` can receive anything: for the planner, and for screens that say who is alerted.
import { sql } from '../core/db.ts'

/** Only an email address needs its owner's consent. */
export const isConfirmed = sql`(c.channel <> 'EMAIL' or c.confirmed_at is not null)`
// A personal contact without a device, or of a person whose account is disabled, receives nothing.
const isReachable = sql`(c.owner_id is null or exists (
  select from push_devices p join users u on u.id = c.owner_id and u.disabled_at is null
   where p.org_id = c.org_id and p.contact_id = c.id))`

export const canReceive = sql`(c.enabled and ${isConfirmed} and ${isReachable})`
const wantsOutages = sql`('DOWN' = any (c.states))`

/** Whether an outage of its monitor alerts it. */
export const hearsOfOutages = sql`(${canReceive} and ${wantsOutages})`

/** The same as an `Alerting`: ON, or the first reason why not. */
export const alertingOfContact = sql`
  case when not c.enabled then 'CONTACTS_OFF' when not ${isConfirmed} then 'UNCONFIRMED'
       when not ${isReachable} then 'NO_DEVICE' when not ${wantsOutages} then 'NOT_FOR_OUTAGES' else 'ON' end`
