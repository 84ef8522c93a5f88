// `upvane rotate-keys`: wraps every organization's key with the current master key. Secrets themselves
// stay as they are, and processes go on working meanwhile.
import type { Database } from '../store/db.ts'
import type { OrganizationSecrets } from '../store/organization-secrets.ts'

const BATCH = 200

export async function rotateKeys(
  database: Database,
  secrets: OrganizationSecrets,
): Promise<{ rotated: number }> {
  let rotated = 0
  for (;;) {
    const done = await database.transaction(undefined, (tx) => secrets.rotate(tx, BATCH))
    rotated += done
    if (done < BATCH) return { rotated }
  }
}
