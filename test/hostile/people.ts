// People and their sessions, written straight to the database: the slow hash of a sign-in must not be measured.
import { argon2Sync, createHash, randomBytes } from 'node:crypto'
import type { Database } from '../kit/database.ts'
import { toUuid } from '../kit/ids.ts'

export type Role = 'READ_ONLY' | 'MEMBER' | 'ADMIN' | 'OWNER'
export type Person = { uuid: string; email: string }

export const PASSWORD = 'seven quiet herons wade'
const PASSWORD_HASH = hashOf(PASSWORD)

export async function addMember(db: Database, orgId: string, role: Role): Promise<Person> {
  const email = `person-${randomBytes(5).toString('hex')}@example.com`
  const { uuid } = await db.one<{ uuid: string }>(
    `insert into users (id, email, name, password_hash) values (new_uuid(), $1, $2, $3)
     returning id as uuid`,
    [email, role, PASSWORD_HASH],
  )
  await db.run('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
    toUuid(orgId),
    uuid,
    role,
  ])
  return { uuid, email }
}

/** The Cookie header of a browser that is signed in. */
export async function openSession(db: Database, { uuid }: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.run(
    `insert into sessions (id, token_hash, user_id, complete, address, agent, expires_at)
     values (new_uuid(), $1, $2, true, '127.0.0.1', 'Tests/1', now() + interval '1 day')`,
    [createHash('sha256').update(token).digest(), uuid],
  )
  return `upvane=${token}`
}

/** In the stored form, computed without the product. */
function hashOf(password: string): string {
  const salt = randomBytes(16)
  const cost = { memory: 19_456, passes: 2, parallelism: 1 }
  const made = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${text(salt)}$${text(made)}`
}
