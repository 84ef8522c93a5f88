// Gives the CRON monitors from fillHistory encrypted tokens like the product's, because a monitor's page decrypts them.
import type pg from 'pg'
import { parseMasterKeys } from '../src/platform/crypto/encryption.ts'
import { hashToken } from '../src/platform/crypto/token.ts'
import type { Db } from '../src/store/core/db.ts'
import { OrganizationSecrets } from '../src/store/core/organization-secrets.ts'

const FIND = `select id from monitors where org_id = $1 and type = 'CRON' and heartbeat_token = '\\x00'`
const WRITE = `
  update monitors m set heartbeat_hash = u.hash, heartbeat_token = u.sealed
    from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as u (id, hash, sealed)
   where m.org_id = $1 and m.id = u.id`

/** Runs as the database's superuser; `masterKeys` are the installation's. */
export async function sealHeartbeats(
  client: pg.Client,
  orgId: string,
  masterKeys: string,
): Promise<void> {
  const keys = parseMasterKeys(masterKeys)
  if (typeof keys === 'string') throw new Error(`MASTER_KEYS ${keys}`)
  // Safe because a superuser needs no scope, and a plain query returns the same rows.
  const db = {
    query: async ({ text }: { text: string }, values: unknown[]) =>
      (await client.query(text, values)).rows,
  } as unknown as Db
  const cipher = await new OrganizationSecrets(keys).cipherOf(db, orgId)
  const { rows } = await client.query<{ id: string }>(FIND, [orgId])
  const ids = rows.map(({ id }) => id)
  const tokens = ids.map((id) => `bench-${id}`)
  const sealed = ids.map((id, index) =>
    cipher.seal({ table: 'monitors', row: id, column: 'heartbeat_token' }, tokens[index] ?? ''),
  )
  await client.query(WRITE, [orgId, ids, tokens.map(hashToken), sealed])
}
