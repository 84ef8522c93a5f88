// Deliveries of channels other than webhooks share the same queue.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import type { ChannelName } from '../../domain/events/delivery.ts'
import { type EndedAttempt, LOST, type SendResult } from '../../domain/events/delivery-outcome.ts'
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/events/retry-schedule.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { listDeliveries } from '../../store/deliveries/deliveries.ts'
import {
  type ClaimedAttempt,
  findHorizon,
  findLostAttempts,
  readByIndex,
} from '../../store/deliveries/queue.ts'
import { FIRST_ENDPOINT } from '../../store/deliveries/receiver-queues.ts'
import { decryptMessage, deleteReceiver, queueMessages } from '../../store/deliveries/receivers.ts'
import { claimIn } from './claim.ts'
import { settle, settleIn } from './settle.ts'

type Mail = { to: string; subject: string }

const SENT: SendResult = {
  outcome: 'SUCCEEDED',
  durationMs: 5,
  url: null,
  responseStatus: 250,
  responseBody: '2.0.0 Ok: queued',
  retryAfter: undefined,
  errorCode: null,
  error: null,
  isReceiverFault: false,
  next: 'RETRY',
}
const UNKNOWN_RECIPIENT: SendResult = {
  ...SENT,
  outcome: 'FAILED',
  responseStatus: 550,
  errorCode: 'BAD_STATUS',
  error: 'Answered with SMTP 550',
  next: 'OVER',
}
const REFUSED: SendResult = {
  ...UNKNOWN_RECIPIENT,
  responseStatus: 500,
  error: 'Answered with HTTP 500',
  isReceiverFault: true,
  next: 'RETRY',
}
const NO_RELAY: SendResult = {
  ...UNKNOWN_RECIPIENT,
  responseStatus: null,
  errorCode: 'CONNECTION_FAILED',
  error: 'Connection refused',
  isReceiverFault: true,
  next: 'RETRY',
}

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('mails and webhooks are claimed together: 4 for each receiver, 32 for the organization', async () => {
  const opened = await openChannels()
  const lists = Array.from({ length: 6 }, () => randomUUID())
  for (const list of lists) await opened.mail(list, 50)
  const endpoints: string[] = []
  for (let i = 0; i < 6; i++) endpoints.push(await opened.addEndpoint(50))
  const claimed = await opened.claim()
  assert.equal(claimed.length, 32)
  for (const receiver of [...lists, ...endpoints]) {
    const taken = claimed.filter(({ endpointId }) => endpointId === receiver).length
    assert.ok(taken >= 2 && taken <= 4, `${taken}`)
  }
  const channels = Object.groupBy(claimed, ({ channel }) => channel)
  assert.ok(channels.EMAIL?.every(({ message }) => message !== null))
  assert.ok(channels.WEBHOOK?.every(({ message, eventId }) => message === null && eventId !== null))
})

test('what a mail carries opens for its own delivery only', async () => {
  const opened = await openChannels()
  await opened.mail(randomUUID(), 2)
  const [one, other] = await opened.claim()
  assert.ok(one?.message && other?.message)
  assert.deepEqual(await opened.open(one), { to: 'reader-0@example.com', subject: 'Hello' })
  await assert.rejects(opened.open({ ...one, message: other.message }))
})

test('a recipient who is refused ends his own delivery, and is not held against the others', async () => {
  const opened = await openChannels()
  const list = randomUUID()
  await opened.mail(list, 40)
  for (let round = 0; round < 5; round++) await opened.end(await opened.claim(), UNKNOWN_RECIPIENT)
  assert.equal(await opened.count(`status = 'FAILED' and attempt_count = 1`), 20)
  assert.equal((await opened.receiver(list))?.failures_in_a_row, 0)
  await opened.end(await opened.claim(), SENT)
  assert.equal(await opened.count(`status = 'SUCCEEDED'`), 4)
})

test('a relay that is away opens the breaker of the list, but never disables it', async () => {
  const opened = await openChannels()
  const list = randomUUID()
  await opened.mail(list, 40)
  for (let i = 0; i < 12; i++) {
    await opened.end(await opened.claim(), NO_RELAY)
    await opened.run(`update receivers set failing_since = now() - interval '6 days'`)
  }
  const held = await opened.receiver(list)
  assert.ok(held && held.failures_in_a_row >= 10 && held.next_probe_at !== null)
  assert.deepEqual(await opened.claim(), [], 'held')
  await opened.run(`update receivers set failures_in_a_row = 50, next_probe_at = now()`)
  assert.equal((await opened.claim()).length, 1, 'one probe')
  const [probe] = await opened.loseAll()
  assert.ok(probe)
  await opened.run(`update receivers set next_probe_at = now()`)
  assert.deepEqual(await opened.end(await opened.claim(), NO_RELAY), [])
  assert.equal((await opened.receiver(list))?.enabled, true)
})

test('a channel this process cannot send by is left to others', async () => {
  const opened = await openChannels()
  await opened.mail(randomUUID(), 3)
  await opened.addEndpoint(3)
  const claimed = await opened.claim(['WEBHOOK'])
  assert.deepEqual(new Set(claimed.map(({ channel }) => channel)), new Set(['WEBHOOK']))
  assert.equal((await opened.claim(['EMAIL'])).length, 3)
})

test('a mail whose process died is shown as lost and goes on by its schedule', async () => {
  const opened = await openChannels()
  await opened.mail(randomUUID(), 1)
  await opened.claim()
  const [lost] = await opened.loseAll()
  assert.equal(lost?.number, 1)
  assert.equal(await opened.count(`status = 'PENDING' and last_error = 'WORKER_LOST'`), 1)
})

test('with its receiver go its pending mails; the log of webhooks shows none of them', async () => {
  const opened = await openChannels()
  const list = randomUUID()
  await opened.mail(list, 3)
  await opened.addEndpoint(2)
  await opened.tenants.transaction(opened.orgId, (tx) => deleteReceiver(tx, list))
  assert.equal(await opened.count(`last_error = 'ENDPOINT_DELETED'`), 3)
  assert.equal((await opened.claim()).length, 2)
  const { total } = await listDeliveries(opened.tenants.of(opened.orgId), { limit: 10, offset: 0 })
  assert.equal(total, 2)
})

test("another organization's receiver takes no mail", async () => {
  const opened = await openChannels()
  const list = randomUUID()
  await opened.mail(list, 1)
  const other = await opened.createOrganization()
  await assert.rejects(opened.mail(list, 1, other), /not this organization's/)
})

test('that an endpoint fails is noted with the judgement itself, or not at all; also where no contact is', async () => {
  const opened = await openChannels()
  const endpointId = await opened.addEndpoint(4)
  const [first, second, third] = await opened.claim()
  assert.ok(first && second && third)
  await opened.run(`update webhook_endpoints set failing_since = now() - interval '25 hours'`)
  await opened.end([first], REFUSED)
  assert.deepEqual(await opened.noted(endpointId), { noted: 1, warned: true })

  await opened.addContact()
  await opened.run('update webhook_endpoints set warned_at = null')
  await assert.rejects(opened.settleAndFail([{ ...second, result: REFUSED }]), /on purpose/)
  assert.deepEqual(await opened.noted(endpointId), { noted: 1, warned: false })
  await opened.end([second], REFUSED)
  assert.deepEqual(await opened.noted(endpointId), { noted: 2, warned: true })
  await opened.end([second, third], REFUSED)
  assert.deepEqual(await opened.noted(endpointId), { noted: 2, warned: true })
})

test('an attempt that is recorded already is no reason to tell of anything', async () => {
  const opened = await openChannels()
  const endpointId = await opened.addEndpoint(1)
  await opened.addContact()
  const claimed = await opened.claim()
  await opened.end(claimed, REFUSED)
  await opened.run(`update webhook_endpoints set failing_since = now() - interval '25 hours'`)
  assert.deepEqual(await opened.end(claimed, REFUSED), [])
  assert.deepEqual(await opened.noted(endpointId), { noted: 0, warned: false })
})

test('a contact or a list that fails is no webhook endpoint', async () => {
  const opened = await openChannels()
  const contact = await opened.addContact()
  await opened.mail(contact, 1)
  await opened.run(
    `update receivers set channel = 'ALERT', failing_since = now() - interval '25 hours'`,
  )
  await opened.run(`update deliveries set channel = 'ALERT'`)
  const notices = await opened.end(await opened.claim(['ALERT']), NO_RELAY)
  assert.deepEqual(
    notices.map(({ channel, what }) => [channel, what]),
    [['ALERT', 'WARNED']],
  )
  assert.equal(await opened.countConditions(), 0)
})

test('a response whose receiver is busy counts once, and one beyond the day is recorded without its text', async () => {
  const opened = await openChannels()
  const endpointId = await opened.addEndpoint(2)
  await opened.run(`update organizations set limit_overrides = '{"responseBytesOfDay": 1000}'`)
  const result = { ...SENT, responseStatus: 200, responseBody: 'x'.repeat(600) }
  const [first, second] = (await opened.claim()).map((one) => ({ ...one, result }))
  assert.ok(first && second)
  for (let tries = 0; tries < 3; tries++)
    assert.deepEqual(await opened.whileBusy(endpointId, () => opened.settle([first])), {
      notices: [],
      receivers: [],
      busy: new Set([endpointId]),
    })
  await opened.settle([first])
  await opened.settle([second])
  assert.deepEqual(await opened.responses(), [
    { outcome: 'SUCCEEDED', response_status: 200, length: 600 },
    { outcome: 'SUCCEEDED', response_status: 200, length: null },
  ])
})

async function openChannels() {
  const database: TestDatabase = await fixture.openDatabase()
  const { engine, tenants, admin } = database
  const secrets = new OrganizationSecrets(database.masterKeys)
  const orgId = await database.createOrganization()
  const run = async (text: string, values: unknown[] = []) => {
    await admin.query(text, values)
  }
  const settleAll = (ended: Parameters<typeof settle>[1]) =>
    settle(
      { database: engine, scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: Math.random },
      ended,
    )
  return {
    orgId,
    tenants,
    run,
    createOrganization: database.createOrganization,
    mail: (list: string, count: number, owner = orgId) =>
      tenants.transaction(owner, async (tx) => {
        const mails = Array.from({ length: count }, (_, i): Mail => {
          return { to: `reader-${i}@example.com`, subject: 'Hello' }
        })
        const receiver = { uuid: list, channel: 'EMAIL' as const, event: null }
        await queueMessages(tx, { orgId: owner, cipher: await tx.cipher() }, receiver, mails)
      }),
    open: ({ deliveryId, message }: ClaimedAttempt) =>
      decryptMessage<Mail>(engine, secrets, {
        orgId,
        deliveryId,
        message: message ?? Buffer.alloc(0),
      }),
    async addEndpoint(due: number) {
      const id = randomUUID()
      await run(
        `insert into webhook_endpoints (id, org_id, url, event_types) values ($1, $2, 'https://example.com/', '{*}')`,
        [id, orgId],
      )
      await run(
        `with event as (
           insert into events (id, org_id, type, occurred_at, body)
           values (new_uuid(), $1, 'webhook.test', now(), '{}') returning id)
         insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, next_attempt_at, created_at)
         select new_uuid(), $1, $2, event.id, 'webhook.test', 'https://example.com/', now(), now()
           from event, generate_series(1, $3) n`,
        [orgId, id, due],
      )
      return id
    },
    settle: settleAll,
    /** Another process holds the receiver meanwhile. */
    async whileBusy(endpointId: string, work: () => Promise<unknown>): Promise<unknown> {
      await run('begin')
      await run('select from webhook_endpoints where id = $1 for update', [endpointId])
      try {
        return await work()
      } finally {
        await run('rollback')
      }
    },
    async responses() {
      const { rows } = await admin.query(
        `select outcome, response_status, length(response_body) from attempts order by response_body nulls last`,
      )
      return rows as unknown[]
    },
    /** Rolls the transaction back. */
    settleAndFail: (ended: readonly EndedAttempt[]) =>
      engine.transaction(undefined, async (tx) => {
        const deps = { scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: Math.random }
        await settleIn(tx, deps, ended)
        throw new Error('on purpose')
      }),
    async addContact() {
      const id = randomUUID()
      await run(
        `insert into alert_contacts (id, org_id, name, channel, settings)
         values ($1, $2, 'Contact', 'EMAIL', '\\x00')`,
        [id, orgId],
      )
      return id
    },
    async countConditions(): Promise<number> {
      return (await admin.query('select from alert_troubles')).rows.length
    },
    async noted(endpointId: string) {
      const { rows } = await admin.query<{ noted: number; warned: boolean }>(
        `select (select count(*) from alert_troubles where endpoint_id = e.id)::integer as noted,
                warned_at is not null as warned from webhook_endpoints e where id = $1`,
        [endpointId],
      )
      return rows[0]
    },
    async claim(channels: ChannelName[] = ['WEBHOOK', 'EMAIL']): Promise<ClaimedAttempt[]> {
      const horizon = await engine.transaction(undefined, async (tx) => {
        await readByIndex(tx)
        return findHorizon(tx)
      })
      const from = { horizon, after: FIRST_ENDPOINT, room: 256, channels: new Set(channels) }
      const { claimed } = await engine.transaction(undefined, (tx) => claimIn(tx, from))
      return claimed
    },
    async end(claimed: readonly ClaimedAttempt[], result: SendResult) {
      const { notices } = await settleAll(claimed.map((one) => ({ ...one, result })))
      return notices
    },
    async loseAll() {
      await run(`update attempts set claimed_until = now() - interval '1 second'`)
      const lost = await findLostAttempts(engine, 100)
      await settleAll(lost.map((one) => ({ ...one, result: LOST })))
      return lost
    },
    async count(condition: string): Promise<number> {
      return (await admin.query(`select from deliveries where ${condition}`)).rows.length
    },
    async receiver(id: string) {
      type Row = { failures_in_a_row: number; next_probe_at: Date | null; enabled: boolean }
      return (await admin.query<Row>('select * from receivers where id = $1', [id])).rows[0]
    },
  }
}
