// Counts emails that the recipient did not request, per recipient and across all organizations.
import { createHash } from 'node:crypto'
import { mailboxOf } from '../../domain/values/email-address.ts'
import { type Db, sql } from '../core/db.ts'

const COUNT = sql`select count_mail($1, $2, $3) as counted`
const DELETE_OLD = sql`
  with old as (select subject from mail_windows where day_at < now() - interval '1 day' limit $1),
       gone as (delete from mail_windows where subject in (select subject from old) returning 1)
  select count(*)::integer as count from gone`

export type EmailKind = 'INVITATION' | 'CONFIRM_CONTACT' | 'SUBSCRIPTION' | 'RESET_PASSWORD'

const PER_HOUR = 5
const PER_DAY = 20

/** False if the mailbox has reached its limit. The address is never stored in plain text. */
export async function countEmail(db: Db, kind: EmailKind, address: string): Promise<boolean> {
  const subject = `${kind}:${createHash('sha256').update(mailboxOf(address)).digest('base64url')}`
  const [row] = await db.query<{ counted: boolean | null }>(COUNT, [subject, PER_HOUR, PER_DAY])
  return row?.counted === true
}

/** The same for any other target that gets requests it did not ask for. */
export async function countRequest(
  db: Db,
  target: { subject: string; perHour: number; perDay: number },
): Promise<boolean> {
  const subject = `HOOK:${createHash('sha256').update(target.subject).digest('base64url')}`
  const values = [subject, target.perHour, target.perDay]
  const [row] = await db.query<{ counted: boolean | null }>(COUNT, values)
  return row?.counted === true
}

/** Deletes up to `most` windows that have ended. Returns how many. */
export async function deleteOldEmailWindows(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_OLD, [most])
  return row?.count ?? 0
}
