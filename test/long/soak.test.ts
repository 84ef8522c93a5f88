// `npm run long soak`: two hours at 300 mixed checks a second on a PostgreSQL cluster and a NATS cluster, while finished
// days are packed, older ones are dropped, and the primary is lost with its disk. No slot, ping, result or event is lost,
// none is invented, and the processes retain no memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterStack, startClusterStack } from '../../tools/cluster/cluster-stack.ts'
import { openSoak, PLENTY, type Soak } from '../fault/engine/soak.ts'
import { assertFlat, assertVerdicts, describeHeld } from '../fault/engine/soak-flat.ts'
import { losePrimary, until as waitUntil } from '../fault/failover/lose-primary.ts'
import { PastDays } from './past-days.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const FULL_SECONDS = 7200
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? FULL_SECONDS)
// In a short run the past days follow each other quickly, so they are smaller: two cores also have checks to run.
const PAST_STEP_MINUTES = Math.max(10, Math.round((10 * FULL_SECONDS) / SECONDS))
const CHECKS_PER_SECOND = Number(process.env['SOAK_RATE'] ?? 300)
const RETENTION_DAYS = 30
// Days appear in these steps. The first within retention is the oldest that the janitor leaves alone, plus one.
const STEPS = 12
const FIRST_PACKED = 3
const FIRST_EXPIRED = RETENTION_DAYS + 10
const FAILOVER_STEP = 6
// Rows of a packed day are dropped an hour later, in the janitor's next round.
const ROWS_GONE_MS = 65 * 60_000
const MOST_BACK_MS = 60_000
const SETTLE_MS = 240_000

const until = (what: string, isDone: () => Promise<boolean>) => waitUntil(what, isDone, SETTLE_MS)
// What a failover may cost, and one in a thousand.
const MOST_MISSED_SECONDS = 60
const MOST_MISSED_SHARE = 0.001

test(`soak for ${SECONDS} s at ${CHECKS_PER_SECOND} checks a second on a cluster: nothing is lost, nothing is kept`, async (t) => {
  const receiver = await openReceiver()
  let stack: ClusterStack | undefined
  const soak = await openSoak({
    seconds: SECONDS,
    checksPerSecond: CHECKS_PER_SECOND,
    start: async (env) => {
      stack = await startClusterStack({ rateLimit: PLENTY, env })
      return stack
    },
    roles: ['scheduler', 'probe', 'api', 'dispatcher'],
    pingRetryMs: MOST_BACK_MS,
  })
  try {
    assert.ok(stack)
    await soak.client.post('/webhook-endpoints', { url: receiver.url, eventTypes: ['*'] })
    const sinceMs = Date.now()
    const past = new PastDays(superuserUrl(stack), PAST_STEP_MINUTES)
    const [course, failover] = await Promise.all([soak.run(), happen(stack, past)])
    t.diagnostic(`a new primary after ${failover.writableMs - failover.lostMs} ms`)
    t.diagnostic(describeHeld(course.readings))
    const { calls, repeated, failures } = soak.callers
    t.diagnostic(`${calls} pings, ${repeated} repeated, ${failures} refused`)
    const disturbed = soak.disturbedMs.filter((beginMs) => beginMs >= course.firstMs)
    t.diagnostic(`${disturbed.length} of ${soak.intervals} intervals disturbed`)

    // All of them, whatever the first one says: the next try is two hours away.
    const faults: unknown[] = []
    const judge = (work: () => unknown) =>
      Promise.try(work).catch((error: unknown) => void faults.push(error))
    await judge(() => assertSlots(t, soak, course))
    await judge(() => assertEvents(t, soak, receiver, sinceMs))
    await judge(() => assertPastDays(t, past))
    await judge(() => assert.equal(failures, 0, 'pings were lost'))
    await judge(() => assertFlat(soak, course.readings))
    if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('\n'))
  } finally {
    await soak.close()
    await receiver.close()
  }
})

type Reporter = { diagnostic(text: string): void }
type Period = { firstMs: number; endMs: number }

function superuserUrl({ postgres, databaseUrl }: ClusterStack): string {
  return postgres.databaseUrl(new URL(databaseUrl).pathname.slice(1), 'postgres')
}

/** Every step a day to pack and one to drop; at half time the primary is lost. */
async function happen({ postgres }: ClusterStack, past: PastDays) {
  const stepMs = (SECONDS * 1000) / STEPS
  let failover: Awaited<ReturnType<typeof losePrimary>> | undefined
  for (let step = 1; step < STEPS; step++) {
    await sleep(stepMs)
    if (step === FAILOVER_STEP) {
      failover = await losePrimary(postgres, 'MACHINE')
      await failover.repair()
      continue
    }
    await past.write(FIRST_PACKED + step)
    await past.write(FIRST_EXPIRED + step)
  }
  assert.ok(failover)
  return failover
}

// From every slot to the next is one interval; a range of missed slots may begin before the period or end after it.
const MISSED = `
  select coalesce(sum(floor(extract(epoch from least(x.to_slot, p.last) - x.from_slot) / m.interval_seconds)
                    - ceil(extract(epoch from greatest(x.from_slot, p.first) - x.from_slot) / m.interval_seconds) + 1), 0)::int
         as missed
    from (select to_timestamp($1 / 1000.0) as first, to_timestamp($2 / 1000.0) - interval '1 ms' as last) p,
         missed x join monitors m on m.no = x.monitor_no and m.type <> 'CRON'
   where x.from_slot <= p.last and x.to_slot >= p.first`
const DOUBLED = `
  select count(*)::int as doubled from (
    select from results where kind = 0 and slot >= to_timestamp($1 / 1000.0) and slot < to_timestamp($2 / 1000.0)
     group by monitor_no, slot having count(*) > 1) twice`

async function assertSlots(t: Reporter, soak: Soak, period: Period): Promise<void> {
  const due = soak.due(period)
  const values = [period.firstMs, period.endMs]
  let [done, missed] = [0, 0]
  await until('a trace of every slot', async () => {
    done = (await soak.tally(period)).reduce((sum, { count }) => sum + count, 0)
    missed = (await soak.db.one<{ missed: number }>(MISSED, values)).missed
    return done + missed >= due
  })
  const { doubled } = await soak.db.one<{ doubled: number }>(DOUBLED, values)
  t.diagnostic(`${done} of ${due} checks, ${missed} missed with a reason, ${doubled} doubled`)
  assert.equal(done + missed, due)
  assert.equal(doubled, 0)
  const mostMissed = MOST_MISSED_SECONDS * CHECKS_PER_SECOND + MOST_MISSED_SHARE * due
  assert.ok(missed <= mostMissed, 'too many were missed')
  assertVerdicts(soak.targets.kinds, await soak.tally(period))
}

async function assertPastDays(t: Reporter, past: PastDays): Promise<void> {
  await until('all past days packed or dropped', async () => (await past.pending()).length === 0)
  t.diagnostic(`past days: ${JSON.stringify(await past.judge(RETENTION_DAYS, ROWS_GONE_MS))}`)
}

// Not of events before there was an endpoint, nor of those that are on their way.
const OWED = `
  select e.id, e.occurred_at > to_timestamp($1 / 1000.0)
         and not exists (select from deliveries d where d.event_id = e.id and d.status = 'PENDING') as owed
    from events e`

/** Every event reached the receiver, and it received nothing else. */
async function assertEvents(
  t: Reporter,
  { db }: Soak,
  receiver: Receiver,
  sinceMs: number,
): Promise<void> {
  await until('every delivery', async () => {
    return (await db.count('deliveries', `status = 'PENDING'`, [])) === 0
  })
  // Checks continue meanwhile: what was received before must be listed, and what is delivered in the list was received.
  const receivedBefore = [...receiver.received]
  const events = await db.run<{ id: string; owed: boolean }>(OWED, [sinceMs])
  const { received } = receiver
  const lost = events.filter(({ id, owed }) => owed && !received.has(id))
  const published = new Set(events.map(({ id }) => id))
  t.diagnostic(
    `${events.length} events, ${receivedBefore.length} received before they were listed, ` +
      `${received.size} afterward, by ${receiver.requests()} requests`,
  )
  assert.ok(events.length > 0)
  assert.deepEqual(lost, [], 'lost')
  assert.deepEqual(
    receivedBefore.filter((id) => !published.has(id)),
    [],
    'invented',
  )
}
