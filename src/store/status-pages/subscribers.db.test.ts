// Subscribers on a real PostgreSQL: one per address and page, unreadable without the key, and fully deleted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { makePage } from '../../../test/db-kit/status-page.ts'
import type { SubscriberEmail } from '../../actions/status-pages/fan-out-notices.ts'
import { subscribeToPage } from '../../actions/status-pages/subscribe.ts'
import { CONFIRM_WITHIN_DAYS } from '../../domain/status-pages/subscriber.ts'
import { OrganizationSecrets } from '../core/organization-secrets.ts'
import { decryptMessage } from '../deliveries/receivers.ts'
import { findRecipients } from './recipients.ts'
import * as subscribers from './subscribers.ts'

const ANA = 'Ana.Kovac@example.com'
const MAX_WAITING = 5_000

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('an address that asks is kept once, sealed, and gets one mail that asks to confirm', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  const [row] = await context.rows()
  assert.ok(row)
  assert.equal(row['confirmed_at'], null)
  const written = Object.values(row).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
  )
  assert.doesNotMatch(written.join(' '), /kovac|example/i)
  assert.deepEqual(await context.mails(), [{ kind: 'CONFIRM', subscriberUuid: row['id'] }])
})

test('the same address in other letters is the same, and hears nothing for a while', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  await context.ask(ANA.toUpperCase().replace('EXAMPLE.COM', 'example.com'))
  assert.equal((await context.rows()).length, 1)
  assert.equal((await context.mails()).length, 1)
})

test('twenty at the same moment are one subscriber and one mail', async () => {
  const context = await openFixture()
  await Promise.all(Array.from({ length: 20 }, () => context.ask(ANA)))
  assert.equal((await context.rows()).length, 1)
  assert.equal((await context.mails()).length, 1)
})

test('another page and another organization know nothing of it, and hash it differently', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  const other = await context.openOther()
  await other.ask(ANA)
  const hashes = (await context.allRows()).map((row) => String(row['email_hash']))
  assert.equal(new Set(hashes).size, 2)
  const [mine] = await context.rows()
  assert.equal(await subscribers.findSubscriber(other.tenant, String(mine?.['id'])), undefined)
  assert.equal(await subscribers.deleteSubscriber(other.tenant, String(mine?.['id'])), false)
})

test('who has not confirmed may choose anew by asking again; who has, only by his own link', async () => {
  const context = await openFixture()
  const [api, web] = context.page.components
  assert.ok(api && web)
  await context.ask(ANA, [api])
  await context.age('10 minutes')
  await context.ask(ANA, [web])
  assert.deepEqual((await context.rows())[0]?.['component_ids'], [web])

  await context.run('update page_subscribers set confirmed_at = now()')
  await context.age('2 days')
  await context.ask(ANA, null)
  assert.deepEqual(
    (await context.rows())[0]?.['component_ids'],
    [web],
    'a stranger changes nothing',
  )
  const [id] = (await context.rows()).map((row) => String(row['id']))
  const kinds = (await context.mails()).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['CONFIRM', 'CONFIRM', 'REMIND'])
  assert.equal(await subscribers.chooseComponents(context.tenant, id ?? '', null), true)
  assert.equal((await context.rows())[0]?.['component_ids'], null)
})

test('a link confirms for two days, once and for all', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  const [row] = await context.rows()
  const uuid = String(row?.['id'])
  const confirm = () =>
    context.database.tenants.transaction(context.orgId, (tx) =>
      subscribers.confirm(tx, uuid, CONFIRM_WITHIN_DAYS),
    )
  await context.age('2 days')
  assert.equal(await confirm(), false)
  assert.equal((await context.rows())[0]?.['confirmed_at'], null)
  await context.run(`update page_subscribers set asked_at = now() - interval '47 hours'`)
  assert.equal(await confirm(), true)
  const first = (await context.rows())[0]?.['confirmed_at']
  await context.age('30 days')
  assert.equal(await confirm(), true)
  assert.deepEqual((await context.rows())[0]?.['confirmed_at'], first)
})

test('a token leads to its own subscriber and no other; the table holds none that works', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  await context.ask('eve@example.com')
  const found = await findRecipients(
    context.database.engine,
    context.secrets,
    (await context.rows()).map((row) => String(row['id'])),
  )
  assert.deepEqual(
    new Set([...found.values()].map(({ address }) => address)),
    new Set([ANA, 'eve@example.com']),
  )
  for (const { token, uuid } of found.values()) {
    assert.match(token, /^[\w-]{43}$/)
    const holder = await subscribers.findTokenHolder(context.database.app, token)
    assert.deepEqual(holder, { orgId: context.orgId, pageUuid: context.page.uuid, uuid })
  }
  const [row] = await context.rows()
  for (const stored of [row?.['token'], row?.['token_hash']]) {
    const bytes = stored as Buffer
    for (const guess of [
      bytes.toString('base64url'),
      bytes.toString('hex'),
      bytes.toString('latin1'),
    ])
      assert.equal(await subscribers.findTokenHolder(context.database.app, guess), undefined)
  }
})

test('a row copied over another one does not open', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  await context.ask('eve@example.com')
  await context.run(
    `update page_subscribers set email = (select email from page_subscribers order by id limit 1)`,
  )
  const ids = (await context.rows()).map((row) => String(row['id']))
  await assert.rejects(findRecipients(context.database.engine, context.secrets, ids))
})

test('who never confirmed is forgotten after two days; who did, never', async () => {
  const context = await openFixture()
  for (const name of ['old', 'fresh', 'confirmed']) await context.ask(`${name}@example.com`)
  const [old, , confirmed] = (await context.rows()).map((row) => row['id'])
  await context.run(
    `update page_subscribers set asked_at = now() - interval '49 hours' where id in ($1, $2)`,
    [old, confirmed],
  )
  await context.run('update page_subscribers set confirmed_at = now() where id = $1', [confirmed])
  assert.equal(
    await subscribers.deleteUnconfirmed(context.database.engine, CONFIRM_WITHIN_DAYS, 100),
    1,
  )
  assert.deepEqual((await context.rows()).map((row) => row['id']).includes(old), false)
  assert.equal((await context.rows()).length, 2)
})

test('a page has room for so many who have not confirmed, and no more', async () => {
  const context = await openFixture()
  await context.run(
    `insert into page_subscribers (id, org_id, page_id, email, email_hash, token, token_hash, asked_at)
     select new_uuid(), $1, $2, '', sha256(n::text::bytea), '', sha256(('t' || n)::bytea), now()
       from generate_series(1, $3) n`,
    [context.orgId, context.page.uuid, MAX_WAITING],
  )
  await context.ask(ANA)
  assert.equal((await context.rows()).length, MAX_WAITING)
  assert.deepEqual(await context.mails(), [])
  await context.run(
    'update page_subscribers set confirmed_at = now() where id = (select min(id::text)::uuid from page_subscribers)',
  )
  await context.ask(ANA)
  assert.equal((await context.mails()).length, 1)
})

test('with the page go its subscribers and its secret', async () => {
  const context = await openFixture()
  await context.ask(ANA)
  await context.run('delete from status_pages')
  assert.deepEqual(await context.rows(), [])
  assert.equal(await context.text('select count(*)::text as text from page_mail_secrets'), '0')
})

type Row = Record<string, unknown>

async function openFixture(database?: TestDatabase) {
  const opened = database ?? (await fixture.openDatabase())
  const { admin, tenants, engine, masterKeys } = opened
  const orgId = await opened.createOrganization()
  const page = await makePage(opened, orgId, ['API', 'Website'])
  const secrets = new OrganizationSecrets(masterKeys)
  const run = async (text: string, values: unknown[] = []) => {
    await admin.query(text, values)
  }
  return {
    database: opened,
    orgId,
    page,
    secrets,
    run,
    tenant: tenants.of(orgId),
    openOther: () => openFixture(opened),
    ask: (address: string, componentUuids: readonly string[] | null = null) =>
      tenants.transaction(orgId, (tx) =>
        subscribeToPage(tx, { pageUuid: page.uuid, address, componentUuids }),
      ),
    age: (by: string) => run(`update page_subscribers set asked_at = asked_at - interval '${by}'`),
    async rows(): Promise<Row[]> {
      return (
        await admin.query('select * from page_subscribers where page_id = $1 order by id', [
          page.uuid,
        ])
      ).rows
    },
    async allRows(): Promise<Row[]> {
      return (await admin.query('select * from page_subscribers')).rows
    },
    async text(query: string): Promise<string> {
      return (await admin.query<{ text: string }>(query)).rows[0]?.text ?? ''
    },
    async mails(): Promise<SubscriberEmail[]> {
      type Delivery = { deliveryId: string; orgId: string; message: Buffer }
      const { rows } = await admin.query<Delivery>(
        `select id as "deliveryId", org_id as "orgId", message from deliveries
          where channel = 'EMAIL' and endpoint_id = $1 order by id`,
        [orgId],
      )
      return Promise.all(rows.map((row) => decryptMessage<SubscriberEmail>(engine, secrets, row)))
    },
  }
}
