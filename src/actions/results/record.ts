// Records the results of checks, pings and deadlines: results, states, spans, incidents and events of a batch, in one
// transaction. Nothing else changes a monitor's state based on observations.
import type { Database, Tx } from '../../store/core/db.ts'
import { assertLease, type Lease } from '../../store/core/leases.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { insertRegionResults } from '../../store/history/region-results.ts'
import {
  insertMissed,
  insertNewResults,
  insertResults,
  isCollision,
} from '../../store/history/results.ts'
import { beginSpans } from '../../store/history/state-spans.ts'
import { writeProofs } from '../../store/monitors/region-proofs.ts'
import { type EngineMonitor, lockStates } from '../../store/monitors/states.ts'
import { type MonitorStateWrite, writeStates } from '../../store/monitors/write-states.ts'
import { inRounds } from '../in-rounds.ts'
import { countTransitions } from './count-transitions.ts'
import { publishTransitions } from './publish-transitions.ts'
import { ResultBatch, type ResultWrite } from './result-batch.ts'

export type RecordDeps = {
  database: Database
  secrets: OrganizationSecrets
  /** Called after each commit, for metrics. */
  onRecorded?(rows: Pick<ResultBatch, 'results' | 'missed' | 'steps' | 'beganMs'>): void
}
/** Other rows to write and commit together with these results. */
type AlsoWrite = (tx: Tx, writes: readonly ResultWrite[]) => Promise<void>
type WriteOptions = { lease: Lease | undefined; beside: AlsoWrite }
type Monitors = Map<number, EngineMonitor>

// Windows that ended earlier cannot cover a check result that arrives now.
const WINDOW_MEMORY_MS = 10 * 60_000

/** The monitor has changed since it was read. */
class StaleVersion extends Error {}

/**
 * Returns the new state of each monitor, without deleted ones. Throws LeaseLost if fenced off. A batch that fails may
 * be partly recorded: recording it again changes nothing.
 */
export async function recordResults(
  deps: RecordDeps,
  lease: Lease | undefined,
  writes: readonly ResultWrite[],
  alsoWrite: AlsoWrite = async () => {},
): Promise<Monitors> {
  const options = { lease, beside: alsoWrite }
  const fast = isEachOnce(writes) ? await recordFast(deps, options, writes) : NOTHING
  const left = writes.filter((write) => !fast.recorded.has(write))
  if (left.length === 0) return fast.monitors
  const locked = await recordLocked(deps, options, left)
  return new Map([...fast.monitors, ...locked])
}

type Recorded = { recorded: ReadonlySet<ResultWrite>; monitors: Monitors }
const NOTHING: Recorded = { recorded: new Set(), monitors: new Map() }

function isEachOnce(writes: readonly ResultWrite[]): boolean {
  return new Set(writes.map(({ monitorNo }) => monitorNo)).size === writes.length
}

/**
 * Most checks change only the latest values of a monitor that nothing else changes. They are recorded from the known
 * state without locking or reading, provided that the row is still the same. Everything else is left.
 */
async function recordFast(
  { database, onRecorded }: RecordDeps,
  { lease, beside: alsoWrite }: WriteOptions,
  writes: readonly ResultWrite[],
): Promise<Recorded> {
  if (writes.every(({ known }) => known === undefined)) return NOTHING
  try {
    const { batch, ...outcome } = await database.transaction(undefined, async (tx) => {
      if (lease !== undefined) await assertLease(tx, lease)
      const batch = new ResultBatch(tx.now)
      const fast = writes.filter((write) => batch.applyFast(write))
      if (fast.length === 0) return { ...NOTHING, batch }

      await writeMonitors(tx, batch, lease)
      await insertNewResults(tx, batch.results)
      await insertRegionResults(tx, batch.regions)
      await insertMissed(tx, batch.missed)
      await writeProofs(tx, batch.proofs)
      await alsoWrite(tx, fast)
      return { recorded: new Set(fast), monitors: batch.monitors, batch }
    })
    onRecorded?.(batch)
    return outcome
  } catch (error) {
    if (error instanceof StaleVersion || isCollision(error)) return NOTHING
    throw error
  }
}

/** Others that hold the lock of a state row (people, windows) have finished writing before it is read here. */
async function recordLocked(
  { database, secrets, onRecorded }: RecordDeps,
  { lease, beside: alsoWrite }: WriteOptions,
  writes: readonly ResultWrite[],
): Promise<Monitors> {
  const { recorded, published } = await database.transaction(undefined, async (tx) => {
    if (lease !== undefined) await assertLease(tx, lease)
    const numbers = [...new Set(writes.map(({ monitorNo }) => monitorNo))]
    const batch = new ResultBatch(tx.now)
    batch.load(await lockStates(tx, numbers, windowsSince(tx)))
    batch.applyAll(writes)

    await writeMonitors(tx, batch, lease)
    await insertResults(tx, batch.results)
    await insertRegionResults(tx, batch.regions)
    await insertMissed(tx, batch.missed)
    await writeProofs(tx, batch.proofs)
    for (const round of inRounds(batch.spans, (span) => span.monitorNo)) await beginSpans(tx, round)
    const published = await publishTransitions(tx, secrets, batch.steps)
    await alsoWrite(tx, writes)
    return { recorded: batch, published }
  })
  onRecorded?.(recorded)
  await countTransitions(database, published)
  return recorded.monitors
}

function windowsSince({ now }: Tx): Date {
  return new Date(now.getTime() - WINDOW_MEMORY_MS)
}

async function writeMonitors(tx: Tx, batch: ResultBatch, lease: Lease | undefined): Promise<void> {
  const changes = batch.changes().map(({ before, after }): MonitorStateWrite => {
    const tellsOwner = lease === undefined && isSooner(after.nextDueAt, before.nextDueAt)
    return { before, after, notifiesOwner: tellsOwner }
  })
  const version = await writeStates(tx, changes)
  if (version === undefined) throw new StaleVersion()
  for (const { after } of changes) after.version = version
}

/** The shard's owner polls when the old slot is due, so it must be notified of an earlier one. */
function isSooner(next: Date | null, known: Date | null): boolean {
  return next !== null && (known === null || next < known)
}
