// What a probe reports, validated: a probe runs elsewhere, may be older or newer than this process, and may lie.
import { isDuration } from '../../bus/messages.ts'
import {
  type AttemptEvidence,
  type CheckCauseCode,
  type CheckFinding,
  INCONCLUSIVE_REASONS,
} from '../../checks/check.ts'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import type { ProbeFinding } from './probe.ts'

const MAX_TEXT = 4_000
const MAX_ANSWERS = 1_000
const MAX_ANSWER = 4_000
const [LEAST_STATUS, MOST_STATUS] = [100, 999]
// The years that ISO 8601 writes with four digits.
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')
// It is only shown, so that it need not exist.
const ADDRESS = /^[0-9a-f.:]{2,45}(?:%\w{1,16})?$/i
const CAUSE = /^[A-Z][A-Z0-9_]{0,63}$/
const PHASES = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const

const CHECK_CAUSES: ReadonlySet<string> = new Set(
  CAUSE_CODES.filter((code) => code !== 'HEARTBEAT_MISSED' && code !== 'HEARTBEAT_FAILED'),
)

type Said = Readonly<Record<string, unknown>>

/**
 * Undefined if it is no finding: then it says nothing about the target, and something about the probe. `isNewer`: whether
 * the probe runs a later version than this process, and may know causes that it does not.
 */
export function readFinding(attempt: unknown, isNewer: () => boolean): ProbeFinding | undefined {
  if (typeof attempt !== 'object' || attempt === null) return undefined
  const said = attempt as Said
  const { durationMs, sent, stalled, controlReached = null } = said
  const finding = readOutcome(said, isNewer)
  if (finding === undefined || !isDuration(durationMs)) return undefined
  if (typeof sent !== 'boolean' || typeof stalled !== 'boolean') return undefined
  if (controlReached !== null && typeof controlReached !== 'boolean') return undefined
  return { ...finding, durationMs, sent, stalled, controlReached }
}

function readOutcome(said: Said, isNewer: () => boolean): CheckFinding | undefined {
  const { outcome, reason, detail } = said
  if (outcome === 'INCONCLUSIVE') {
    if (typeof reason !== 'string' || typeof detail !== 'string') return undefined
    // The reason is a label of a metric: one that only a newer probe knows must not add another.
    const known = INCONCLUSIVE_REASONS.find((one) => one === reason)
    return {
      outcome,
      reason: known ?? 'PROBE_ERROR',
      detail: cut(`${reason}: ${detail}`, MAX_TEXT),
    }
  }
  const evidence = readEvidence(said)
  if (evidence === undefined) return undefined
  if (outcome === 'OK') return { outcome, ...evidence }
  const failure = outcome === 'FAILED' ? readFailure(said, isNewer) : undefined
  return failure === undefined ? undefined : { ...failure, ...evidence }
}

function readFailure({ causeCode, cause, silent = false }: Said, isNewer: () => boolean) {
  const known = readCause(causeCode, isNewer)
  if (known === undefined || typeof cause !== 'string' || typeof silent !== 'boolean')
    return undefined
  const text = cut(cause, MAX_TEXT)
  return { outcome: 'FAILED', causeCode: known, cause: text, ...(silent && { silent }) } as const
}

/** A cause that only a newer probe knows is a failure nevertheless, so that an upgrade hides none. */
function readCause(code: unknown, isNewer: () => boolean): CheckCauseCode | undefined {
  if (typeof code !== 'string') return undefined
  if (isCheckCause(code)) return code
  const isUnknown = CAUSE.test(code) && !CAUSE_CODES.some((known) => known === code)
  return isUnknown && isNewer() ? 'INVALID_RESPONSE' : undefined
}

const isCheckCause = (code: string): code is CheckCauseCode => CHECK_CAUSES.has(code)

const EVIDENCE: Readonly<Record<keyof AttemptEvidence, (value: unknown) => unknown>> = {
  responseMs: (value) => (isDuration(value) ? Math.round(value) : undefined),
  httpStatus: (value) => (isStatus(value) ? value : undefined),
  resolvedIp: (value) => (typeof value === 'string' && ADDRESS.test(value) ? value : undefined),
  timings: readTimings,
  certExpiresAt: readMoment,
  domainExpiresAt: readMoment,
  // Made readable where it is used; older probes send none.
  issuer: (value) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : null),
  dnsAnswers: readAnswers,
  bodyExcerpt: readText,
}

/** Undefined if any part is not what it should be. What is unknown here, or null after reading, is left out. */
function readEvidence(said: Said): AttemptEvidence | undefined {
  const evidence: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(EVIDENCE)) {
    if (said[name] === undefined) continue
    const value = read(said[name])
    if (value === undefined) return undefined
    if (value !== null) evidence[name] = value
  }
  return evidence
}

function readTimings(value: unknown): AttemptEvidence['timings'] {
  if (typeof value !== 'object' || value === null) return undefined
  const said = value as Said
  const known = PHASES.filter((phase) => said[phase] !== undefined)
  if (!known.every((phase) => isDuration(said[phase]))) return undefined
  return Object.fromEntries(known.map((phase) => [phase, Math.round(said[phase] as number)]))
}

/** Null if nothing can store it: a target chooses it, so the probe is not to blame. */
function readMoment(value: unknown): string | null | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) return undefined
  return ms >= FIRST_MOMENT && ms <= LAST_MOMENT ? new Date(ms).toISOString() : null
}

function readAnswers(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || !value.every((answer) => typeof answer === 'string'))
    return undefined
  return value.slice(0, MAX_ANSWERS).map((answer) => cut(answer, MAX_ANSWER))
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? cut(value, MAX_TEXT) : undefined
}

/** As PostgreSQL can store it: texts come from targets. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replaceAll('\0', '').toWellFormed()
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= LEAST_STATUS && Number(value) <= MOST_STATUS
}
