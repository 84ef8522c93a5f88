// Packs a result's failure cause and timings into the four bytes that a row of results has to spare. Each phase is one
// byte: exact up to 31 ms, then within 3%. A failure stores its cause in place of the last phase, the wait.
import type { EvidenceTimings } from '../../domain/incidents/evidence.ts'
import { CAUSE_CODES, type CauseCode } from '../../domain/incidents/incident.ts'

export type ResultTimings = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
}
type ResultDetail = { causeCode: CauseCode | null; timings: ResultTimings | null }

const NOT_MEASURED = 255
const MANTISSA_BITS = 4
const HIDDEN = 1 << MANTISSA_BITS

// No phase measured and no cause: stored as null.
const NOTHING = packBytes(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED)
const NO_CAUSE = packBytes(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, 0)

/** Keeps `causeCode` only for failures. Null if there is nothing to store. */
export function packDetail(
  failed: boolean,
  causeCode: CauseCode | null,
  timings: EvidenceTimings | null,
): number | null {
  const last = failed ? causeByte(causeCode) : toByte(timings?.firstByteMs)
  const phases = [
    toByte(timings?.dnsMs),
    toByte(timings?.connectMs),
    toByte(timings?.tlsMs),
  ] as const
  const packed = packBytes(...phases, last)
  return packed === (failed ? NO_CAUSE : NOTHING) ? null : packed
}

function packBytes(dns: number, connect: number, tls: number, last: number): number {
  return dns | (connect << 8) | (tls << 16) | (last << 24)
}

// The position in the list plus one; 0 means none. Add new causes at the end, or old rows would change theirs.
function causeByte(code: CauseCode | null): number {
  return code === null ? 0 : CAUSE_CODES.indexOf(code) + 1
}

type Row = {
  failed: boolean
  detail: number | null
  responseMs: number | null
  httpStatus: number | null
}

export function unpackDetail({ failed, detail, responseMs, httpStatus }: Row): ResultDetail {
  if (detail === null) return { causeCode: null, timings: null }
  const phase = (bits: number) => fromByte((detail >>> bits) & 255)
  const known = { dnsMs: phase(0), connectMs: phase(8), tlsMs: phase(16) }
  if (!failed) return { causeCode: null, timings: { ...known, firstByteMs: phase(24) } }
  const answered = responseMs !== null && httpStatus !== null
  const timings = { ...known, firstByteMs: answered ? remainingMs(responseMs, known) : null }
  const isMeasured = Object.values(timings).some((ms) => ms !== null)
  return {
    causeCode: CAUSE_CODES[(detail >>> 24) - 1] ?? null,
    timings: isMeasured ? timings : null,
  }
}

/** For a failure with a response, the wait is what remains of the total. */
function remainingMs(responseMs: number, spent: Record<string, number | null>): number {
  const spentMs = Object.values(spent).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  return Math.max(0, responseMs - spentMs)
}

/** Exponent and mantissa: 0 to 31 exactly, then 16 steps per doubling. */
function toByte(ms: number | undefined): number {
  if (ms === undefined) return NOT_MEASURED
  const whole = Math.max(0, Math.round(ms))
  if (whole < HIDDEN) return whole
  const exponent = 31 - Math.clz32(whole) - MANTISSA_BITS
  const mantissa = Math.round(whole / 2 ** exponent)
  // A mantissa rounded up to 32 carries over into the exponent.
  return Math.min(((exponent + 1) << MANTISSA_BITS) + mantissa - HIDDEN, NOT_MEASURED - 1)
}

function fromByte(byte: number): number | null {
  if (byte === NOT_MEASURED) return null
  const exponent = byte >>> MANTISSA_BITS
  const mantissa = byte & (HIDDEN - 1)
  return exponent === 0 ? mantissa : (HIDDEN + mantissa) * 2 ** (exponent - 1)
}
