// A dispatcher: claims, sends and settles deliveries. It may die at any point in between; the receiver may then see an
// event twice, but never not at all.
import { nextDelayMs } from '../../src/domain/events/retry-schedule.ts'
import { isWithin, type Nature } from './nature.ts'
import type { DeliveryRow, Store, Tx } from './store.ts'
import type { Process, World } from './world.ts'

const POLL_MS = 500
const CLAIM_MS = 20_000
const CLAIM_LIMIT = 4
const SCHEDULE_SECONDS = [1, 2, 5, 10, 20, 40, 60, 60, 60] as const

type Deps = { world: World; store: Store; nature: Nature; received: number[] }

export function createDispatcher(deps: Deps, name: string): Process {
  const { world, store, nature, received } = deps
  const self: Process = {
    name,
    generation: 0,
    frozenUntilMs: 0,
    skewMs: 0,
    boot: () => poll(),
  }
  return self

  function poll(): void {
    store.transact(
      self,
      (tx) => claim(world, tx),
      (outcome) => {
        world.run(self, POLL_MS, poll)
        if (outcome.kind === 'COMMITTED') for (const delivery of outcome.value) begin(delivery)
      },
    )
  }

  function begin(delivery: DeliveryRow): void {
    if (world.guards('mark-before-send')) return send(delivery, (ok) => settle(delivery, ok))
    settle(delivery, true, () => send(delivery, () => {}))
  }

  function send({ eventId, attempts }: DeliveryRow, done: (ok: boolean) => void): void {
    const reply = world.replyTo(self)
    world.run(self, world.rng.int(1, 50), () => {
      const isRefused = isWithin(nature.receiverDown, world.nowMs()) || world.fault(0.1)
      if (!isRefused) received.push(eventId)
      world.log(name, `event ${eventId} attempt ${attempts}: ${isRefused ? 'refused' : 'received'}`)
      // The response may get lost: the receiver has the event, and the dispatcher does not know.
      reply(world.rng.int(1, 200), () => done(!isRefused && !world.fault(0.02)))
    })
  }

  function settle(delivery: DeliveryRow, ok: boolean, then = () => {}): void {
    const random = world.rng.next()
    store.transact(
      self,
      (tx) => settleDelivery(tx, delivery, ok, random),
      (outcome) => outcome.kind === 'COMMITTED' && then(),
    )
  }
}

// A claim is a lease: when it expires, another dispatcher takes over from one that died.
function claim(world: World, tx: Tx): DeliveryRow[] {
  const isFree = ({ claimedUntilMs }: DeliveryRow) =>
    world.guards('claim-once') ? claimedUntilMs <= tx.nowMs : claimedUntilMs === 0
  const due = [...tx.tables.deliveries.values()]
    .filter((row) => row.status === 'PENDING' && row.nextAttemptMs <= tx.nowMs && isFree(row))
    .slice(0, CLAIM_LIMIT)
  return due.map((row) => {
    const claimed = { ...row, attempts: row.attempts + 1, claimedUntilMs: tx.nowMs + CLAIM_MS }
    tx.put(tx.tables.deliveries, row.eventId, claimed)
    return claimed
  })
}

// Only the newest attempt settles: one that was overtaken no longer counts.
function settleDelivery(
  tx: Tx,
  { eventId, attempts }: DeliveryRow,
  ok: boolean,
  random: number,
): void {
  const row = tx.tables.deliveries.get(eventId)
  if (row === undefined || row.attempts !== attempts || row.status !== 'PENDING') return
  const failure = { status: 500, timedOut: false, retryAfterSeconds: null }
  const delayMs = ok ? undefined : nextDelayMs(SCHEDULE_SECONDS, attempts, failure, random)
  const status = ok ? 'SUCCEEDED' : delayMs === undefined ? 'FAILED' : 'PENDING'
  const nextAttemptMs = tx.nowMs + (delayMs ?? 0)
  tx.put(tx.tables.deliveries, eventId, { ...row, status, nextAttemptMs, claimedUntilMs: 0 })
}
