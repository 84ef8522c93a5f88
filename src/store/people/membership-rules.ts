// Rules about members in SQL, for statements that read memberships.
import { sql } from '../core/db.ts'

/** As in `domain/people/second-factor.ts`. Needs users u. */
export const hasSecondFactor = sql`(u.totp_confirmed_at is not null or u.passkey_count > 0)`

/** Whether members still see the organization: not deleted, or that can be undone, or it moves. Needs organizations o. */
export const isShown = sql`(o.deleted_at is null or o.erase_at > 'epoch' or o.moved_at is not null)`
