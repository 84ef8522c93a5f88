// Account emails, from the queue to a real mail server.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { type SmtpSink, startSmtpSink } from '../../../test/kit/smtp-sink.ts'
import { queueAccountEmail } from '../../actions/people/queue-account-email.ts'
import type { AccountEmail } from '../../domain/people/account-email.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { emailChannel } from './email-channel.ts'

const DEADLINE_MS = 5_000
const MAIL: AccountEmail = {
  kind: 'INVITATION',
  to: 'bob@example.com',
  organization: 'Acme',
  invitedBy: 'Ana',
  role: 'MEMBER',
  link: 'https://upvane.example/invitation#secret-token',
  endsAt: '',
}

let fixture: DbFixture
let database: TestDatabase
let sink: SmtpSink

before(async () => {
  sink = await startSmtpSink()
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(async () => {
  await fixture.stop()
  await sink.close()
})

test('it is sent while its link works, and dropped for good when it does not any more', async () => {
  const good = await send(new Date(Date.now() + 60_000))
  assert.deepEqual([good.outcome, sink.to(MAIL.to).length], ['SUCCEEDED', 1])
  const late = await send(new Date(Date.now() - 1))
  assert.deepEqual([late.outcome, late.next, late.isReceiverFault], ['FAILED', 'OVER', false])
  assert.equal(late.error, 'Its link would not work any more')
  assert.equal(sink.to(MAIL.to).length, 1)
})

test('neither link nor address lies in the queue in clear', async () => {
  await send(new Date(Date.now() + 60_000))
  const { rows } = await database.admin.query(
    `select d::text || encode(message, 'escape') as row from deliveries d`,
  )
  assert.ok(rows.length > 0)
  assert.doesNotMatch(JSON.stringify(rows), /secret-token|bob@example/)
})

async function send(endsAt: Date) {
  const orgId = await database.createOrganization()
  await database.tenants.transaction(orgId, (tx) =>
    queueAccountEmail(tx, { ...MAIL, endsAt: endsAt.toISOString() }),
  )
  const { rows } = await database.admin.query<{ id: string; endpoint_id: string; message: Buffer }>(
    'select id, endpoint_id, message from deliveries where org_id = $1',
    [orgId],
  )
  const [row] = rows
  assert.ok(row)
  const relay = { host: '127.0.0.1', port: sink.port, security: 'NONE' as const }
  const channel = emailChannel({
    database: database.engine,
    secrets: new OrganizationSecrets(database.masterKeys),
    smtp: { relay: { ...relay, credentials: undefined }, from: 'people@upvane.example' },
    statusBaseUrl: 'http://localhost',
    log: pino({ level: 'silent' }),
    onRelayFailed() {},
  })
  const sending = {
    deliveryId: row.id,
    orgId,
    endpointId: row.endpoint_id,
    eventId: null,
    message: row.message,
    startedAt: new Date(),
  }
  try {
    return await (await channel.prepare([sending]))(sending, DEADLINE_MS)
  } finally {
    channel.close()
  }
}
