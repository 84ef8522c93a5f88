// `upvane rotate-keys`: wraps every organization's key, and those of the installation, with the current master key. The secrets themselves do not
// change, and processes keep working meanwhile.
import type { Database, Db } from '../store/core/db.ts'
import type { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import { recordCommand } from './cli/audit.ts'

const BATCH = 200

export async function rotateKeys(
  database: Database,
  secrets: OrganizationSecrets,
  serviceKeys: readonly { rotate(db: Db): Promise<void> }[] = [],
): Promise<{ rotated: number }> {
  for (const key of serviceKeys) await key.rotate(database)
  let rotated = 0
  for (;;) {
    const done = await database.transaction(undefined, (tx) => secrets.rotate(tx, BATCH))
    rotated += done
    if (done < BATCH) break
  }
  await recordCommand(database, { action: 'rotate-keys', detail: { rotated } })
  return { rotated }
}
