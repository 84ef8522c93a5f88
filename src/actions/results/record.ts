// What checks, pings and deadlines leave behind: results, states, spans, incidents and events of a whole
// batch, in one transaction. Nothing else moves a monitor's state by what was seen.
import type { Database, Tx } from '../../store/core/db.ts'
import { assertLease, type Lease } from '../../store/core/leases.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import {
  insertMissed,
  insertNewResults,
  insertResults,
  isCollision,
} from '../../store/history/results.ts'
import { beginSpans } from '../../store/history/state-spans.ts'
import { type EngineMonitor, lockStandings } from '../../store/monitors/states.ts'
import { type Change, writeStandings } from '../../store/monitors/write-states.ts'
import { inRounds } from '../in-rounds.ts'
import { Batch, type Recording } from './batch.ts'
import { tellSteps } from './publish-transitions.ts'

export type RecordDeps = {
  database: Database
  secrets: OrganizationSecrets
  /** Called after each commit, for what is counted. */
  onRecorded?(rows: Pick<Batch, 'results' | 'missed' | 'steps' | 'beganMs'>): void
}
/** What is written beside these recordings, and committed with them. */
type Beside = (tx: Tx, recordings: readonly Recording[]) => Promise<void>
type Ask = { lease: Lease | undefined; beside: Beside }
type Monitors = Map<number, EngineMonitor>

// Windows that ended longer ago cannot cover a check that is landing now.
const WINDOW_MEMORY_MS = 10 * 60_000

/** A monitor is no longer as it was known. */
class Overtaken extends Error {}

/**
 * Returns each monitor as it then is; one that is gone is missing. Throws LeaseLost when fenced off. Of a
 * batch that fails a part may be recorded: recorded again it changes nothing.
 */
export async function recordResults(
  deps: RecordDeps,
  lease: Lease | undefined,
  recordings: readonly Recording[],
  beside: Beside = async () => {},
): Promise<Monitors> {
  const ask = { lease, beside }
  const plain = isEachOnce(recordings) ? await recordPlain(deps, ask, recordings) : NOTHING
  const left = recordings.filter((recording) => !plain.recorded.has(recording))
  if (left.length === 0) return plain.monitors
  const locked = await recordLocked(deps, ask, left)
  return new Map([...plain.monitors, ...locked])
}

type Recorded = { recorded: ReadonlySet<Recording>; monitors: Monitors }
const NOTHING: Recorded = { recorded: new Set(), monitors: new Map() }

function isEachOnce(recordings: readonly Recording[]): boolean {
  return new Set(recordings.map(({ monitorNo }) => monitorNo)).size === recordings.length
}

/**
 * Most checks change nothing but the latest values of a monitor that nobody else touches. They are recorded
 * by what was known when it was looked at: neither locked nor read again, but written only if the row is
 * still the one that was read. Everything else is left.
 */
async function recordPlain(
  { database, onRecorded }: RecordDeps,
  { lease, beside }: Ask,
  recordings: readonly Recording[],
): Promise<Recorded> {
  if (recordings.every(({ known }) => known === undefined)) return NOTHING
  try {
    const { batch, ...outcome } = await database.transaction(undefined, async (tx) => {
      if (lease !== undefined) await assertLease(tx, lease)
      const batch = new Batch(tx.now)
      const plain = recordings.filter((recording) => batch.foldPlain(recording))
      if (plain.length === 0) return { ...NOTHING, batch }

      await writeMonitors(tx, batch, lease)
      await insertNewResults(tx, batch.results)
      await insertMissed(tx, batch.missed)
      await beside(tx, plain)
      return { recorded: new Set(plain), monitors: batch.monitors, batch }
    })
    onRecorded?.(batch)
    return outcome
  } catch (error) {
    if (error instanceof Overtaken || isCollision(error)) return NOTHING
    throw error
  }
}

/** Whoever holds the lock of a state row (people, windows) has written all there is to know before we read. */
async function recordLocked(
  { database, secrets, onRecorded }: RecordDeps,
  { lease, beside }: Ask,
  recordings: readonly Recording[],
): Promise<Monitors> {
  const recorded = await database.transaction(undefined, async (tx) => {
    if (lease !== undefined) await assertLease(tx, lease)
    const numbers = [...new Set(recordings.map(({ monitorNo }) => monitorNo))]
    const batch = new Batch(tx.now)
    batch.know(await lockStandings(tx, numbers, windowsSince(tx)))
    batch.fold(recordings)

    await writeMonitors(tx, batch, lease)
    await insertResults(tx, batch.results)
    await insertMissed(tx, batch.missed)
    for (const round of inRounds(batch.spans, (span) => span.monitorNo)) await beginSpans(tx, round)
    await tellSteps(tx, secrets, batch.steps)
    await beside(tx, recordings)
    return batch
  })
  onRecorded?.(recorded)
  return recorded.monitors
}

function windowsSince({ now }: Tx): Date {
  return new Date(now.getTime() - WINDOW_MEMORY_MS)
}

async function writeMonitors(tx: Tx, batch: Batch, lease: Lease | undefined): Promise<void> {
  const changes = batch.changes().map(({ before, after }): Change => {
    const tellsOwner = lease === undefined && isSooner(after.nextDueAt, before.nextDueAt)
    return { before, after, tellsOwner }
  })
  const version = await writeStandings(tx, changes)
  if (version === undefined) throw new Overtaken()
  for (const { after } of changes) after.version = version
}

/** The owner of the shard looks when the old slot comes; of what is due before that it must be told. */
function isSooner(next: Date | null, known: Date | null): boolean {
  return next !== null && (known === null || next < known)
}
