import type { Recording } from '../actions/record-results.ts'
import type { Landing, ResultKind } from '../domain/landing.ts'
import type { Subject } from '../store/due.ts'
import { type FinishedCheck, NOTHING_SEEN } from './run-check.ts'

type How = {
  kind: ResultKind
  slot: Date
  regionNo: number | null
  missed?: NonNullable<Recording['missed']>
}

/** A finished check as it is recorded: with the epoch its monitor had when it was sent. */
export function checkRecording(subject: Subject, check: FinishedCheck, how: How): Recording {
  const { kind, slot, regionNo, missed } = how
  const { outcome, beganAt, endedAt, seen, facts } = check
  const landing: Landing = { kind, slot, epoch: subject.epoch, beganAt, endedAt, outcome, seen }
  const recording = (what: Landing): Recording => ({
    monitorNo: subject.no,
    regionNo,
    resolve: () => ({ landing: what, facts }),
    ...(missed && { missed }),
  })
  const undecided = {
    ...landing,
    outcome: { result: 'INCONCLUSIVE', reason: 'APPLY_ERROR' },
    seen: NOTHING_SEEN,
  } as const
  return { ...recording(landing), undecided: () => recording(undecided) }
}
