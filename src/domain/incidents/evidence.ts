// What is kept of a check that opened, prolonged or ended an incident, in the form the API shows.
import { toPublicId } from '../values/id.ts'
import type { CauseCode } from './incident.ts'

type EvidenceAttempt = {
  startedAt: Date
  /** Where the attempt ran. Stored, but not part of the documented API. */
  region?: string
  outcome: 'OK' | 'FAILED'
  causeCode: CauseCode | null
  responseMs: number | null
  httpStatus: number | null
}

export type EvidenceTimings = {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
  firstByteMs?: number
}

export type EvidenceInput = {
  checkedAt: Date
  location: string
  outcome: 'OK' | 'FAILED'
  causeCode: CauseCode | null
  cause: string | null
  responseMs: number | null
  httpStatus: number | null
  resolvedIp: string | null
  timings: EvidenceTimings | null
  certExpiresAt: Date | null
  dnsAnswers: string[] | null
  bodyExcerpt: string | null
  attempts: readonly EvidenceAttempt[]
}

export function toEvidence(uuid: string, facts: EvidenceInput) {
  const { checkedAt, certExpiresAt, timings, attempts, ...rest } = facts
  return {
    checkId: toPublicId('chk', uuid),
    checkedAt: checkedAt.toISOString(),
    ...rest,
    timings: timings && {
      dnsMs: timings.dnsMs ?? null,
      connectMs: timings.connectMs ?? null,
      tlsMs: timings.tlsMs ?? null,
      firstByteMs: timings.firstByteMs ?? null,
    },
    certExpiresAt: certExpiresAt === null ? null : certExpiresAt.toISOString(),
    attempts: attempts.map(({ startedAt, ...attempt }, index) => ({
      number: index + 1,
      startedAt: startedAt.toISOString(),
      ...attempt,
    })),
  }
}
export type Evidence = ReturnType<typeof toEvidence>
