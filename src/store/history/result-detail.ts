// Why a result failed and where its time went, in the four bytes that a row of results has to spare. Each phase is a
// byte: exact up to 31 ms, then to within 3 %. A failure has its cause in place of the last phase, the wait.
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

// Every phase not measured, and no cause: kept as null.
const NOTHING = packBytes(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, NOT_MEASURED)
const NO_CAUSE = packBytes(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED, 0)

/** `causeCode` is kept of a failure, and of nothing else. Null when there is nothing to keep. */
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

// By place: a cause that is added later goes to the end of the list, or old rows would change theirs. 0 is none.
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

/** Of a failure that answered, the wait is what is left of the whole. */
function remainingMs(responseMs: number, spent: Record<string, number | null>): number {
  const spentMs = Object.values(spent).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
  return Math.max(0, responseMs - spentMs)
}

/** Exponent and mantissa: 0 to 31 as they are, then 16 steps for each doubling. */
function toByte(ms: number | undefined): number {
  if (ms === undefined) return NOT_MEASURED
  const whole = Math.max(0, Math.round(ms))
  if (whole < HIDDEN) return whole
  const exponent = 31 - Math.clz32(whole) - MANTISSA_BITS
  const mantissa = Math.round(whole / 2 ** exponent)
  // Rounded up to the next doubling, the mantissa is 32: the sum carries into the exponent by itself.
  return Math.min(((exponent + 1) << MANTISSA_BITS) + mantissa - HIDDEN, NOT_MEASURED - 1)
}

function fromByte(byte: number): number | null {
  if (byte === NOT_MEASURED) return null
  const exponent = byte >>> MANTISSA_BITS
  const mantissa = byte & (HIDDEN - 1)
  return exponent === 0 ? mantissa : (HIDDEN + mantissa) * 2 ** (exponent - 1)
}
