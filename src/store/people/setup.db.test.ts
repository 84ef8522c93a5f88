// Who may create the first account, depending on the database. Each statement must hold by itself: another process may
// act between two of them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { Database } from '../core/db.ts'
import { claimSetup, completeSetup, isSetupLink, isSetupOpen, offerSetup } from './setup.ts'

let fixture: DbFixture
let database: TestDatabase
let people: Database

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  const url = fixture.postgres.databaseUrl(database.name)
  people = new Database({ url, role: 'upvane_people', connections: 1 }, () => {})
})
after(async () => {
  await people?.close()
  await fixture?.stop()
})

type Row = 'NONE' | 'OFFERED' | 'COMPLETED' | 'COMPLETED, LINK LEFT'

// biome-ignore format: a table is read by its columns
const rows: [row: Row, somebody: boolean, may: { offer: boolean; claim: boolean; link: boolean; complete: boolean }][] = [
  ['NONE',                 false, { offer: true,  claim: true,  link: false, complete: false }],
  ['NONE',                 true,  { offer: false, claim: false, link: false, complete: false }],
  ['OFFERED',              false, { offer: true,  claim: true,  link: true,  complete: true }],
  ['OFFERED',              true,  { offer: false, claim: false, link: false, complete: false }], // the operator was faster
  ['COMPLETED',            false, { offer: false, claim: false, link: false, complete: false }], // and all accounts were deleted
  ['COMPLETED',            true,  { offer: false, claim: false, link: false, complete: false }],
  ['COMPLETED, LINK LEFT', false, { offer: false, claim: false, link: false, complete: false }],
]

for (const [row, hasUser, may] of rows)
  test(`setup: ${row.toLowerCase()}, ${hasUser ? 'somebody exists' : 'nobody exists'}`, async () => {
    const token = randomBytes(32)
    const asked = {
      offer: () => offerSetup(people, randomBytes(32)),
      claim: () => claimSetup(people),
      link: () => isSetupLink(people, token),
      complete: () => completeSetup(people, token),
    }
    const told: Record<string, boolean> = {}
    for (const [what, ask] of Object.entries(asked)) {
      await stand(row, hasUser, token)
      told[what] = await ask()
    }
    assert.deepEqual(told, may)
    assert.equal(await isSetupOpen(people), !hasUser)
  })

async function stand(row: Row, hasUser: boolean, token: Buffer): Promise<void> {
  const { admin } = database
  await admin.query('delete from setup')
  await admin.query('delete from users')
  if (row !== 'NONE')
    await admin.query('insert into setup (token_hash, completed_at) values ($1, $2)', [
      row === 'COMPLETED' ? null : token,
      row === 'OFFERED' ? null : new Date(),
    ])
  if (hasUser)
    await admin.query(
      `insert into users (id, email, name) values (new_uuid(), 'ana@example.com', 'Ana')`,
    )
}
