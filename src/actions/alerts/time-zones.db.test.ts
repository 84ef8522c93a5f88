// An email writes times in the zone that its reader chose.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { toCheckedAgainNotice } from '../../domain/alerts/owners/monitor-notice.ts'
import type { AccountEmail } from '../../domain/people/account-email.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { notifyOwners } from '../organizations/notify-owners.ts'
import { createAlertContact } from './create-contact.ts'
import { queueOwnerEmails } from './queue-owner-emails.ts'
import { testAlertContact } from './test-contact.ts'

const BASE_URL = 'https://up.example'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

async function openFixture() {
  const database = await fixture.openDatabase()
  const { tenants, admin, engine } = database
  const orgId = await database.createOrganization()
  const secrets = new OrganizationSecrets(database.masterKeys)
  await admin.query(`update organizations set timezone = 'Europe/Berlin' where id = $1`, [orgId])
  return {
    tenants,
    engine,
    orgId,
    secrets,
    member: (email: string, timezone: string | null) =>
      admin.query(
        `with person as (
           insert into users (id, email, name, timezone) values (new_uuid(), $2, 'Ana', $3) returning id
         ) insert into members (org_id, user_id, role) select $1, id, 'OWNER' from person`,
        [orgId, email, timezone],
      ),
    /** Of each queued email, in order. */
    async queued<Email extends AlertEmail | AccountEmail>(): Promise<Email[]> {
      const { rows } = await admin.query<{ id: string; message: Buffer }>(
        `select id, message from deliveries where org_id = $1 order by id`,
        [orgId],
      )
      const open = ({ id: deliveryId, message }: (typeof rows)[number]) =>
        decryptMessage<Email>(engine, secrets, { orgId, deliveryId, message })
      return Promise.all(rows.map(open))
    },
  }
}

test('an alert to the address of a member is in their zone, unless its quiet hours name one', async () => {
  const { tenants, orgId, member, queued } = await openFixture()
  await member('ana@example.com', 'Asia/Kolkata')
  await member('bob@example.com', null)
  const quiet = { from: '22:00', to: '06:00', zone: 'America/New_York' }
  const contacts = [
    ['Ana@example.com', null],
    ['bob@example.com', null],
    ['ana@example.com', quiet],
  ] as const
  for (const [address, hours] of contacts)
    await tenants.transaction(orgId, async (tx) => {
      const rules = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: hours }
      const wish = {
        name: address,
        channel: 'EMAIL',
        settings: { address },
        enabled: true,
      } as const
      const way = { baseUrl: BASE_URL, canMail: false }
      const { uuid } = await createAlertContact(tx, { ...wish, rules }, 'ALL', way)
      await testAlertContact(tx, uuid, BASE_URL)
    })
  const summaries = (await queued<AlertEmail>()).map(({ alert }) => alert.summary)
  assert.match(summaries[0] ?? '', / IST\b/)
  assert.match(summaries[1] ?? '', / CES?T\b/)
  assert.match(summaries[2] ?? '', /E[SD]T/)
})

test('each owner reads in their own zone, or in that of the organization', async () => {
  const { tenants, engine, orgId, secrets, member, queued } = await openFixture()
  await member('ana@example.com', 'Asia/Kolkata')
  await member('bob@example.com', null)
  await engine.transaction(undefined, async (tx) => {
    const owner = { orgId, cipher: await secrets.cipherOf(tx, orgId) }
    const setting = { organization: 'Acme', baseUrl: BASE_URL, at: tx.now }
    await queueOwnerEmails(tx, owner, (timezone) => [
      toCheckedAgainNotice(orgId, { ...setting, timezone }),
    ])
  })
  const eraseAt = new Date('2030-01-15T12:00:00Z')
  await tenants.transaction(orgId, (tx) =>
    notifyOwners(tx, { deletedBy: 'Ana', eraseAt, baseUrl: BASE_URL }),
  )
  const emails = await queued<AlertEmail | AccountEmail>()
  const zones = emails.map((email) =>
    email.kind === 'ALERT' ? email.alert.summary : (email.timezone ?? ''),
  )
  assert.equal(zones.length, 4)
  const of = (to: string) => emails.flatMap((email, at) => (email.to === to ? zones[at] : []))
  const [anas, bobs] = [of('ana@example.com'), of('bob@example.com')]
  assert.match(anas[0] ?? '', / IST\b/)
  assert.match(bobs[0] ?? '', / CES?T\b/)
  assert.deepEqual([anas[1], bobs[1]], ['Asia/Kolkata', 'Europe/Berlin'])
})
