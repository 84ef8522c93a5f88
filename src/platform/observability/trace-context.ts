// A position in a trace, in W3C Trace Context format: 00-<trace id>-<span id>-<flags>.
import { randomBytes } from 'node:crypto'

export type SpanContext = { traceId: string; spanId: string }

const LENGTH = 55
const SAMPLED = 1

/** Unix milliseconds with fractions. */
export const nowMs = (): number => performance.timeOrigin + performance.now()
export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

/** Only sampled contexts are passed on. */
export function toTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}

/** Undefined if it is missing or invalid. */
export function readTraceparent(text: unknown): (SpanContext & { sampled: boolean }) | undefined {
  if (typeof text !== 'string' || text.length !== LENGTH) return undefined
  const [version, traceId = '', spanId = '', flags = '', ...more] = text.split('-')
  if (version !== '00' || more.length > 0) return undefined
  if (!isId(traceId, 32) || !isId(spanId, 16) || !isHex(flags, 2)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

function isId(text: string, length: number): boolean {
  return isHex(text, length) && text !== '0'.repeat(length)
}

function isHex(text: string, length: number): boolean {
  if (text.length !== length) return false
  for (const character of text) if (!'0123456789abcdef'.includes(character)) return false
  return true
}
