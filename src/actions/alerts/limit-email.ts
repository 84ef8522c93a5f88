import { ApiError } from '../../platform/api-error.ts'
import type { Db } from '../../store/core/db.ts'
import { countEmail, type EmailKind } from '../../store/people/email-limits.ts'

const HOUR_SECONDS = '3600'

/** Limits emails to an address that did not request them, across all organizations. */
export async function limitEmailTo(db: Db, kind: EmailKind, address: string): Promise<void> {
  if (await countEmail(db, kind, address)) return
  throw new ApiError('rate_limited', 'Too many emails to this address. Try again in an hour.', {
    headers: { 'Retry-After': HOUR_SECONDS },
  })
}
