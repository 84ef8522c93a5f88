// Undelivered alerts are settled once and owners notified once, however many processes run at the same time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { testAlert } from '../../domain/alerts/text.ts'
import { settleSent } from '../../store/alerts/messages.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { findOrganizationsWithLostAlerts } from '../../store/deliveries/failing-contacts.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { createAlertContact } from './create-contact.ts'
import { queueAlert } from './queue-alert.ts'
import { settleLostAlerts } from './settle-lost-alerts.ts'
import { testAlertContact } from './test-contact.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
const BASE_URL = 'https://up.example'
const WAY = { baseUrl: BASE_URL, canMail: false }

async function openFixture() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  const url = { url: 'https://hooks.example/x' }
  const wish = { name: 'Ops', channel: 'SLACK' as const, settings: url, enabled: true }
  const contact = await tenants.transaction(orgId, (tx) =>
    createAlertContact(tx, { ...wish, rules: RULES }, 'ALL', WAY),
  )
  const member = (email: string, role: string, isOpen = true) =>
    admin.query(
      `with person as (
         insert into users (id, email, name, disabled_at)
         values (new_uuid(), $2, 'Ana', case when $4 then null else now() end) returning id
       ) insert into members (org_id, user_id, role) select $1, id, $3 from person`,
      [orgId, email, role, isOpen],
    )
  return {
    admin,
    engine,
    orgId,
    contact,
    member,
    settle: () => settleLostAlerts({ database: engine, secrets, baseUrl: BASE_URL }, orgId),
    test: () => tenants.transaction(orgId, (tx) => testAlertContact(tx, contact.uuid, BASE_URL)),
    /** A queued alert that ended with this status. */
    alert: (status: 'FAILED' | 'SUCCEEDED', error = 'BAD_STATUS') =>
      tenants.transaction(orgId, async (tx) => {
        const setting = { organization: 'Acme', baseUrl: BASE_URL, timezone: 'UTC', at: tx.now }
        const alert = { ...testAlert('x', setting), kind: 'DOWN' as const, title: 'Shop is down' }
        const owner = { orgId, cipher: await tx.cipher() }
        const made = { contact, alert, thread: tx.newUuid(), incidentUuids: [], baseUrl: BASE_URL }
        const uuid = await queueAlert(tx, owner, made)
        await tx.query(END, [uuid, status, error])
      }),
    async letters() {
      const { rows } = await admin.query<{ id: string; message: Buffer }>(
        `select id, message from deliveries where org_id = $1 and channel = 'EMAIL' order by id`,
        [orgId],
      )
      const open = ({ id, message }: (typeof rows)[number]) =>
        decryptMessage<AlertEmail>(engine, secrets, { orgId, deliveryId: id, message })
      const mails = await Promise.all(rows.map(open))
      return mails.map(({ to, alert, recipient }) => `${recipient} ${to}: ${alert.title}`)
    },
  }
}

const END = {
  name: 'end-for-test',
  text: `update deliveries set status = $2, last_error = $3, next_attempt_at = null, completed_at = now() where id = $1`,
}

test('a lost alert is told to the owners once, by however many look', async () => {
  const fixture = await openFixture()
  await fixture.member('ana@example.com', 'OWNER')
  await fixture.member('gone@example.com', 'OWNER', false)
  await fixture.member('bob@example.com', 'ADMIN')
  await fixture.alert('FAILED')
  assert.deepEqual(await findOrganizationsWithLostAlerts(fixture.engine, 10), [fixture.orgId])
  await Promise.all(Array.from({ length: 6 }, () => fixture.settle()))
  await fixture.alert('FAILED')
  await fixture.settle()
  assert.deepEqual(await fixture.letters(), ['OWNER ana@example.com: An alert to Ops failed'])
  assert.deepEqual(await findOrganizationsWithLostAlerts(fixture.engine, 10), [])
})

test('what arrived, what was overtaken and what was a test is told to nobody', async () => {
  const fixture = await openFixture()
  await fixture.member('ana@example.com', 'OWNER')
  await fixture.alert('SUCCEEDED')
  await fixture.alert('FAILED', 'It is over by now')
  const tested = await fixture.test()
  await fixture.engine.query(END, [tested, 'FAILED', 'BAD_STATUS'])
  assert.equal(await settleSent(fixture.engine, 10), 1)
  await fixture.settle()
  assert.deepEqual(await fixture.letters(), [])
  assert.deepEqual(await findOrganizationsWithLostAlerts(fixture.engine, 10), [])
})

test('one that is given up is told once more, and after a test anew', async () => {
  const fixture = await openFixture()
  await fixture.member('ana@example.com', 'OWNER')
  await fixture.alert('FAILED')
  await fixture.settle()
  await fixture.admin.query(
    `update receivers set enabled = false, disabled_reason = 'FAILING' where id = $1`,
    [fixture.contact.uuid],
  )
  await fixture.alert('FAILED', 'ENDPOINT_DISABLED')
  await fixture.settle()
  await fixture.alert('FAILED', 'ENDPOINT_DISABLED')
  await fixture.settle()
  const told = ['An alert to Ops failed', 'Ops no longer gets alerts']
  const letter = (title: string) => `OWNER ana@example.com: ${title}`
  assert.deepEqual(await fixture.letters(), told.map(letter))
  await fixture.test()
  await fixture.alert('FAILED')
  await fixture.settle()
  assert.deepEqual(await fixture.letters(), [...told, ...told.slice(0, 1)].map(letter))
})
