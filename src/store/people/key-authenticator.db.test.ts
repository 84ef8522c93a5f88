// However requests are batched, each gets its own number in its key's window.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { uuidV7 } from '../../domain/values/id.ts'
import { insertApiKey } from './api-keys.ts'
import { KeyAuthenticator } from './key-authenticator.ts'

const QUOTA = 30

let fixture: DbFixture
let serial = 0
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('300 requests of three keys at two desks: every number once, none left out', async () => {
  const { database, hashes } = await keys(3)
  const authenticators = [
    new KeyAuthenticator(database.app, QUOTA),
    new KeyAuthenticator(database.app, QUOTA),
  ]
  const seen = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const hash = hashes[i % 3] ?? Buffer.alloc(32)
      return { key: i % 3, caller: await authenticators[i % 2]?.authenticate(hash) }
    }),
  )
  for (const key of [0, 1, 2]) {
    const numbers = seen.flatMap((one) => (one.key === key ? (one.caller?.used ?? -1) : []))
    assert.equal(numbers.length, 100)
    const within = numbers.filter((used) => used <= QUOTA).toSorted((a, b) => a - b)
    assert.deepEqual(
      within,
      Array.from({ length: QUOTA }, (_, i) => i + 1),
    )
  }
})

test('a key that may not pass gets nothing, and takes nothing from those beside it', async () => {
  const { database, hashes } = await keys(2)
  const authenticator = new KeyAuthenticator(database.app, QUOTA)
  const [good = Buffer.alloc(32), revoked = Buffer.alloc(32)] = hashes
  await database.admin.query('update api_keys set revoked_at = now() where hash = $1', [revoked])
  const callers = await Promise.all(
    [revoked, good, Buffer.alloc(32, 7), good].map((hash) => authenticator.authenticate(hash)),
  )
  const used = callers.map((caller) => caller?.used)
  // Two statements are in flight at once, and either may count first.
  assert.deepEqual([used[0], used[2]], [undefined, undefined])
  assert.deepEqual([used[1], used[3]].toSorted(), [1, 2])
})

test('a new window starts at one, and says when the key was used', async () => {
  const { database, hashes } = await keys(1)
  const authenticator = new KeyAuthenticator(database.app, QUOTA)
  const [hash = Buffer.alloc(32)] = hashes
  await Promise.all(Array.from({ length: 5 }, () => authenticator.authenticate(hash)))
  await database.admin.query(
    `update api_key_windows set started_at = now() - interval '61 seconds'`,
  )
  await database.admin.query('update api_keys set last_used_at = null')
  assert.equal((await authenticator.authenticate(hash))?.used, 1)
  const { rows } = await database.admin.query('select last_used_at from api_keys')
  assert.ok(rows[0].last_used_at instanceof Date)
})

test('a statement that fails is told to everyone in it, and the desk goes on', async () => {
  const { database, hashes } = await keys(1)
  const authenticator = new KeyAuthenticator(database.app, QUOTA)
  const [hash = Buffer.alloc(32)] = hashes
  await database.admin.query('alter table api_key_windows rename to gone')
  const failed = await Promise.allSettled([1, 2, 3, 4].map(() => authenticator.authenticate(hash)))
  assert.deepEqual(
    failed.map(({ status }) => status),
    Array(4).fill('rejected'),
  )
  await database.admin.query('alter table gone rename to api_key_windows')
  assert.equal((await authenticator.authenticate(hash))?.used, 1)
})

async function keys(count: number): Promise<{ database: TestDatabase; hashes: Buffer[] }> {
  const database = await fixture.openDatabase()
  const orgId = await database.createOrganization()
  const hashes = Array.from({ length: count }, (_, i) => Buffer.alloc(32, 100 + i))
  await database.engine.transaction(undefined, async (tx) => {
    for (const hash of hashes) {
      const id = uuidV7({ unixMicros: 1_800_000_000_000_000n, sequence: serial++, random: hash })
      const key = {
        id,
        orgId,
        name: 'Key',
        access: 'FULL' as const,
        hash,
        last4: 'abcd',
        expiresAt: null,
        mcpWrites: false,
      }
      await insertApiKey(tx, key)
    }
  })
  return { database, hashes }
}
