import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import type { ChannelName } from '../../domain/events/delivery.ts'
import {
  type EndedAttempt,
  type FailureNotice,
  LOST,
  type SendResult,
} from '../../domain/events/delivery-outcome.ts'
import { DEFAULT_SCHEDULE_SECONDS } from '../../domain/events/retry-schedule.ts'
import { Database, sql } from '../../store/core/db.ts'
import {
  type ClaimedAttempt,
  findHorizon,
  findLostAttempts,
  readByIndex,
} from '../../store/deliveries/queue.ts'
import { FIRST_ENDPOINT } from '../../store/deliveries/receiver-queues.ts'
import { claimIn, refillIn } from './claim.ts'
import { settle, settleIn } from './settle.ts'

const ANSWERED: SendResult = {
  outcome: 'SUCCEEDED',
  durationMs: 12.4,
  url: 'https://example.com/',
  responseStatus: 200,
  responseBody: 'ok',
  retryAfter: undefined,
  errorCode: null,
  error: null,
  isReceiverFault: false,
  next: 'RETRY',
}
const REFUSED: SendResult = {
  ...ANSWERED,
  outcome: 'FAILED',
  responseStatus: 500,
  errorCode: 'BAD_STATUS',
  error: 'Answered with HTTP 500',
  isReceiverFault: true,
}
const BOTH: ReadonlySet<ChannelName> = new Set<ChannelName>(['WEBHOOK', 'EMAIL'])
const DAY_SECONDS = 86_400
const LONGEST_ATTEMPT_SECONDS = 2
// Ten times the duration on an idle machine; a plan that scans everything takes a hundred times as long.
const MAX_CLAIM_MS = 150
const IN_FLIGHT = sql`
  select coalesce(max(n), 0)::int as endpoint, coalesce(sum(n), 0)::int as org
    from (select count(*) as n from attempts where outcome is null group by endpoint_id) open`

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('one endpoint with 100,000 due takes 4, 63 others are served in the same claim', async (t) => {
  const queue = await openQueue()
  const crowded = await queue.addEndpoint()
  await queue.addDeliveries(crowded, 100_000)
  const others: string[] = []
  for (let org = 0; org < 9; org++) {
    await queue.useNewOrganization()
    for (let i = 0; i < 7; i++) others.push(await queue.addEndpoint())
  }
  for (const endpointId of others) await queue.addDeliveries(endpointId, 8)
  const claimed = await queue.claim()
  const firstMs = queue.lastClaimMs()

  const taken = Object.groupBy(claimed, ({ endpointId }) => endpointId)
  assert.equal(claimed.length, 256)
  for (const endpointId of [crowded, ...others]) assert.equal(taken[endpointId]?.length, 4)
  assert.equal((await queue.claim()).length, 0, 'all of them are full')
  await queue.end(claimed, ANSWERED)
  const timesMs: number[] = []
  for (let i = 0; i < 5; i++) {
    const again = await queue.claim()
    timesMs.push(queue.lastClaimMs())
    assert.ok(again.some(({ endpointId }) => endpointId === crowded))
    await queue.end(again, ANSWERED)
  }
  assert.ok(Math.min(...timesMs) < MAX_CLAIM_MS, `${timesMs}`)
  t.diagnostic(`first claim ${firstMs.toFixed(1)} ms, then ${timesMs.map((ms) => ms.toFixed(1))}`)
})

test('a deleted organization sends nothing, counts as nothing starved, and continues if it comes back', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 20)
  const first = await queue.claim()
  assert.equal(first.length, 4)
  await queue.run('update organizations set deleted_at = now()')
  const { claimed: refilled } = await queue.refill(first, ANSWERED, queue.engine)
  assert.deepEqual(refilled, [], 'not even where the last attempts ended')
  const { claimed, starvedMs, backlogged } = await queue.claimWhole()
  assert.deepEqual([claimed, starvedMs, backlogged], [[], 0, []])
  const canceled = await queue.rows(`select 1 from deliveries where status = 'FAILED'`)
  assert.deepEqual(canceled, [], 'and nothing is canceled')
  await queue.run('update organizations set deleted_at = null')
  assert.equal((await queue.claim()).length, 4)
})

test('claimers side by side never exceed 4 per endpoint and 32 per organization', async () => {
  const queue = await openQueue()
  const endpoints: string[] = []
  for (let i = 0; i < 12; i++) endpoints.push(await queue.addEndpoint())
  for (const endpointId of endpoints) await queue.addDeliveries(endpointId, 60)
  const claimers = Array.from({ length: 6 }, () => queue.openClaimer())
  const seen = new Set<string>()
  let most = 0
  const work = async (database: Database, worker: number) => {
    for (let round = 0; round < 25; round++) {
      const claimed = await queue.claim({ database })
      for (const { deliveryId, number } of claimed) {
        assert.ok(!seen.has(`${deliveryId} ${number}`), 'taken twice')
        seen.add(`${deliveryId} ${number}`)
      }
      const [counts] = await database.query<{ endpoint: number; org: number }>(IN_FLIGHT)
      assert.ok(counts && counts.endpoint <= 4 && counts.org <= 32, JSON.stringify(counts))
      most = Math.max(most, counts.org)
      await queue.end(
        claimed.slice(0, round % 3 === worker % 3 ? undefined : 1),
        ANSWERED,
        database,
      )
      await queue.end(
        claimed.slice(round % 3 === worker % 3 ? claimed.length : 1),
        REFUSED,
        database,
      )
    }
  }
  await Promise.all(claimers.map(work))
  assert.ok(most > 16, `only ${most} at once: nothing was tried`)
  assert.ok(seen.size > 200, `only ${seen.size} attempts`)
  await Promise.all(claimers.map((database) => database.close()))
})

test('refills side by side with claims exceed no limit either, and take nothing twice', async () => {
  const queue = await openQueue()
  const endpoints: string[] = []
  for (let i = 0; i < 10; i++) endpoints.push(await queue.addEndpoint())
  for (const endpointId of endpoints) await queue.addDeliveries(endpointId, 200)
  const claimers = Array.from({ length: 4 }, () => queue.openClaimer())
  const seen = new Set<string>()
  let refilled = 0
  const note = (claimed: readonly ClaimedAttempt[]) => {
    for (const { deliveryId, number } of claimed) {
      assert.ok(!seen.has(`${deliveryId} ${number}`), 'taken twice')
      seen.add(`${deliveryId} ${number}`)
    }
  }
  const work = async (database: Database, worker: number) => {
    let inHand: ClaimedAttempt[] = []
    for (let round = 0; round < 30; round++) {
      const result = round % 5 === worker ? REFUSED : ANSWERED
      const isRefill = round % 4 !== 0
      const { claimed, left } = isRefill
        ? await queue.refill(inHand.slice(0, 3), result, database)
        : { ...(await queue.claimWhole({ database })), left: inHand.slice(0, 3) }
      inHand = [...left, ...inHand.slice(3)]
      if (isRefill) refilled += claimed.length
      note(claimed)
      inHand.push(...claimed)
      const [counts] = await database.query<{ endpoint: number; org: number }>(IN_FLIGHT)
      assert.ok(counts && counts.endpoint <= 4 && counts.org <= 32, JSON.stringify(counts))
    }
  }
  await Promise.all(claimers.map(work))
  assert.ok(refilled > 40, `only ${refilled} refilled`)
  await Promise.all(claimers.map((database) => database.close()))
})

test('who is left out while nothing of his is under way is starved; who is served or full is not', async () => {
  const queue = await openQueue()
  for (let i = 0; i < 3; i++) await queue.addDeliveries(await queue.addEndpoint(), 8)
  await queue.run(`update deliveries set next_attempt_at = now() - interval '30 seconds'`)
  const cramped = await queue.claimWhole({ room: 2 })
  assert.ok(cramped.starvedMs >= 30_000 && cramped.hasMore, `${cramped.starvedMs}`)
  const rest = await queue.claimWhole()
  assert.equal(rest.starvedMs, 0)
  assert.equal((await queue.claimWhole()).starvedMs, 0, 'all of them are full')
})

test('a receiver that somebody holds keeps nobody else waiting', async () => {
  const queue = await openQueue()
  const [held, free] = [await queue.addEndpoint(), await queue.addEndpoint()]
  for (const endpointId of [held, free]) await queue.addDeliveries(endpointId, 1)
  const claimed = await queue.claim()
  assert.equal(claimed.length, 2)
  await queue.holding(
    'select from webhook_endpoints where id = $1 for update',
    [held],
    async () => {
      const startMs = performance.now()
      const settled = await queue.settle(claimed.map((one) => ({ ...one, result: ANSWERED })))
      assert.deepEqual([...settled.busy], [held])
      assert.ok(performance.now() - startMs < 5_000, 'it did not wait')
      assert.equal(await queue.countOf('SUCCEEDED'), 1)
    },
  )
  await queue.end(claimed, ANSWERED)
  assert.equal(await queue.countOf('SUCCEEDED'), 2)
})

test('an attempt nobody settled becomes WORKER_LOST, goes on by its schedule, and a late answer changes nothing', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 1)
  const [one] = await queue.claim()
  assert.ok(one)
  assert.deepEqual(await queue.lost(), [])
  await queue.run(`update attempts set claimed_until = now() - interval '1 second'`)
  const lost = await queue.lost()
  assert.deepEqual(
    lost.map(({ deliveryId, number, manual }) => [deliveryId, number, manual]),
    [[one.deliveryId, 1, false]],
  )
  await queue.settle(lost.map((each) => ({ ...each, result: LOST })))
  const [delivery] = await queue.deliveries()
  assert.equal(delivery?.status, 'PENDING')
  assert.equal(delivery.attempt_count, 1)
  assert.ok(
    delivery.wait_seconds >= 4 && delivery.wait_seconds < 6 + LONGEST_ATTEMPT_SECONDS,
    `${delivery.wait_seconds}`,
  )

  await queue.end([one], ANSWERED)
  const [attempt] = await queue.rows<{ error_code: string }>('select error_code from attempts')
  assert.equal(attempt?.error_code, 'WORKER_LOST')
  assert.equal((await queue.deliveries())[0]?.status, 'PENDING')
  const [endpoint] = await queue.endpoints()
  assert.equal(endpoint?.failures_in_a_row, 0, 'it is not the receiver that failed')
})

test('the breaker holds everything but one probe, what is asked for passes, a success frees all', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 20)
  await queue.run(`update webhook_endpoints set failures_in_a_row = 12, next_probe_at = now() + interval '1 hour',
                     failing_since = now() - interval '2 hours', probe_seconds = 30`)
  assert.deepEqual(await queue.claim(), [])
  await queue.run(
    `update deliveries set manual = true where id = (select id from deliveries limit 1)`,
  )
  const asked = await queue.claim()
  assert.deepEqual(
    asked.map(({ manual }) => manual),
    [true],
  )
  await queue.end(asked, REFUSED)
  assert.deepEqual(await queue.claim(), [], 'one attempt only')

  await queue.run(`update webhook_endpoints set next_probe_at = now() - interval '1 second'`)
  const probe = await queue.claim()
  assert.equal(probe.length, 1)
  assert.deepEqual(await queue.claim(), [], 'one probe at a time')
  await queue.end(probe, REFUSED)
  const [held] = await queue.endpoints()
  assert.equal(held?.probe_seconds, 60)
  assert.deepEqual(await queue.claim(), [])
  const uses = await queue.rows('select from deliveries where attempt_count = 0')
  assert.equal(uses.length, 18, 'what is held uses up no attempt')

  await queue.run(`update webhook_endpoints set next_probe_at = now() - interval '1 second'`)
  await queue.end(await queue.claim(), ANSWERED)
  assert.equal((await queue.endpoints())[0]?.next_probe_at, null)
  assert.equal((await queue.claim()).length, 4)
})

test('disabled by hand: deliveries wait, a test goes out; given up, gone or deleted: they end', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 1500)
  const disable = (reason: string | null) =>
    queue.run('update webhook_endpoints set enabled = $1::text is null, disabled_reason = $1', [
      reason,
    ])
  await disable('MANUAL')
  assert.deepEqual(await queue.claim(), [])
  await queue.addDeliveries(endpointId, 1, { manual: true })
  const [manual, ...more] = await queue.claim()
  assert.ok(manual?.manual === true && more.length === 0)
  await queue.end([manual], ANSWERED)
  assert.equal(await queue.countOf('PENDING'), 1500)

  await disable('FAILING')
  await queue.run(
    `update deliveries set next_attempt_at = now() + interval '1 hour' where status = 'PENDING'`,
  )
  assert.deepEqual(await queue.claim(), [])
  assert.equal(await queue.countOf('PENDING'), 500, 'a batch at a time')
  await queue.claim()
  assert.equal(await queue.countOf('PENDING'), 0)
  const errors = await queue.rows<{ last_error: string }>(
    `select distinct last_error from deliveries where status = 'FAILED'`,
  )
  assert.deepEqual(errors, [{ last_error: 'ENDPOINT_DISABLED' }])

  await disable(null)
  await queue.addDeliveries(endpointId, 3)
  await queue.run('delete from webhook_endpoints')
  assert.deepEqual(await queue.claim(), [])
  const orphans = await queue.rows(`select from deliveries where last_error = 'ENDPOINT_DELETED'`)
  assert.equal(orphans.length, 3)
})

const fatesOf = (notices: readonly FailureNotice[]) =>
  notices.map(({ endpointId, what }) => [endpointId, what])

test('410 disables the endpoint; five days and twenty failures disable it too, a day warns once', async () => {
  const queue = await openQueue()
  const gone = await queue.addEndpoint()
  await queue.addDeliveries(gone, 1)
  const notices = await queue.end(await queue.claim(), {
    ...REFUSED,
    responseStatus: 410,
    next: 'GONE',
  })
  assert.deepEqual(fatesOf(notices), [[gone, 'GONE']])
  const [delivery] = await queue.deliveries()
  assert.deepEqual([delivery?.status, delivery?.last_error], ['FAILED', 'BAD_STATUS'])

  const failing = await queue.addEndpoint()
  await queue.addDeliveries(failing, 30)
  const fail = async (days: number, failures: number) => {
    await queue.run(
      `update webhook_endpoints set failures_in_a_row = $1, next_probe_at = null,
              failing_since = now() - make_interval(secs => $2) where id = $3`,
      [failures, days * DAY_SECONDS, failing],
    )
    return fatesOf(await queue.end((await queue.claim()).slice(0, 1), REFUSED))
  }
  assert.deepEqual(await fail(0.9, 3), [])
  assert.deepEqual(await fail(1.1, 3), [[failing, 'WARNED']])
  assert.deepEqual(await fail(1.2, 3), [], 'warned once')
  assert.deepEqual(await fail(5.1, 18), [], 'too few failures')
  await queue.run(`update attempts set outcome = 'FAILED' where outcome is null`)
  await queue.run(
    `update deliveries set attempt_count = 1 where status = 'PENDING' and id in (select delivery_id from attempts)`,
  )
  assert.deepEqual(await fail(5.1, 19), [[failing, 'DISABLED']])
  const [endpoint] = (await queue.endpoints()).filter(({ id }) => id === failing)
  assert.deepEqual([endpoint?.enabled, endpoint?.disabled_reason], [false, 'FAILING'])
})

test('ten attempts by the schedule, Retry-After kept, then FAILED; a manual attempt is the only one', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 1)
  const calm = () =>
    queue.run('update webhook_endpoints set failures_in_a_row = 0, next_probe_at = null')
  const attempt = async (number: number, retryAfter?: string) => {
    const claimed = await queue.claim()
    assert.deepEqual(
      claimed.map((one) => one.number),
      [number],
    )
    await queue.end(claimed, { ...REFUSED, retryAfter })
    const [delivery] = await queue.deliveries()
    assert.ok(delivery)
    return delivery
  }
  for (const [i, seconds] of DEFAULT_SCHEDULE_SECONDS.entries()) {
    const { wait_seconds: waited } = await attempt(i + 1, i === 1 ? '7200' : undefined)
    const [least, most] = i === 1 ? [7200, 7200] : [seconds * 0.8, seconds * 1.2]
    // The delay counts from the end of the attempt but is measured from its start.
    assert.ok(waited >= least && waited <= most + LONGEST_ATTEMPT_SECONDS, `${i}: ${waited}`)
    await queue.run('update deliveries set next_attempt_at = now()')
    await calm()
  }
  const last = await attempt(10)
  assert.deepEqual([last.status, last.attempt_count], ['FAILED', 10])
  await queue.run(
    `update deliveries set status = 'PENDING', next_attempt_at = now(), completed_at = null, manual = true`,
  )
  assert.equal((await attempt(11)).status, 'FAILED')
  const triggers = await queue.rows(`select from attempts where trigger = 'MANUAL'`)
  assert.equal(triggers.length, 1)
})

test('a delivery of a month ago that is asked for again is found', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.run(`select ensure_partitions((now() at time zone 'UTC')::date - 30, 40)`)
  await queue.addDeliveries(endpointId, 1, { manual: true, days: 29 })
  assert.equal((await queue.claim()).length, 1)
})

test('a delivery that is cancelled while it is sent stays cancelled and shows its attempt', async () => {
  const queue = await openQueue()
  const endpointId = await queue.addEndpoint()
  await queue.addDeliveries(endpointId, 1)
  const claimed = await queue.claim()
  await queue.run(`update deliveries set status = 'FAILED', last_error = 'ENDPOINT_DELETED',
                     next_attempt_at = null, completed_at = now()`)
  await queue.run('delete from webhook_endpoints')
  await queue.end(claimed, ANSWERED)
  const [delivery] = await queue.deliveries()
  assert.deepEqual(
    [delivery?.status, delivery?.last_error, delivery?.attempt_count],
    ['FAILED', 'ENDPOINT_DELETED', 1],
  )
})

test('what is done costs nothing: a turn reads what is due, not what the day has seen', async (t) => {
  const queue = await openQueue()
  const crowded = await queue.addEndpoint()
  const database = queue.openClaimer()
  // Planned while the tables are empty, as at the start of a day.
  await queue.addDeliveries(crowded, 1)
  const [first] = await queue.claim({ database })
  assert.ok(first)
  await queue.refill([first], ANSWERED, database)
  await queue.addDeliveries(crowded, 20_000)
  await queue.run(
    `insert into attempts (delivery_id, number, id, org_id, trigger, started_at, endpoint_id, outcome, duration_ms)
     select id, 1, new_uuid(), org_id, 'AUTOMATIC', now(), endpoint_id, 'SUCCEEDED', 1
       from deliveries where status = 'PENDING'`,
  )
  await queue.run(
    `update deliveries set status = 'SUCCEEDED', attempt_count = 1, next_attempt_at = null, completed_at = now()`,
  )
  await queue.run('vacuum deliveries, attempts')
  await queue.addDeliveries(crowded, 40)
  const read = async () => {
    // Statistics of the test's own reads are also reported with a delay.
    await queue.run('select pg_stat_force_next_flush()')
    await database.query(sql`select pg_stat_force_next_flush()`)
    const [row] = await queue.rows<{ n: number }>(
      `select sum(idx_tup_read)::int as n from pg_stat_user_indexes
        where relname like 'deliveries%' or relname like 'attempts%'`,
    )
    return row?.n ?? 0
  }
  const before = await read()
  let inHand = await queue.claim({ database })
  for (let turn = 0; turn < 5; turn++) {
    assert.equal(inHand.length, 4)
    inHand = (await queue.refill(inHand, ANSWERED, database)).claimed
    await database.transaction(undefined, async (tx) => {
      await readByIndex(tx)
      await findLostAttempts(tx, 10)
    })
  }
  const rows = (await read()) - before
  t.diagnostic(`${rows} entries of indexes read in 6 turns`)
  assert.ok(rows > 0 && rows < 2_000, `${rows} entries read`)
  await database.close()
})

test('a new partition has the indexes of the queue', async () => {
  const queue = await openQueue()
  await queue.run(`select ensure_partitions((now() at time zone 'UTC')::date + 20, 1)`)
  const found = await queue.rows<{ n: number }>(
    `select count(*)::int as n from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = 'deliveries_' || to_char((now() at time zone 'UTC')::date + 20, 'YYYYMMDD')
         or c.relname = 'attempts_' || to_char((now() at time zone 'UTC')::date + 20, 'YYYYMMDD')`,
  )
  assert.equal(found[0]?.n, 4 + 2)
})

const horizonOf = (engine: Database) =>
  engine.transaction(undefined, async (tx) => {
    await readByIndex(tx)
    return findHorizon(tx)
  })

type ClaimOptions = { database?: Database; room?: number; channels?: ReadonlySet<ChannelName> }

async function openQueue() {
  const database: TestDatabase = await fixture.openDatabase()
  let orgId = await database.createOrganization()
  let claimMs = 0
  const run = async (text: string, values: unknown[] = []) => {
    await database.admin.query(text, values)
  }
  const rows = async <R>(text: string, values: unknown[] = []) =>
    (await database.admin.query(text, values)).rows as R[]
  const settleAll = (ended: readonly EndedAttempt[], engine = database.engine) =>
    settle(
      { database: engine, scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: Math.random },
      ended,
    )
  const claimWhole = async ({
    database: engine = database.engine,
    room = 256,
    channels = BOTH,
  }: ClaimOptions = {}) => {
    const horizon = await horizonOf(engine)
    const from = { horizon, after: FIRST_ENDPOINT, room, channels }
    const startMs = performance.now()
    const claim = await engine.transaction(undefined, (tx) => claimIn(tx, from))
    claimMs = performance.now() - startMs
    return claim
  }
  return {
    engine: database.engine,
    run,
    rows,
    settle: settleAll,
    /** Runs `work` while another connection holds the locks of this statement. */
    async holding(text: string, values: unknown[], work: () => Promise<void>) {
      const other = new pg.Client(fixture.postgres.databaseUrl(database.name, 'postgres'))
      await other.connect()
      await other.query('begin')
      await other.query(text, values)
      await work()
      await other.end()
    },
    async useNewOrganization() {
      orgId = await database.createOrganization()
    },
    openClaimer: () =>
      new Database(
        { url: fixture.postgres.databaseUrl(database.name), role: 'upvane_engine', connections: 1 },
        () => {},
      ),
    async addEndpoint() {
      const id = randomUUID()
      await run(
        `insert into webhook_endpoints (id, org_id, url, event_types) values ($1, $2, 'https://example.com/', '{*}')`,
        [id, orgId],
      )
      return id
    },
    async addDeliveries(
      endpointId: string,
      count: number,
      options: { manual?: boolean; days?: number } = {},
    ) {
      const { manual = false, days = 0 } = options
      await run(
        `with event as (
           insert into events (id, org_id, type, occurred_at, body)
           values (new_uuid(), $1, 'webhook.test', now(), '{}') returning id)
         insert into deliveries (id, org_id, endpoint_id, event_id, event_type, url, manual, next_attempt_at, created_at)
         select overlay(uuid_floor(now() - make_interval(days => $5) + n * interval '1 microsecond')::text
                        placing substr(gen_random_uuid()::text, 14) from 14)::uuid,
                $1, $2, event.id, 'webhook.test', 'https://example.com/', $4, now() - interval '1 second', now()
           from event, generate_series(1, $3) n`,
        [orgId, endpointId, count, manual, days],
      )
    },
    claimWhole,
    claim: async (options: ClaimOptions = {}) => (await claimWhole(options)).claimed,
    async refill(ended: readonly ClaimedAttempt[], result: SendResult, engine: Database) {
      const horizon = await horizonOf(engine)
      return engine.transaction(undefined, async (tx) => {
        const deps = { scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: Math.random }
        const settled = await settleIn(
          tx,
          deps,
          ended.map((one) => ({ ...one, result })),
        )
        const taken = await refillIn(tx, { horizon, room: 256 }, settled.receivers)
        const left = ended.filter(({ endpointId }) => settled.busy.has(endpointId))
        return { ...taken, left }
      })
    },
    lastClaimMs: () => claimMs,
    /** Repeats until receivers locked by others are settled too. */
    async end(claimed: readonly ClaimedAttempt[], result: SendResult, engine = database.engine) {
      const notices: FailureNotice[] = []
      let left = claimed.map((one) => ({ ...one, result }))
      while (left.length > 0) {
        const settled = await settleAll(left, engine)
        notices.push(...settled.notices)
        left = left.filter(({ endpointId }) => settled.busy.has(endpointId))
      }
      return notices
    },
    lost: () => findLostAttempts(database.engine, 100),
    deliveries: () =>
      rows<{ status: string; attempt_count: number; last_error: string; wait_seconds: number }>(
        `select status, attempt_count, last_error,
                extract(epoch from next_attempt_at - last_attempt_at)::float8 as wait_seconds from deliveries`,
      ),
    endpoints: () =>
      rows<{
        id: string
        enabled: boolean
        disabled_reason: string | null
        failures_in_a_row: number
        next_probe_at: Date | null
        probe_seconds: number | null
      }>('select * from webhook_endpoints'),
    async countOf(status: string) {
      return (await rows(`select from deliveries where status = $1`, [status])).length
    },
  }
}
