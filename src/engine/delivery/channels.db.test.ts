// Deliveries of another channel than webhooks take part in the same queue.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type DbBench, startDbBench, type TestDatabase } from '../../../test/db-kit/db-bench.ts'
import type { SendResult } from '../../channels/channel.ts'
import type { ChannelName } from '../../domain/events/delivery.ts'
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/events/retry-schedule.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { listDeliveries } from '../../store/deliveries/deliveries.ts'
import { type Claimed, findHorizon, findLost, readByIndex } from '../../store/deliveries/queue.ts'
import { openMessage, queueMessages, removeReceiver } from '../../store/deliveries/receivers.ts'
import { claimIn, FIRST_ENDPOINT } from './claim.ts'
import { type Ended, LOST, settle, settleIn } from './settle.ts'

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

let bench: DbBench
before(async () => {
  bench = await startDbBench()
})
after(() => bench.stop())

test('mails and webhooks are claimed together: 4 for each receiver, 32 for the organization', async () => {
  const desk = await openDesk()
  const lists = Array.from({ length: 6 }, () => randomUUID())
  for (const list of lists) await desk.mail(list, 50)
  const endpoints: string[] = []
  for (let i = 0; i < 6; i++) endpoints.push(await desk.addEndpoint(50))
  const claimed = await desk.claim()
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
  const desk = await openDesk()
  await desk.mail(randomUUID(), 2)
  const [one, other] = await desk.claim()
  assert.ok(one?.message && other?.message)
  assert.deepEqual(await desk.open(one), { to: 'reader-0@example.com', subject: 'Hello' })
  await assert.rejects(desk.open({ ...one, message: other.message }))
})

test('a recipient who is refused ends his own delivery, and is not held against the others', async () => {
  const desk = await openDesk()
  const list = randomUUID()
  await desk.mail(list, 40)
  for (let round = 0; round < 5; round++) await desk.end(await desk.claim(), UNKNOWN_RECIPIENT)
  assert.equal(await desk.count(`status = 'FAILED' and attempt_count = 1`), 20)
  assert.equal((await desk.receiver(list))?.failures_in_a_row, 0)
  await desk.end(await desk.claim(), SENT)
  assert.equal(await desk.count(`status = 'SUCCEEDED'`), 4)
})

test('a relay that is away opens the breaker of the list, but never disables it', async () => {
  const desk = await openDesk()
  const list = randomUUID()
  await desk.mail(list, 40)
  for (let i = 0; i < 12; i++) {
    await desk.end(await desk.claim(), NO_RELAY)
    await desk.run(`update receivers set failing_since = now() - interval '6 days'`)
  }
  const held = await desk.receiver(list)
  assert.ok(held && held.failures_in_a_row >= 10 && held.next_probe_at !== null)
  assert.deepEqual(await desk.claim(), [], 'held')
  await desk.run(`update receivers set failures_in_a_row = 50, next_probe_at = now()`)
  assert.equal((await desk.claim()).length, 1, 'one probe')
  const [probe] = await desk.loseAll()
  assert.ok(probe)
  await desk.run(`update receivers set next_probe_at = now()`)
  assert.deepEqual(await desk.end(await desk.claim(), NO_RELAY), [])
  assert.equal((await desk.receiver(list))?.enabled, true)
})

test('a channel this process cannot send by is left to others', async () => {
  const desk = await openDesk()
  await desk.mail(randomUUID(), 3)
  await desk.addEndpoint(3)
  const claimed = await desk.claim(['WEBHOOK'])
  assert.deepEqual(new Set(claimed.map(({ channel }) => channel)), new Set(['WEBHOOK']))
  assert.equal((await desk.claim(['EMAIL'])).length, 3)
})

test('a mail whose process died is shown as lost and goes on by its schedule', async () => {
  const desk = await openDesk()
  await desk.mail(randomUUID(), 1)
  await desk.claim()
  const [lost] = await desk.loseAll()
  assert.equal(lost?.number, 1)
  assert.equal(await desk.count(`status = 'PENDING' and last_error = 'WORKER_LOST'`), 1)
})

test('with its receiver go its pending mails; the log of webhooks shows none of them', async () => {
  const desk = await openDesk()
  const list = randomUUID()
  await desk.mail(list, 3)
  await desk.addEndpoint(2)
  await desk.tenants.transaction(desk.orgId, (tx) => removeReceiver(tx, list))
  assert.equal(await desk.count(`last_error = 'ENDPOINT_DELETED'`), 3)
  assert.equal((await desk.claim()).length, 2)
  const { total } = await listDeliveries(desk.tenants.of(desk.orgId), { limit: 10, offset: 0 })
  assert.equal(total, 2)
})

test("another organization's receiver takes no mail", async () => {
  const desk = await openDesk()
  const list = randomUUID()
  await desk.mail(list, 1)
  const other = await desk.createOrganization()
  await assert.rejects(desk.mail(list, 1, other), /not this organization's/)
})

test('that an endpoint fails is noted with the judgement itself, or not at all; also where no contact is', async () => {
  const desk = await openDesk()
  const endpointId = await desk.addEndpoint(4)
  const [first, second, third] = await desk.claim()
  assert.ok(first && second && third)
  await desk.run(`update webhook_endpoints set failing_since = now() - interval '25 hours'`)
  await desk.end([first], REFUSED)
  assert.deepEqual(await desk.noted(endpointId), { noted: 1, warned: true })

  await desk.addContact()
  await desk.run('update webhook_endpoints set warned_at = null')
  await assert.rejects(desk.settleAndFail([{ ...second, result: REFUSED }]), /on purpose/)
  assert.deepEqual(await desk.noted(endpointId), { noted: 1, warned: false })
  await desk.end([second], REFUSED)
  assert.deepEqual(await desk.noted(endpointId), { noted: 2, warned: true })
  await desk.end([second, third], REFUSED)
  assert.deepEqual(await desk.noted(endpointId), { noted: 2, warned: true })
})

test('an attempt that is recorded already is no reason to tell of anything', async () => {
  const desk = await openDesk()
  const endpointId = await desk.addEndpoint(1)
  await desk.addContact()
  const claimed = await desk.claim()
  await desk.end(claimed, REFUSED)
  await desk.run(`update webhook_endpoints set failing_since = now() - interval '25 hours'`)
  assert.deepEqual(await desk.end(claimed, REFUSED), [])
  assert.deepEqual(await desk.noted(endpointId), { noted: 0, warned: false })
})

test('a contact or a list that fails is no webhook endpoint', async () => {
  const desk = await openDesk()
  const contact = await desk.addContact()
  await desk.mail(contact, 1)
  await desk.run(
    `update receivers set channel = 'ALERT', failing_since = now() - interval '25 hours'`,
  )
  await desk.run(`update deliveries set channel = 'ALERT'`)
  const notices = await desk.end(await desk.claim(['ALERT']), NO_RELAY)
  assert.deepEqual(
    notices.map(({ channel, what }) => [channel, what]),
    [['ALERT', 'WARNED']],
  )
  assert.equal(await desk.countTroubles(), 0)
})

async function openDesk() {
  const database: TestDatabase = await bench.openDatabase()
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
    open: ({ deliveryId, message }: Claimed) =>
      openMessage<Mail>(engine, secrets, {
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
    /** The transaction comes to nothing. */
    settleAndFail: (ended: readonly Ended[]) =>
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
    async countTroubles(): Promise<number> {
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
    async claim(channels: ChannelName[] = ['WEBHOOK', 'EMAIL']): Promise<Claimed[]> {
      const horizon = await engine.transaction(undefined, async (tx) => {
        await readByIndex(tx)
        return findHorizon(tx)
      })
      const from = { horizon, after: FIRST_ENDPOINT, room: 256, channels: new Set(channels) }
      const { claimed } = await engine.transaction(undefined, (tx) => claimIn(tx, from))
      return claimed
    },
    async end(claimed: readonly Claimed[], result: SendResult) {
      const { notices } = await settleAll(claimed.map((one) => ({ ...one, result })))
      return notices
    },
    async loseAll() {
      await run(`update attempts set claimed_until = now() - interval '1 second'`)
      const lost = await findLost(engine, 100)
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
