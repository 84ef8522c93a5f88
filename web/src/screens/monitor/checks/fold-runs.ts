// Groups identical consecutive checks into one row with a count; the others get their own row. Pure.

import type { MonitorType } from '../../../../../src/domain/monitors/monitor.ts'
import { monitorText } from '../../../messages/monitor.ts'
import { watchesExpiry } from '../../../shared/expiry.ts'
import { formatCount } from '../../../time/figures.ts'
import { formatMoment } from '../../../time/format.ts'
import type { CheckEntry } from './check-entry.ts'

const SHOWN_FIRST = 5
const LEAST_FOLDED = 4

type CheckRun = { key: string; folded: boolean; lines: readonly CheckEntry[]; summary: string }

const sortOf = ({ verdict, httpStatus, causeCode }: CheckEntry): string =>
  `${verdict} ${httpStatus ?? ''} ${causeCode ?? ''}`

/** Expects newest first. The latest few are never grouped, nor the first and last of a run. */
export function foldRuns(
  lines: readonly CheckEntry[],
  type: MonitorType,
  now: number = Date.now(),
): CheckRun[] {
  const runs: CheckRun[] = []
  const put = (own: readonly CheckEntry[], folded: boolean) => {
    const [newest] = own
    const oldest = own.at(-1)
    if (newest === undefined || oldest === undefined) return
    const span = `${formatMoment(oldest.at, now)} – ${formatMoment(newest.at, now)}`
    const summary = `${countLabel(newest, own.length, type)}, ${span}`
    runs.push({ key: `${newest.at}${newest.kind}`, folded, lines: own, summary })
  }
  put(lines.slice(0, SHOWN_FIRST), false)
  let rest = lines.slice(SHOWN_FIRST)
  while (rest.length > 0) {
    const [first] = rest
    const end = rest.findIndex((line) => first !== undefined && sortOf(line) !== sortOf(first))
    const run = end === -1 ? rest : rest.slice(0, end)
    rest = rest.slice(run.length)
    if (run.length < LEAST_FOLDED + 2) put(run, false)
    else {
      put(run.slice(0, 1), false)
      put(run.slice(1, -1), true)
      put(run.slice(-1), false)
    }
  }
  return runs
}

/** `43 checks up`, `43 slow checks`, `43 pings`. */
function countLabel({ kind, verdict }: CheckEntry, count: number, type: MonitorType): string {
  if (verdict === 'SLOW' && watchesExpiry(type))
    return monitorText.log.runs.EXPIRING({ count: formatCount(count) })
  const ping = verdict === 'FAILED' ? 'PING_FAILED' : 'PING'
  return monitorText.log.runs[kind === 'PING' ? ping : verdict]({ count: formatCount(count) })
}
