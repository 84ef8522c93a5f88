import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { useRead } from '../../session/use-api.ts'
import { formatMs } from '../../time/figures.ts'
import { Mark, type State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { CheckEntry } from './check-entry.ts'
import '../../ui/copy.css'
import '../../ui/notice.css'
import './checks.css'

const APPEARANCES: Record<CheckEntry['verdict'], { tone: string; state: State; calm: boolean }> = {
  PASSED: { tone: 'is-up', state: 'UP', calm: true },
  SLOW: { tone: 'is-degraded', state: 'DEGRADED', calm: false },
  FAILED: { tone: 'is-down', state: 'DOWN', calm: false },
  INCONCLUSIVE: { tone: 'is-none', state: 'UNKNOWN', calm: true },
  SUPERSEDED: { tone: 'is-none', state: 'UNKNOWN', calm: true },
}

type Props = { monitorId: string; line: CheckEntry; slowest: number }

export function CheckRow({ monitorId, line, slowest }: Props) {
  const [open, setOpen] = useState(false)
  const { tone, state, calm } = APPEARANCES[line.verdict]
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
            {labelOf(line)}
          </span>
        </td>
        <td className="num end">
          {line.responseMs === null ? <span className="faint">–</span> : formatMs(line.responseMs)}
        </td>
        <td className="wide hide-phone">
          <Phases line={line} slowest={slowest} />
        </td>
        <td className="hide-phone muted">{line.region ?? '–'}</td>
        <td className="end">
          <button
            type="button"
            className="btn ghost square sm"
            aria-expanded={open}
            aria-label="Details of this check"
            onClick={() => setOpen(!open)}
          >
            <Chevron className="icon dir" aria-hidden="true" />
          </button>
        </td>
      </tr>
      {open && (
        <tr className="detail">
          <td colSpan={6}>
            <Details monitorId={monitorId} line={line} />
          </td>
        </tr>
      )}
    </>
  )
}

function labelOf({ verdict, httpStatus, causeCode, kind }: CheckEntry): string {
  if (causeCode !== null && verdict === 'FAILED') return sentence(causeCode)
  if (httpStatus !== null) return String(httpStatus)
  if (kind === 'PING') return verdict === 'FAILED' ? 'Reported a failure' : 'Called'
  return verdict === 'PASSED' ? 'Up' : sentence(verdict)
}

const sentence = (code: string): string =>
  code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')

export const phasesOf = (timings: NonNullable<CheckEntry['timings']>) =>
  [
    ['dns', timings.dnsMs],
    ['con', timings.connectMs],
    ['tls', timings.tlsMs],
    ['wait', timings.firstByteMs],
  ] as const

/** The length of its bar. The phases may exceed the response time, which excludes time not spent by the target. */
export function lengthOf({ timings, responseMs }: CheckEntry): number {
  if (timings === null || responseMs === null) return responseMs ?? 0
  const phases = phasesOf(timings).reduce((sum, [, ms]) => sum + (ms ?? 0), 0)
  return Math.max(responseMs, phases)
}

function Phases({ line: { timings, responseMs }, slowest }: { line: CheckEntry; slowest: number }) {
  if (timings === null || responseMs === null) return null
  const parts = phasesOf(timings)
  const label = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`])).join(', ')
  return (
    <span className="phase" role="img" aria-label={label} title={label}>
      {parts.map(([name, ms]) =>
        ms === null || ms === 0 ? null : (
          <i key={name} className={name} style={{ width: `${(100 * ms) / slowest}%` }} />
        ),
      )}
    </span>
  )
}

function Details({ monitorId, line }: { monitorId: string; line: CheckEntry }) {
  const read = useRead('GET /monitors/{monitorId}/checks/{at}', {
    params: { monitorId, at: line.at },
  })
  if (read.data === undefined) return <div className="detail-wait" />
  const { cause, evidence, heartbeatBody } = read.data
  const { tone, state } = APPEARANCES[line.verdict]
  return (
    <div className="stack tight">
      {cause !== null && (
        <div className={`notice ${tone}`}>
          <Mark state={state} />
          <p>{cause}</p>
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
function linesOf(
  { timings, region, kind, httpStatus }: CheckEntry,
  evidence: Evidence | null,
): string[] {
  const phases = timings && [
    ['dns', timings.dnsMs],
    ['connect', timings.connectMs],
    ['tls', timings.tlsMs],
    ['first byte', timings.firstByteMs],
  ]
  const lines = [
    `${sentence(kind)}${region === null ? '' : ` from ${region}`}${httpStatus === null ? '' : `, HTTP ${httpStatus}`}`,
    phases?.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`])).join(' · '),
    evidence?.resolvedIp && `address ${evidence.resolvedIp}`,
    evidence?.dnsAnswers && `answers ${evidence.dnsAnswers.join(', ')}`,
    ...(evidence?.attempts.map(attemptLine) ?? []),
  ]
  return lines.filter((line) => typeof line === 'string' && line !== '') as string[]
}

function attemptLine({
  number,
  outcome,
  causeCode,
  httpStatus,
  responseMs,
}: Evidence['attempts'][number]): string {
  const what = causeCode === null ? outcome.toLowerCase() : sentence(causeCode)
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`
  return `attempt ${number}: ${what}${status}${responseMs === null ? '' : `, ${responseMs} ms`}`
}
