// Operators of the installation, marked in the database where a test is not about the command.
import type { Database } from '../kit/database.ts'
import type { Person } from './fixture.ts'

type Options = { hasSecondFactor?: boolean }

export async function markOperator(
  db: Database,
  { uuid }: Person,
  { hasSecondFactor = true }: Options = {},
): Promise<void> {
  await db.run('insert into operators (user_id) values ($1)', [uuid])
  if (hasSecondFactor)
    await db.run(`update users set totp_seed = '\\x00', totp_confirmed_at = now() where id = $1`, [
      uuid,
    ])
}
