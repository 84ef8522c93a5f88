import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { MonitorType } from '../../../../../src/domain/monitors/monitor.ts'
import type { ResponseOf } from '../../../api/contract.ts'
import { monitorText } from '../../../messages/monitor.ts'
import { useRead } from '../../../session/use-api.ts'
import { wholeCause } from '../../../shared/cause-sentence.ts'
import { watchesExpiry } from '../../../shared/expiry.ts'
import { formatMs } from '../../../time/figures.ts'
import { Mark, type State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { barLength, columnCount, type LogColumns, phasesLabel, phasesOf } from '../by-type.ts'
import type { CheckEntry } from './check-entry.ts'
import { resultLabel, sentenceCase } from './result-label.ts'
import '../../../ui/copy.css'
import '../../../ui/notice.css'
import './checks.css'

const APPEARANCES: Record<CheckEntry['verdict'], { tone: string; state: State; calm: boolean }> = {
  PASSED: { tone: 'is-up', state: 'UP', calm: true },
  SLOW: { tone: 'is-degraded', state: 'DEGRADED', calm: false },
  FAILED: { tone: 'is-down', state: 'DOWN', calm: false },
  INCONCLUSIVE: { tone: 'is-none', state: 'UNKNOWN', calm: true },
  SUPERSEDED: { tone: 'is-none', state: 'UNKNOWN', calm: true },
}

const text = monitorText.log

type Props = {
  monitorId: string
  type: MonitorType
  line: CheckEntry
  slowest: number
  columns: LogColumns
}

/** What watches an expiry is amber because of that, not of its speed. */
function appearanceOf(verdict: CheckEntry['verdict'], type: MonitorType) {
  const appearance = APPEARANCES[verdict]
  return verdict === 'SLOW' && watchesExpiry(type)
    ? { ...appearance, state: 'EXPIRING' as const }
    : appearance
}

export function CheckRow({ monitorId, type, line, slowest, columns }: Props) {
  const [open, setOpen] = useState(false)
  const { tone, state, calm } = appearanceOf(line.verdict, type)
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <>
      <tr>
        <td className="num">
          <Time at={line.at} as="stamp" />
        </td>
        <td>
          <span className={`state ${tone}${calm ? ' calm' : ''}`}>
            <Mark state={state} />
            {resultLabel(line, type)}
          </span>
        </td>
        {columns.total !== null && (
          <td className="num end">
            {line.responseMs === null ? (
              <span className="faint">–</span>
            ) : line.responseMs === 0 ? (
              text.underOneMs
            ) : (
              formatMs(line.responseMs)
            )}
          </td>
        )}
        {columns.phases && (
          <td className="wide hide-phone">
            <Phases line={line} slowest={slowest} />
          </td>
        )}
        {columns.region && <td className="hide-phone muted">{line.region ?? '–'}</td>}
        <td className="end">
          <button
            type="button"
            className="btn ghost square sm"
            aria-expanded={open}
            aria-label={text.detailsOfCheck}
            onClick={() => setOpen(!open)}
          >
            <Chevron className="icon dir" aria-hidden="true" />
          </button>
        </td>
      </tr>
      {open && (
        <tr className="detail">
          <td colSpan={columnCount(columns)}>
            <Details monitorId={monitorId} type={type} line={line} />
          </td>
        </tr>
      )}
    </>
  )
}

function Phases({ line: { timings, responseMs }, slowest }: { line: CheckEntry; slowest: number }) {
  if (timings === null || barLength(timings, responseMs) === undefined) return null
  const label = phasesLabel(timings)
  return (
    <span className="phase" role="img" aria-label={label} title={label}>
      {phasesOf(timings).map(([name, ms]) =>
        ms === null || ms === 0 ? null : (
          <i key={name} className={name} style={{ width: `${(100 * ms) / slowest}%` }} />
        ),
      )}
    </span>
  )
}

function Details({ monitorId, type, line }: Pick<Props, 'monitorId' | 'type' | 'line'>) {
  const read = useRead('GET /monitors/{monitorId}/checks/{at}', {
    params: { monitorId, at: line.at },
  })
  if (read.data === undefined) return <div className="detail-wait" />
  const { cause, evidence, heartbeatBody } = read.data
  const { tone, state } = appearanceOf(line.verdict, type)
  return (
    <div className="stack tight">
      {cause !== null && (
        <div className={`notice ${tone}`}>
          <Mark state={state} />
          <p>{wholeCause(cause)}</p>
        </div>
      )}
      <pre className="code code-lines" tabIndex={0}>
        {linesOf(line, evidence).join('\n')}
      </pre>
      {(evidence?.bodyExcerpt ?? heartbeatBody) && (
        <pre className="code code-lines wrap" tabIndex={0}>
          {evidence?.bodyExcerpt ?? heartbeatBody}
        </pre>
      )}
    </div>
  )
}

type Evidence = NonNullable<ResponseOf<'GET /monitors/{monitorId}/checks/{at}'>['evidence']>
function linesOf(check: CheckEntry, evidence: Evidence | null): string[] {
  const { timings } = check
  const lines = [
    checkLine(check),
    timings && phasesLabel(timings),
    evidence?.resolvedIp && text.address({ ip: evidence.resolvedIp }),
    evidence?.dnsAnswers && text.answers({ answers: evidence.dnsAnswers.join(', ') }),
    ...(evidence?.attempts.map(attemptLine) ?? []),
    ...(check.regions?.map(regionLine) ?? []),
  ]
  return lines.filter((line) => typeof line === 'string' && line !== '') as string[]
}

/** `Scheduled check from eu-central: HTTP 200`. */
function checkLine({ kind, region, httpStatus }: CheckEntry): string {
  const what = text.kinds[kind]
  const from = region === null ? what : text.kindFrom({ kind: what, region })
  return httpStatus === null ? from : `${from}: HTTP ${httpStatus}`
}

type RegionEntry = NonNullable<CheckEntry['regions']>[number]

/** `From us-east: Connection refused`. */
function regionLine({ region, outcome, causeCode, httpStatus, responseMs }: RegionEntry): string {
  if (outcome === 'INCONCLUSIVE') return text.fromRegion({ region, what: text.noAnswer })
  const parts = [
    causeCode === null ? sentenceCase(outcome) : sentenceCase(causeCode),
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(responseMs === null ? [] : [`${responseMs} ms`]),
  ]
  return text.fromRegion({ region, what: parts.join(', ') })
}

function attemptLine({
  number,
  outcome,
  causeCode,
  httpStatus,
  responseMs,
}: Evidence['attempts'][number]): string {
  const what = causeCode === null ? outcome.toLowerCase() : sentenceCase(causeCode)
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`
  return text.attempt({
    number,
    what: `${what}${status}${responseMs === null ? '' : `, ${responseMs} ms`}`,
  })
}
