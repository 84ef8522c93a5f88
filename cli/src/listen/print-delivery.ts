// Formats a delivery for people and for programs.
import { clean, paint, toSafeJson } from '../terminal/text.ts'
import type { Delivery, Verdict } from './delivery.ts'
import { describeEvent } from './describe-event.ts'
import type { ReceiverResponse } from './receiver.ts'

const TYPE_WIDTH = 25
const VERDICT_WIDTH = 14
const INDENT = '    '

export function toText(delivery: Delivery, response: ReceiverResponse, verbose: boolean): string {
  const { receivedAt, verdict, type } = delivery
  const about = clean(describeEvent(type, dataOf(delivery.event)))
  const name = clean(type || 'no event').padEnd(TYPE_WIDTH)
  const details = paint('dim', `(${detailsOf(delivery, response).join(', ')})`)
  return [
    `${timeOf(receivedAt)}  ${verdictText(verdict)}${paint('bold', name)} ${about}  ${details}`,
    ...(verdict.verified === false ? [`${INDENT}${verdict.reason}: ${verdict.message}`] : []),
    ...(response.forwarded?.error
      ? [`${INDENT}not forwarded: ${clean(response.forwarded.error)}`]
      : []),
    ...(verbose ? [...headerLines(delivery), ...bodyLines(delivery), ''] : []),
  ].join('\n')
}

/** One JSON line for programs. `event` is null if the body is not JSON. */
export function toJson(delivery: Delivery, response: ReceiverResponse): string {
  const { receivedAt, verdict, event, id, type, timesSeen } = delivery
  const shown = {
    kind: 'delivery',
    receivedAt: receivedAt.toISOString(),
    id,
    type,
    about: describeEvent(type, dataOf(event)),
    verified: verdict.verified === true,
    reason: verdict.verified === false ? verdict.reason : null,
    timesSeen,
    answered: response.status,
    forwardError: response.forwarded?.error ?? null,
    event: event ?? null,
  }
  return toSafeJson(shown, 'compact')
}

function verdictText({ verified }: Verdict): string {
  if (verified === true) return paint('green', 'verified'.padEnd(VERDICT_WIDTH))
  if (verified === false) return paint('red', 'NOT VERIFIED'.padEnd(VERDICT_WIDTH))
  return paint('yellow', 'unchecked'.padEnd(VERDICT_WIDTH))
}

function detailsOf({ id, timesSeen }: Delivery, { status, forwarded }: ReceiverResponse): string[] {
  return [
    ...(id === '' ? [] : [clean(id)]),
    ...(timesSeen > 1 ? [`again: number ${timesSeen}`] : []),
    `${forwarded === undefined || forwarded.error ? 'answered' : 'forwarded, answered'} ${status}`,
  ]
}

function headerLines({ headers }: Delivery): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `${INDENT}${paint('dim', `${clean(name)}: ${clean(String(value))}`)}`,
  )
}

function bodyLines({ event, body }: Delivery): string[] {
  const text = event === undefined ? body.toString() : JSON.stringify(event, null, 2)
  return text.split('\n').map((line) => `${INDENT}${clean(line)}`)
}

function dataOf(event: unknown): unknown {
  return typeof event === 'object' && event !== null && 'data' in event ? event.data : undefined
}

function timeOf(at: Date): string {
  return at.toLocaleTimeString('en-GB')
}
