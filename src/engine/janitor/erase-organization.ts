// Deletes an organization completely: `upvane org delete`, and a deletion whose grace is over. Only an operator log
// entry with its id and row counts remains. If interrupted, run it again: it resumes where it stopped.
import { setTimeout as delay } from 'node:timers/promises'
import { toPublicId } from '../../domain/values/id.ts'
import { type Database, isDeadlock, type Tx } from '../../store/core/db.ts'
import { appendOperatorLine, deleteOperatorLines } from '../../store/core/operator-log.ts'
import { purgeMonitors } from '../../store/history/purge.ts'
import * as erase from '../../store/operating/erase-organization.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const MONITORS = 100
const HISTORY_ROWS = 5000
const PAUSE_MS = 20
const MAX_TRIES = 10
const POLL_MS = 250
// Longer than any statement of the service may take.
const MAX_WAIT_MS = 30_000
// An open transaction may have written again while rows were deleted.
const MAX_ROUNDS = 5

type DeletedRows = Record<string, number>
type DeletedOrganization = { id: string; removed: DeletedRows; rows: number }

type ErasureOptions = {
  /** Whom the operator log names. */
  operator: string
  /** Ends it between two batches. */
  stopping?: () => boolean
}
type Erasure = Required<ErasureOptions> & {
  database: Database
  orgId: string
  counts: DeletedRows
  monitorNos: Set<number>
}

/** The process is stopping. What is left is deleted the next time. */
export class ErasureStopped extends Error {}

export async function eraseOrganization(
  database: Database,
  orgId: string,
  { operator, stopping = () => false }: ErasureOptions,
): Promise<DeletedOrganization> {
  const own = { counts: {}, monitorNos: new Set<number>() }
  const erasure: Erasure = { database, orgId, operator, stopping, ...own }
  await erase.markDeleted(database, orgId)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const removed = await sweepAll(erasure)
    if (round > 0 && removed === 0) break
    await waitForStragglers(erasure)
  }
  await purgeHistories(erasure)
  await database.transaction(undefined, (tx) => finish(tx, erasure))
  // For monitors that were created at the last moment.
  await purgeHistories(erasure)
  return outcomeOf(erasure)
}

async function sweepAll(erasure: Erasure): Promise<number> {
  // Before their monitors: a monitor may have many, and one statement would delete them all.
  let total = await sweepTable(erasure, 'incidents')
  total += await sweepMonitors(erasure)
  for (const table of erase.SWEPT) total += await sweepTable(erasure, table)
  for (const table of erase.ERASED_IN_ORDER) total += await walkTable(erasure, table)
  return total
}

async function sweepMonitors(erasure: Erasure): Promise<number> {
  const { database, orgId, counts, monitorNos } = erasure
  let removed = 0
  for (;;) {
    continueOrStop(erasure)
    const gone = await retried(() => erase.eraseMonitors(database, orgId, MONITORS))
    for (const no of gone) monitorNos.add(no)
    removed += gone.length
    count(counts, 'monitors', gone.length)
    if (gone.length === 0) return removed
    await delay(PAUSE_MS)
  }
}

async function sweepTable(erasure: Erasure, table: string): Promise<number> {
  const { database, orgId, counts } = erasure
  let total = 0
  for (;;) {
    continueOrStop(erasure)
    const { removed, finished } = await retried(() =>
      database.transaction(undefined, (tx) => erase.sweepBatch(tx, orgId, table)),
    )
    total += removed
    count(counts, table, removed)
    if (finished) return total
    await delay(PAUSE_MS)
  }
}

async function walkTable(erasure: Erasure, table: string): Promise<number> {
  const { database, orgId, counts } = erasure
  let total = 0
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    continueOrStop(erasure)
    const from: string = after
    const { removed, next } = await retried(() => erase.eraseBatch(database, orgId, table, from))
    total += removed
    count(counts, table, removed)
    after = next
    await delay(PAUSE_MS)
  }
  return total
}

/** Waits until every open transaction has ended, as it may have seen the organization. */
async function waitForStragglers(erasure: Erasure): Promise<void> {
  const { database } = erasure
  const horizon = await erase.findHorizon(database)
  const endMs = performance.now() + MAX_WAIT_MS
  while (performance.now() < endMs && !(await erase.hasPassed(database, horizon))) {
    continueOrStop(erasure)
    await delay(POLL_MS)
  }
}

async function purgeHistories(erasure: Erasure): Promise<void> {
  const { database, counts, monitorNos } = erasure
  const left = [...monitorNos]
  while (left.length > 0) {
    continueOrStop(erasure)
    const { removed, finished } = await purgeMonitors(
      database,
      left.slice(0, MONITORS),
      HISTORY_ROWS,
    )
    count(counts, 'history', removed)
    left.splice(0, finished)
    if (removed > 0) await delay(PAUSE_MS)
  }
  monitorNos.clear()
}

/** Anything committed before the lock is deleted here; anything later finds no organization. */
async function finish(tx: Tx, erasure: Erasure): Promise<void> {
  const { orgId, operator, counts, monitorNos } = erasure
  // Another process was faster, and recorded it.
  if (!(await erase.lockToErase(tx, orgId))) return
  for (const no of await erase.eraseMonitorsIn(tx, orgId, MONITORS)) monitorNos.add(no)
  for (const table of erase.SWEPT)
    count(counts, table, (await erase.sweepBatch(tx, orgId, table)).removed)
  await erase.deleteOrganizationRow(tx, orgId)
  await deleteOperatorLines(tx, { organizationId: orgId })
  count(counts, 'organizations', 1)
  const detail = { removed: counts }
  await appendOperatorLine(tx, { operator, action: 'org delete', organizationId: orgId, detail })
}

function continueOrStop({ stopping }: Erasure): void {
  if (stopping()) throw new ErasureStopped()
}

/** PostgreSQL aborts one side of a deadlock, which may be ours. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || tries >= MAX_TRIES) throw error
      await delay(PAUSE_MS * tries)
    }
}

function count(counts: DeletedRows, table: string, removed: number): void {
  if (removed > 0) counts[table] = (counts[table] ?? 0) + removed
}

function outcomeOf({ orgId, counts }: Erasure): DeletedOrganization {
  const rows = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return { id: toPublicId('org', orgId), removed: counts, rows }
}
