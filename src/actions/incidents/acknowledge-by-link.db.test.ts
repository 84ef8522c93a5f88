// Links in alerts: bound to an organization, an incident, a contact and a time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { toUuid } from '../../../test/db-kit/public-id.ts'
import { seedIncident } from '../../../test/db-kit/seed-incident.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import {
  type AcknowledgeLink,
  linkExpiry,
  linkLocation,
  toAcknowledgeToken,
} from '../../domain/alerts/acknowledge-link.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { createAlertContact } from '../alerts/create-contact.ts'
import { createMonitor } from '../monitors/create.ts'
import { acknowledgeByLink, readAcknowledgeLink } from './acknowledge-by-link.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
const WAY = { baseUrl: 'https://up.example', canMail: false }

async function openTenancy() {
  const database = await fixture.openDatabase()
  const { tenants, admin } = database
  const orgId = await database.createOrganization()
  const contact = (name: string) =>
    tenants.transaction(orgId, (tx) =>
      createAlertContact(
        tx,
        {
          name,
          channel: 'SLACK',
          settings: { url: 'https://hooks.example/x' },
          enabled: true,
          rules: RULES,
        },
        'ALL',
        WAY,
      ),
    )
  const incident = async (name: string) => {
    const { uuid } = await tenants.transaction(orgId, (tx) =>
      createMonitor(tx, sampleSettings({ name })),
    )
    return toUuid((await seedIncident(admin, toPublicId('mon', uuid))) ?? '')
  }
  return { database, tenants, admin, orgId, contact, incident }
}

const tokenFor = async (tenant: Tenant, link: AcknowledgeLink) =>
  toAcknowledgeToken(link, (await tenant.cipher()).seal(linkLocation(link), ''))

test('a link acknowledges once, in the name of its contact', async () => {
  const { tenants, admin, orgId, contact, incident } = await openTenancy()
  const [{ uuid: contactUuid }, incidentUuid] = [await contact('Ops'), await incident('Shop')]
  const expiresAt = linkExpiry(new Date())
  const link = { orgId, incidentUuid, contactUuid, expiresAt }
  const token = await tokenFor(tenants.of(orgId), link)
  const read = await readAcknowledgeLink(tenants.of(orgId), token, new Date())
  assert.deepEqual([read?.monitor, read?.contact, read?.acknowledgedBy], ['Shop', 'Ops', null])
  const act = () => tenants.transaction(orgId, (tx) => acknowledgeByLink(tx, token))
  assert.equal((await act())?.acknowledgedBy, 'Ops')
  assert.equal((await act())?.acknowledgedBy, 'Ops')
  const { rows } = await admin.query(
    `select acknowledged_by_type as type, acknowledged_by_id as id from incidents where id = $1`,
    [incidentUuid],
  )
  assert.deepEqual(rows, [{ type: 'ALERT_CONTACT', id: contactUuid }])
  const { rows: audit } = await admin.query(
    `select actor_type as type, action, resource_name as name from audit_log where actor_id = $1`,
    [contactUuid],
  )
  assert.deepEqual(audit, [{ type: 'ALERT_CONTACT', action: 'acknowledgeIncident', name: 'Shop' }])
})

test('of ten at once one counts, and one is in the audit log', async () => {
  const { tenants, admin, orgId, contact, incident } = await openTenancy()
  const incidentUuid = await incident('Shop')
  const expiresAt = linkExpiry(new Date())
  const tokens: string[] = []
  for (let i = 0; i < 10; i += 1) {
    const { uuid: contactUuid } = await contact(`Contact ${i}`)
    const link = { orgId, incidentUuid, contactUuid, expiresAt }
    tokens.push(await tokenFor(tenants.of(orgId), link))
  }
  const answers = await Promise.all(
    tokens.map((token) => tenants.transaction(orgId, (tx) => acknowledgeByLink(tx, token))),
  )
  assert.equal(new Set(answers.map((answer) => answer?.acknowledgedBy)).size, 1)
  const { rows } = await admin.query(
    `select actor_name as name from audit_log where org_id = $1 and action = 'acknowledgeIncident'`,
    [orgId],
  )
  assert.deepEqual(rows, [{ name: answers[0]?.acknowledgedBy }])
})

test('a link only shows its incident a day later, and is refused after weeks, for another incident or contact, and by another organization', async () => {
  const { database, tenants, orgId, contact, incident } = await openTenancy()
  const [ops, other] = [await contact('Ops'), await contact('Other')]
  const [shop, blog] = [await incident('Shop'), await incident('Blog')]
  const strangerOrg = await database.createOrganization()
  const now = new Date()
  const own: AcknowledgeLink = {
    orgId,
    incidentUuid: shop,
    contactUuid: ops.uuid,
    expiresAt: linkExpiry(now),
  }
  const tenant = tenants.of(orgId)
  const proof = (await tenant.cipher()).seal(linkLocation(own), '')
  const foreign = (await tenants.of(strangerOrg).cipher()).seal(linkLocation(own), '')
  const text = (await tenant.cipher()).seal(linkLocation(own), 'something else')
  const dayLater = new Date(own.expiresAt.getTime())
  const later = new Date(own.expiresAt.getTime() + 1)
  const weeksLater = new Date(own.expiresAt.getTime() + 30 * 86_400_000)
  // biome-ignore format: a table is read by its columns
  const rows: [what: string, token: string, at: Date, works: boolean | undefined][] = [
    ['the link itself',           toAcknowledgeToken(own, proof),                                  now,      true],
    ['a moment before its end',   toAcknowledgeToken(own, proof),                                  new Date(dayLater.getTime() - 1), true],
    ['at its end',                toAcknowledgeToken(own, proof),                                  dayLater, false],
    ['weeks later',               toAcknowledgeToken(own, proof),                                  weeksLater, undefined],
    ['with a later end',          toAcknowledgeToken({ ...own, expiresAt: later }, proof),         now,      undefined],
    ['for another incident',      toAcknowledgeToken({ ...own, incidentUuid: blog }, proof),       now,      undefined],
    ['for another contact',       toAcknowledgeToken({ ...own, contactUuid: other.uuid }, proof),  now,      undefined],
    ['of another organization',   toAcknowledgeToken({ ...own, orgId: strangerOrg }, proof),       now,      undefined],
    ['by another key',            toAcknowledgeToken(own, foreign),                                now,      undefined],
    ['of something else sealed',  toAcknowledgeToken(own, text),                                   now,      undefined],
    ['without a proof',           toAcknowledgeToken(own, Buffer.alloc(1)),                        now,      undefined],
  ]
  for (const [what, token, at, works] of rows)
    assert.equal((await readAcknowledgeLink(tenant, token, at))?.works, works, what)
  const nowhere = '01a1dde6-483f-73d3-8001-df43e965a64e'
  const token = toAcknowledgeToken({ ...own, orgId: nowhere }, proof)
  assert.equal(await readAcknowledgeLink(tenants.of(nowhere), token, now), undefined)
})

test('a link ends with its incident, and with its contact', async () => {
  const { tenants, admin, orgId, contact, incident } = await openTenancy()
  const [{ uuid: contactUuid }, incidentUuid] = [await contact('Ops'), await incident('Shop')]
  const link = { orgId, incidentUuid, contactUuid, expiresAt: linkExpiry(new Date()) }
  const token = await tokenFor(tenants.of(orgId), link)
  const act = () => tenants.transaction(orgId, (tx) => acknowledgeByLink(tx, token))
  await admin.query(
    `update incidents set resolved_at = now(), resolution = 'RECOVERED' where id = $1`,
    [incidentUuid],
  )
  assert.equal(await act(), undefined)
  await admin.query(`update incidents set resolved_at = null, resolution = null where id = $1`, [
    incidentUuid,
  ])
  await admin.query(`delete from alert_contacts where id = $1`, [contactUuid])
  assert.equal(await act(), undefined)
})
