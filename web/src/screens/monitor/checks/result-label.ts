// The result of one check in a word. Pure.

import type { MonitorType } from '../../../../../src/domain/monitors/monitor.ts'
import { monitorText } from '../../../messages/monitor.ts'
import { watchesExpiry } from '../../../shared/expiry.ts'
import type { CheckEntry } from './check-entry.ts'

const text = monitorText.log

type Result = Pick<CheckEntry, 'verdict' | 'httpStatus' | 'causeCode' | 'kind' | 'regions'>

/** A status code says more than "Unexpected status". What watches an expiry is amber because of that, not of its speed. */
export function resultLabel(
  { verdict, httpStatus, causeCode, kind, regions }: Result,
  type: MonitorType,
): string {
  if (verdict === 'SLOW') return amberLabel(httpStatus, regions ?? [], type)
  if (verdict === 'FAILED' && causeCode === 'UNEXPECTED_STATUS' && httpStatus !== null)
    return String(httpStatus)
  if (verdict === 'FAILED' && causeCode !== null) return causeLabel(causeCode)
  if (httpStatus !== null) return String(httpStatus)
  if (kind === 'PING') return verdict === 'FAILED' ? text.reportedFailure : text.received
  return verdict === 'PASSED' ? text.up : sentenceCase(verdict)
}

function amberLabel(
  httpStatus: number | null,
  regions: NonNullable<Result['regions']>,
  type: MonitorType,
): string {
  const failed = regions.filter(({ outcome }) => outcome === 'FAILED').length
  if (failed > 0) return text.downFrom({ failed, count: regions.length })
  if (watchesExpiry(type)) return text.expiresSoon
  return httpStatus === null ? sentenceCase('SLOW') : String(httpStatus)
}

/** A job's failures are about its pings. */
function causeLabel(causeCode: NonNullable<CheckEntry['causeCode']>): string {
  if (causeCode === 'HEARTBEAT_MISSED') return text.missed
  return causeCode === 'HEARTBEAT_FAILED' ? text.reportedFailure : sentenceCase(causeCode)
}

/** `Connection refused` for CONNECTION_REFUSED. */
export const sentenceCase = (code: string): string =>
  code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
