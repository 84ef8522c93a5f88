import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import type { Proof } from '../../domain/status-pages/custom-domain.ts'
import { createStatusPage } from './create.ts'
import { settleDomain } from './settle-domain.ts'

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const settings = {
  name: 'Page',
  description: null,
  published: true,
  theme: 'SYSTEM',
  accentColor: null,
  logoUrl: null,
  faviconUrl: null,
  homepageUrl: null,
  supportUrl: null,
  locale: 'en',
  timezone: 'UTC',
  historyDays: 90,
  showUptime: true,
  showResponseTime: false,
  allowIndexing: true,
  subscribersEnabled: true,
} as const

/** Pages of different organizations that all claim one domain. */
async function claim(domain: string, count: number): Promise<string[]> {
  const pages: string[] = []
  for (let i = 0; i < count; i++) {
    const orgId = await database.createOrganization()
    const page = await database.tenants.transaction(orgId, (tx) =>
      createStatusPage(tx, { ...settings, customDomain: domain }),
    )
    pages.push(page.uuid)
  }
  return pages
}

const settle = (pageUuid: string | undefined, domain: string, proof: Proof) =>
  settleDomain(database.engine, { pageUuid: pageUuid ?? '', domain }, proof)

async function statuses(domain: string): Promise<string[]> {
  const { rows } = await database.admin.query<{ status: string }>(
    `select custom_domain_status as status from status_pages where custom_domain = $1 order by 1`,
    [domain],
  )
  return rows.map(({ status }) => status)
}

test('two claims of one domain: the proof decides, not who came first', async () => {
  const domain = 'status.decided.example'
  const [squatter, owner] = await claim(domain, 2)
  assert.deepEqual(await settle(squatter, domain, 'ABSENT'), {
    before: 'PENDING',
    after: 'PENDING',
  })
  assert.deepEqual(await settle(owner, domain, 'SEEN'), { before: 'PENDING', after: 'ACTIVE' })
  assert.deepEqual(await statuses(domain), ['ACTIVE', 'PENDING'])
})

test('a second claim with a proof of its own waits until the first gives the domain up', async () => {
  const domain = 'status.handed-over.example'
  const [first, second] = await claim(domain, 2)
  await settle(first, domain, 'SEEN')
  assert.deepEqual(await settle(second, domain, 'SEEN'), { before: 'PENDING', after: 'PENDING' })
  await database.admin.query(
    `update status_pages set custom_domain_checked_at = now() - interval '4 days' where id = $1`,
    [first],
  )
  await settle(first, domain, 'ABSENT')
  assert.deepEqual(await settle(second, domain, 'SEEN'), { before: 'PENDING', after: 'ACTIVE' })
  assert.deepEqual(await statuses(domain), ['ACTIVE', 'FAILED'])
})

test('eight proven claims settled at the same moment: one is served, nothing breaks', async () => {
  for (let round = 0; round < 5; round++) {
    const domain = `status.race-${round}.example`
    const pages = await claim(domain, 8)
    const settled = await Promise.all(pages.map((page) => settle(page, domain, 'SEEN')))
    assert.equal(settled.filter((outcome) => outcome?.after === 'ACTIVE').length, 1)
    assert.deepEqual(await statuses(domain), ['ACTIVE', ...Array(7).fill('PENDING')])
  }
})

test('a claim that stays failed for 7 days is released, and only then', async () => {
  const domain = 'status.released.example'
  const [page] = await claim(domain, 1)
  const age = (column: string, days: number) =>
    database.admin.query(
      `update status_pages set ${column} = now() - make_interval(days => $2) where id = $1`,
      [page, days],
    )
  await age('updated_at', 3)
  assert.equal((await settle(page, domain, 'ABSENT'))?.after, 'FAILED')
  assert.equal((await settle(page, domain, 'ABSENT'))?.after, 'FAILED')
  await age('custom_domain_failed_at', 8)
  assert.deepEqual(await settle(page, domain, 'ABSENT'), { before: 'FAILED', after: 'NONE' })
  const { rows } = await database.admin.query(
    `select custom_domain, custom_domain_status, custom_domain_checked_at, custom_domain_failed_at,
            updated_at > now() - interval '1 minute' as "isChanged"
       from status_pages where id = $1`,
    [page],
  )
  const released = { custom_domain: null, custom_domain_status: 'NONE', isChanged: true }
  assert.deepEqual(rows, [
    { ...released, custom_domain_checked_at: null, custom_domain_failed_at: null },
  ])
})

test('a claim that failed, was proven and failed again has 7 days once more', async () => {
  const domain = 'status.again.example'
  const [page] = await claim(domain, 1)
  const set = (assignments: string) =>
    database.admin.query(`update status_pages set ${assignments} where id = $1`, [page])
  await set(`custom_domain_status = 'FAILED', custom_domain_failed_at = now() - interval '6 days'`)
  await settle(page, domain, 'SEEN')
  await set(`custom_domain_checked_at = now() - interval '4 days'`)
  await settle(page, domain, 'ABSENT')
  await set(`custom_domain_failed_at = custom_domain_failed_at - interval '2 days'`)
  assert.equal((await settle(page, domain, 'ABSENT'))?.after, 'FAILED')
})
