// Steps 7 to 13 of a write: replay or reserve, then the operation, its audit entry and its stored response, all in one
// transaction. A crash at any point leaves everything or nothing.
import type { BaseOperation } from '../../contract/operation.ts'
import { ApiError } from '../../platform/api-error.ts'
import { isDeadlock } from '../../store/core/db.ts'
import {
  findStoredResponse,
  lockIdempotencyKey,
  saveResponse,
} from '../../store/core/idempotency.ts'
import type { Tenants, TenantTx } from '../../store/core/tenants.ts'
import { appendEntry, nameBefore, resourceIdOf } from './audit.ts'
import { Audited } from './audited.ts'
import type { BoundOperation } from './bind.ts'
import type { Caller } from './caller.ts'
import type { ApiResponse } from './response.ts'
import { refuseTooLarge, refuseWithoutRoom } from './response-quota.ts'

type Replay = { key: string; fingerprint: Buffer }
export type Write = {
  bound: BoundOperation
  input: { params: Record<string, string>; body?: unknown }
  caller: Caller
  requestId: string
  needsSubscription: boolean
  replay?: Replay
  /** Additional context for handlers of private operations. */
  beside?: object
}

type Deps = { tenants: Tenants; baseUrl: string }

const MAX_TRIES = 3

/** A write over many monitors can deadlock with the engine's. The rollback leaves nothing behind, so it runs again. */
export async function runWrite(deps: Deps, write: Write): Promise<ApiResponse> {
  const prepared = await prepare(deps, write)
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(deps, write, prepared)
    } catch (error) {
      if (!isDeadlock(error) || tries === MAX_TRIES) throw error
    }
  }
}

/** Only for a write that will run: without a subscription it is refused before it costs anything. */
async function prepare({ tenants, baseUrl }: Deps, write: Write): Promise<unknown> {
  const { bound, input, caller, needsSubscription } = write
  if (bound.prepare === undefined || (needsSubscription && !caller.subscriptionActive))
    return undefined
  const tenant = tenants.of(caller.orgId)
  return bound.prepare(input, { ...write.beside, tenant, caller, baseUrl })
}

async function runOnce(
  { tenants, baseUrl }: Deps,
  write: Write,
  prepared: unknown,
): Promise<ApiResponse> {
  const { bound, input, caller, replay } = write
  return tenants.transaction(caller.orgId, async (tx) => {
    const known = replay && (await findReplay(tx, replay))
    if (known?.stored !== undefined) return complete(tx, bound, known.stored)

    const { operation } = bound
    requireSubscription(write)

    const context = { ...write.beside, tx, caller, baseUrl }
    const name = await nameBefore(tx, write)
    const returned = await bound.handle(input, context, prepared)
    const audited = returned instanceof Audited ? returned : new Audited(returned, {})
    const { output, detail } = audited
    if (!operation.continues) await appendEntry(tx, write, { output, detail, name })

    const { status } = operation.reply
    const body = JSON.stringify(output)
    const resourceId = resourceIdOf(input, output)
    const location = status === 201 && resourceId !== null ? addressOf(operation, resourceId) : null
    if (replay !== undefined) {
      const kept = bound.kept === undefined ? body : JSON.stringify(bound.kept.shorten(output))
      await saveResponse(tx, replay.key, replay.fingerprint, { status, body: kept, location })
      await refuseTooLarge(tx, kept, known?.quotaBytes ?? 0)
    }
    return { status, body, headers: locationHeader(location) }
  })
}

async function complete(tx: TenantTx, { kept }: BoundOperation, stored: ApiResponse) {
  if (kept === undefined) return stored
  const output = await kept.complete(JSON.parse(stored.body), tx)
  return { ...stored, body: JSON.stringify(output) }
}

/** Refuses if nothing more may be stored. */
export async function findReplay(
  tx: TenantTx,
  { key, fingerprint }: Replay,
): Promise<{ stored: ApiResponse | undefined; quotaBytes: number }> {
  if (!(await lockIdempotencyKey(tx, key))) throw inProgress()
  const { found: stored, usedBytes, quotaBytes } = await findStoredResponse(tx, key)
  if (stored === 'RESERVED') throw inProgress()
  if (stored === undefined) {
    await refuseWithoutRoom(tx, { usedBytes, quotaBytes })
    return { stored, quotaBytes }
  }
  if (!stored.fingerprint.equals(fingerprint))
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was already used for different input.',
    )
  const headers = { ...locationHeader(stored.location), 'Idempotency-Replayed': 'true' }
  return { stored: { status: stored.status, body: stored.body, headers }, quotaBytes }
}

export function requireSubscription({ needsSubscription, caller }: Write): void {
  if (caller.subscriptionActive || !needsSubscription) return
  throw new ApiError('subscription_required', 'The organization has no active subscription.')
}

export function inProgress(): ApiError {
  const message = 'An earlier request with this Idempotency-Key is still running.'
  return new ApiError('idempotency_in_progress', message, { headers: { 'Retry-After': '1' } })
}

/** Its path in an API for keys. Something added to a resource is shown with that resource. */
function addressOf({ path, shownAt }: BaseOperation, id: string): string | null {
  if (shownAt !== undefined) return `${shownAt}/${id}`
  return path.startsWith('/api/') ? `${path.split('/{', 1)[0]}/${id}` : null
}

function locationHeader(location: string | null): Record<string, string> {
  return location === null ? {} : { Location: location }
}
