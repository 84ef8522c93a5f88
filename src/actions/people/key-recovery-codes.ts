import type { Database } from '../../store/core/db.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { lockBareCodes, setKeyed } from '../../store/people/users.ts'
import { recoveryKey, toKeyed } from './second-factor.ts'

const BATCH = 500
// More than any installation needs. The next start does the rest.
const MAX_BATCHES = 10_000

/** Rehashes recovery codes that were stored without a key. */
export async function keyRecoveryCodes(people: Database, secrets: PeopleSecrets): Promise<void> {
  const key = await recoveryKey(people, secrets)
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await people.transaction(undefined, async (tx) => {
      const codes = await lockBareCodes(tx, BATCH)
      for (const { userUuid, hash } of codes)
        await setKeyed(tx, userUuid, { bare: hash, keyed: toKeyed(key, userUuid, hash) })
      return codes.length
    })
    if (count < BATCH) return
  }
}
