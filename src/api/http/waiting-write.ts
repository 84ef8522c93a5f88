// A write that waits on the network. No transaction may stay open that long, so a committed reservation holds the
// idempotency key and the response is stored afterwards. After a crash the reservation remains for a bounded time.
import { randomUUID } from 'node:crypto'
import {
  type Reservation,
  releaseKey,
  reserveKey,
  saveResponse,
} from '../../store/core/idempotency.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { appendEntry } from './audit.ts'
import type { ApiResponse } from './response.ts'
import { findReplay, requireSubscription, type Write } from './write.ts'

// Twice the longest check with the longest timeout, plus 10 s.
const RESERVATION_SECONDS = 2 * (60 + 1 + 10) + 10

type Deps = { tenants: Tenants; baseUrl: string }

export async function runWaitingWrite(deps: Deps, write: Write): Promise<ApiResponse> {
  const { caller, replay } = write
  if (replay === undefined) return run(deps, write, undefined)

  const reservation = { ...replay, token: randomUUID() }
  const stored = await deps.tenants.transaction(caller.orgId, async (tx) => {
    const { stored: found } = await findReplay(tx, replay)
    if (found === undefined) await reserveKey(tx, reservation, RESERVATION_SECONDS)
    return found
  })
  if (stored !== undefined) return stored
  try {
    return await run(deps, write, reservation)
  } catch (error) {
    // After any failure, the key may be used again with any input.
    await deps.tenants.transaction(caller.orgId, (tx) => releaseKey(tx, reservation))
    throw error
  }
}

async function run(
  { tenants, baseUrl }: Deps,
  write: Write,
  reservation: Reservation | undefined,
): Promise<ApiResponse> {
  const { bound, input, caller } = write
  requireSubscription(write)
  const output = await bound.handle(input, { ...write.beside, tenants, caller, baseUrl })
  const reply = { status: bound.operation.reply.status, body: JSON.stringify(output) }
  await tenants.transaction(caller.orgId, async (tx) => {
    // Its object is the one in the path, whatever it found.
    await appendEntry(tx, write, { output: {}, detail: {} })
    if (reservation === undefined) return
    const { key, fingerprint } = reservation
    await saveResponse(tx, key, fingerprint, { ...reply, location: null })
  })
  return reply
}
