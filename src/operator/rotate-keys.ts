// `upvane rotate-keys`: wraps every organization's key with the current master key. The secrets themselves do not
// change, and processes keep working meanwhile.
import type { Database } from '../store/core/db.ts'
import type { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import type { PeopleSecrets } from '../store/people/people-secrets.ts'
import { recordCommand } from './cli/audit.ts'

const BATCH = 200

export async function rotateKeys(
  database: Database,
  secrets: OrganizationSecrets,
  peopleSecrets?: PeopleSecrets,
): Promise<{ rotated: number }> {
  await peopleSecrets?.rotate(database)
  let rotated = 0
  for (;;) {
    const done = await database.transaction(undefined, (tx) => secrets.rotate(tx, BATCH))
    rotated += done
    if (done < BATCH) break
  }
  await recordCommand(database, { action: 'rotate-keys', detail: { rotated } })
  return { rotated }
}
