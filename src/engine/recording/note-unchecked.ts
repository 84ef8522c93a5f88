// Notes, after each check, which monitors their owners have to be notified of: those without a result for a while, and
// those that fail from home alone. Nothing is written about the others, and nothing is remembered that the next check does
// not show again, so that a restart loses no note.
import { type FailureAtHome, noteHomeFailures } from '../../actions/alerts/note-home-failures.ts'
import { sendsOnce } from '../../domain/monitors/confirmation.ts'
import { isNoteDue, lastResultAt, notifyUncheckedAt } from '../../domain/regions/unchecked.ts'
import { Batcher } from '../../platform/limits/batcher.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { type LeftOutNote, noteLeftOut } from '../../store/alerts/left-out-notes.ts'
import {
  noteChecked,
  noteUnchecked,
  type UncheckedNote,
} from '../../store/alerts/monitor-notices.ts'
import type { Database } from '../../store/core/db.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import type { FinishedCheck, LeftOut } from '../probing/run-check.ts'

type NoteDeps = { database: Database; log: Log; now(): Date }

type Note =
  | { what: 'UNCHECKED'; note: UncheckedNote }
  | { what: 'CHECKED'; note: { monitorNo: number } }
  | { what: 'LEFT_OUT'; note: LeftOutNote & { isSinceKnown: boolean } }
  | { what: 'FAILS_FROM_HOME'; note: FailureAtHome }

const BATCHING = {
  gatherMs: 200,
  gatherMoreMs: 300,
  maxBatch: 500,
  backlogThreshold: 500,
  maxConcurrent: 1,
}
// How long a region may be left out of its checks before the owners are notified.
const LEFT_OUT_MS = 5 * 60_000
/** More are left to the next check of their monitors. */
const MAX_WAITING = 10_000
// Written notes are written again now and then, in case one was deleted by mistake.
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 1_000_000

export class MonitorNotes {
  readonly #deps: NoteDeps
  readonly #batcher: Batcher<Note>
  /** What was written lately: the note by monitor. */
  readonly #written = new Map<string, string>()
  #forgetAtMs = 0

  constructor(deps: NoteDeps) {
    this.#deps = deps
    const work = (batch: Note[]) => watched('note monitors', () => this.#write(batch))
    this.#batcher = new Batcher({ ...BATCHING, work })
  }

  /** A regular check has finished. */
  checked(monitor: DueMonitor, check: FinishedCheck): void {
    const now = this.#deps.now()
    const { no: monitorNo } = monitor
    const { outcome } = check
    if (outcome.result === 'OK') this.#passed(monitor, check)
    if (check.leftOut !== undefined) this.#leftOut(monitorNo, check.leftOut, now)
    if (!isNoteDue(monitor, now)) return
    if (outcome.result !== 'INCONCLUSIVE')
      return this.#add({ what: 'CHECKED', note: { monitorNo } })
    const note = {
      monitorNo,
      since: lastResultAt(monitor),
      reason: outcome.reason,
      region: check.region ?? check.base ?? null,
      notifyAt: notifyUncheckedAt(monitor, now),
    }
    this.#add({ what: 'UNCHECKED', note })
  }

  /** A probe that is restarted is no news. */
  #leftOut(monitorNo: number, { since: seenAt, ...leftOut }: LeftOut, now: Date): void {
    const since = seenAt ?? now
    const absentMs = now.getTime() - since.getTime()
    if (leftOut.reason === 'NO_PROBE' && seenAt !== null && absentMs < LEFT_OUT_MS / 2) return
    const notifyAt = new Date(Math.max(since.getTime() + LEFT_OUT_MS, now.getTime()))
    const note = { monitorNo, ...leftOut, since, notifyAt, isSinceKnown: seenAt !== null }
    this.#add({ what: 'LEFT_OUT', note })
  }

  drained(): Promise<void> {
    return this.#batcher.drained()
  }

  /** Its home has not reached it since an earlier check, in which another region did. */
  #passed(monitor: DueMonitor, { home, region, isPrivate }: FinishedCheck): void {
    const proof = monitor.proofs.find((one) => one.region === home)
    if (home === undefined || region === null || region === home || !proof?.lostAt) return
    const isHttp = monitor.type === 'HTTP'
    const note = {
      monitorNo: monitor.no,
      since: proof.lostAt,
      region: home,
      otherRegion: region,
      triedAt: proof.triedAt,
      isTried: !isPrivate && !(isHttp && sendsOnce(monitor.method)),
    }
    this.#add({ what: 'FAILS_FROM_HOME', note })
  }

  #add(note: Note): void {
    if (this.#batcher.waiting >= MAX_WAITING) return
    if (note.what !== 'CHECKED' && this.#written.get(keyOf(note)) === contentOf(note)) return
    this.#batcher.add(note)
  }

  async #write(batch: readonly Note[]): Promise<void> {
    try {
      const { database } = this.#deps
      await noteUnchecked(database, latestOf(batch, 'UNCHECKED'))
      await noteLeftOut(database, latestOf(batch, 'LEFT_OUT'))
      await noteChecked(
        database,
        latestOf(batch, 'CHECKED').map(({ monitorNo }) => monitorNo),
      )
      const failures = latestOf(batch, 'FAILS_FROM_HOME')
      const settled = new Set(await noteHomeFailures(database, failures))
      this.#remember(batch, settled)
    } catch (err) {
      this.#deps.log.warn({ err, notes: batch.length }, 'notes about monitors could not be written')
    }
  }

  #remember(batch: readonly Note[], settled: ReadonlySet<number>): void {
    const nowMs = performance.now()
    if (nowMs >= this.#forgetAtMs || this.#written.size >= MAX_REMEMBERED) {
      this.#written.clear()
      this.#forgetAtMs = nowMs + REMEMBERED_MS
    }
    for (const one of batch) {
      const { monitorNo } = one.note
      if (one.what === 'CHECKED') this.#written.delete(`UNCHECKED ${monitorNo}`)
      else if (one.what !== 'FAILS_FROM_HOME' || settled.has(monitorNo))
        this.#written.set(keyOf(one), contentOf(one))
    }
  }
}

const keyOf = ({ what, note }: Note): string => `${what} ${note.monitorNo}`

function contentOf({ what, note }: Exclude<Note, { what: 'CHECKED' }>): string {
  const since = note.since.getTime()
  // Otherwise it is the time of this check, and the first one counts.
  if (what === 'LEFT_OUT') return `${note.reason} ${note.region} ${note.isSinceKnown ? since : ''}`
  return what === 'UNCHECKED' ? `${since} ${note.reason} ${note.region}` : `${since}`
}

/** Each monitor once, as a statement changes a row only once. */
function latestOf<W extends Note['what']>(batch: readonly Note[], what: W) {
  type Own = Extract<Note, { what: W }>
  const own = batch.filter((one): one is Own => one.what === what)
  return [...new Map(own.map(({ note }) => [note.monitorNo, note as Own['note']])).values()]
}
