import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { UsageError } from '../cli/flags.ts'
import { changeOrganization, createOrganization, listOrganizations } from './organizations.ts'

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const create = () =>
  createOrganization(database.engine, new OrganizationSecrets(database.masterKeys), {
    name: 'Team',
    plan: 'UNLIMITED',
  })
const planOf = async (id: string) => {
  const found = (await listOrganizations(database.engine)).find((one) => one.id === id)
  return [found?.plan, found?.subscription]
}
const pastDueSince = async () => {
  const [row] = await database.admin
    .query('select past_due_since as at from subscriptions where past_due_since is not null')
    .then(({ rows }) => rows as { at: Date }[])
  return row?.at.getTime()
}

test('org change: what is given changes, the rest stays', async () => {
  const { id } = await create()
  await changeOrganization(database.engine, { id, plan: 'PRO' })
  assert.deepEqual(await planOf(id), ['PRO', 'ACTIVE'])
  await changeOrganization(database.engine, { id, subscription: 'CANCELED' })
  assert.deepEqual(await planOf(id), ['PRO', 'CANCELED'])
})

test('org change: the days of grace begin once', async () => {
  const { id } = await create()
  await changeOrganization(database.engine, { id, subscription: 'PAST_DUE' })
  const since = await pastDueSince()
  await changeOrganization(database.engine, { id, subscription: 'PAST_DUE', plan: 'PRO' })
  assert.equal(await pastDueSince(), since)
  await changeOrganization(database.engine, { id, subscription: 'ACTIVE' })
  assert.equal(await pastDueSince(), undefined)
})

test('org change: what cannot be done is said', async () => {
  const { id } = await create()
  const { engine } = database
  const unknown = 'org_01m7ef2j5re008007k9b361f3r'
  await assert.rejects(changeOrganization(engine, { id: unknown, plan: 'PRO' }), UsageError)
  await assert.rejects(changeOrganization(engine, { id, plan: 'GOLD' }), UsageError)
  await assert.rejects(changeOrganization(engine, { id }), UsageError)
  assert.deepEqual(await planOf(id), ['UNLIMITED', 'ACTIVE'])
})
