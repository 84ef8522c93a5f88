import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { createStatusPage, type NewPage } from '../../actions/status-pages/create.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { runOutsideTransactionScope } from '../../platform/transaction-scope.ts'
import type { TenantTx } from '../core/tenants.ts'
import { findPage, findTakenAddresses, insertPage, updatePage } from './status-pages.ts'

let fixture: DbFixture
let database: TestDatabase
let ours: string
let theirs: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  ours = await database.createOrganization()
  theirs = await database.createOrganization()
})
after(() => fixture.stop())

const page = (fields: Partial<NewPage> = {}) => ({
  name: 'Page',
  description: null,
  published: true,
  customDomain: null,
  theme: 'SYSTEM' as const,
  accentColor: null,
  logoUrl: null,
  faviconUrl: null,
  homepageUrl: null,
  supportUrl: null,
  locale: 'en' as const,
  timezone: 'UTC',
  historyDays: 90,
  showUptime: true,
  showResponseTime: false,
  allowIndexing: true,
  subscribersEnabled: true,
  ...fields,
})
const run = <T>(orgId: string, work: (tx: TenantTx) => Promise<T>) =>
  database.tenants.transaction(orgId, work)

test('taken addresses: names of every organization, and none that was not asked for', async () => {
  const foreign = await run(theirs, (tx) =>
    createStatusPage(tx, page({ slug: 'theirs', customDomain: 'status.theirs.example' })),
  )
  await database.admin.query(
    `update status_pages set custom_domain_status = 'ACTIVE' where id = $1`,
    [foreign.uuid],
  )
  const wanted = ['theirs', 'status.theirs.example', 'free', 'status.free.example']
  const taken = await run(ours, (tx) => findTakenAddresses(tx, wanted, null))
  assert.deepEqual([...taken].toSorted(), ['status.theirs.example', 'theirs'])
  const own = await run(theirs, (tx) => findTakenAddresses(tx, wanted, foreign.uuid))
  assert.equal(own.size, 0)
  assert.equal(await findPage(database.tenants.of(ours), foreign.uuid), undefined)
})

test('a slug that is being taken in a transaction under way: who comes second waits, and is refused', async () => {
  const outcomes: boolean[] = []
  let second: Promise<void> | undefined
  await run(ours, async (tx) => {
    outcomes.push(await insertPage(tx, tx.newUuid(), { ...page(), slug: 'contested' }, null))
    second = runOutsideTransactionScope(() =>
      run(theirs, async (other) => {
        const made = { ...page(), slug: 'contested' }
        outcomes.push(await insertPage(other, other.newUuid(), made, null))
      }),
    )
    await wait(100)
    assert.deepEqual(outcomes, [true])
  })
  await second
  assert.deepEqual(outcomes, [true, false])
})

test('a slug that is taken meanwhile by another page: the change is refused, not broken', async () => {
  await run(theirs, (tx) => createStatusPage(tx, page({ slug: 'held' })))
  const { uuid } = await run(ours, (tx) => createStatusPage(tx, page({ slug: 'mine' })))
  const saved = await run(ours, (tx) => updatePage(tx, uuid, { ...page(), slug: 'held' }))
  assert.equal(saved, false)
  assert.equal((await findPage(database.tenants.of(ours), uuid))?.slug, 'mine')
})

// What a foreign key does when a monitor is deleted. Without the index, each deletion would scan all components.
test('components are found by their monitor through an index, and incidents by their component', async () => {
  const monitor = await run(ours, (tx) => createMonitor(tx, sampleSettings()))
  const monitorIds = Array.from({ length: 200 }, () => toPublicId('mon', monitor.uuid))
  for (let n = 0; n < 20; n++) await run(theirs, (tx) => createStatusPage(tx, page()))
  await run(ours, (tx) => createStatusPage(tx, page({ monitorIds })))
  await database.admin.query(
    `insert into status_page_components (id, org_id, page_id, section_id, position, name)
     select new_uuid(), org_id, page_id, section_id, 0, 'C'
       from status_page_components, generate_series(1, 50)`,
  )
  await database.admin.query('analyze')
  const plan = async (text: string) => {
    const { rows } = await database.admin.query<Record<'QUERY PLAN', string>>(`explain ${text}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const byMonitor = `delete from status_page_components where org_id = '${ours}' and monitor_id = '${theirs}'`
  assert.match(await plan(byMonitor), /status_page_components_of_monitor/)
  await database.admin.query('set enable_seqscan = off')
  const byComponent = `delete from status_incident_components where org_id = '${ours}' and component_id = '${theirs}'`
  assert.match(await plan(byComponent), /status_incident_components_of/)
})
