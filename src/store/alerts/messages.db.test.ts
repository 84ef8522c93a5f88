// What providers call our messages is found again for the same contact and thread, and for no other; every channel of the
// code can be stored.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { createAlertContact } from '../../actions/alerts/create-contact.ts'
import { queueAlert } from '../../actions/alerts/queue-alert.ts'
import { type ContactChannel, SHARED_CHANNELS } from '../../domain/alerts/channels.ts'
import type { AlertContact } from '../../domain/alerts/contact.ts'
import { ALERT_STATES } from '../../domain/alerts/model.ts'
import { testAlert } from '../../domain/alerts/text.ts'
import { findReferences, recordReference } from './messages.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const RULES = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
const BASE_URL = 'https://up.example'
const WAY = { baseUrl: BASE_URL, canMail: false }
const MAX_REFERENCE = 300
const THREAD = '01a1dde6-483f-73d3-8001-df43e965a64e'
const OTHER_THREAD = '01a1dde6-483f-73d3-8001-df43e965a64f'

async function openFixture() {
  const database = await fixture.openDatabase()
  const { tenants, engine } = database
  const orgId = await database.createOrganization()
  return {
    engine,
    create: (channel: ContactChannel) =>
      tenants.transaction(orgId, (tx) => {
        const wish = { name: channel, channel, settings: {}, enabled: true, rules: RULES }
        return createAlertContact(tx, wish, [], WAY)
      }),
    /** The uuid of its delivery. */
    send: (contact: AlertContact, thread: string) =>
      tenants.transaction(orgId, async (tx) => {
        const setting = { organization: 'Acme', baseUrl: BASE_URL, timezone: 'UTC', at: tx.now }
        const alert = { ...testAlert('x', setting), kind: 'DOWN' as const }
        const owner = { orgId, cipher: await tx.cipher() }
        return queueAlert(tx, owner, {
          contact,
          alert,
          thread,
          incidentUuids: [],
          baseUrl: BASE_URL,
        })
      }),
  }
}

test('every channel can be stored', async () => {
  const { create } = await openFixture()
  for (const channel of SHARED_CHANNELS) assert.equal((await create(channel)).channel, channel)
})

test('a reference is found by later messages of its thread, to its contact only', async () => {
  const { engine, create, send } = await openFixture()
  const [github, gitlab] = [await create('GITHUB_ISSUES'), await create('GITLAB_ISSUES')]
  const first = await send(github, THREAD)
  await recordReference(engine, first, '41')
  const later = await send(github, THREAD)
  const elsewhere = [await send(gitlab, THREAD), await send(github, OTHER_THREAD)]
  const found = await findReferences(engine, [later, ...elsewhere])
  assert.deepEqual([...found], [[later, '41']])

  // Of two, the one that began the thread.
  await recordReference(engine, later, '42')
  const last = await send(github, THREAD)
  assert.deepEqual([...(await findReferences(engine, [last]))], [[last, '41']])
})

test('a reference that is too long is none', async () => {
  const { engine, create, send } = await openFixture()
  const matrix = await create('MATRIX')
  const first = await send(matrix, THREAD)
  const next = await send(matrix, THREAD)
  await recordReference(engine, first, '$'.repeat(MAX_REFERENCE + 1))
  assert.equal((await findReferences(engine, [next])).size, 0)
  await recordReference(engine, first, '$'.repeat(MAX_REFERENCE))
  assert.equal((await findReferences(engine, [next])).get(next)?.length, MAX_REFERENCE)
})
