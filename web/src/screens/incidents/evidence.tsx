// The request and the response of the failed check.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { CAUSE_LABELS, incidentText } from '../../messages/incidents.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { formatMs } from '../../time/figures.ts'
import { formatDay, formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import type { IncidentScreen } from './screen.ts'
import '../../ui/copy.css'
import './incident.css'

const text = incidentText.evidence

type Check = IncidentScreen['openedBy']

export function Cause({ incident }: { incident: IncidentScreen }) {
  const { cause, causeCode, target, openedBy, lastFailure, resolvedBy } = incident
  const isOther = openedBy.checkId !== lastFailure.checkId
  return (
    <section className="card" aria-labelledby="cause">
      <header>
        <h2 id="cause">{text.title}</h2>
        <span className="badge">{CAUSE_LABELS[causeCode]}</span>
      </header>
      <div className="card-body stack">
        <p className="cause">{cause && causeSentence(cause)}</p>
        <Evidence check={lastFailure} target={target} title={text.last} />
        {isOther && (
          <details className="more-evidence">
            <summary>
              <ChevronRight className="icon dir" aria-hidden="true" />
              {text.firstCheck}
            </summary>
            <Evidence check={openedBy} target={target} title={text.first} />
          </details>
        )}
        {resolvedBy !== null && (
          <details className="more-evidence">
            <summary>
              <ChevronRight className="icon dir" aria-hidden="true" />
              {text.recoveryCheck}
            </summary>
            <Evidence check={resolvedBy} target={target} title={text.recovered} />
          </details>
        )}
      </div>
    </section>
  )
}

type EvidenceProps = { check: Check; target: string | null; title: string }

function Evidence({ check, target, title }: EvidenceProps) {
  const { checkedAt, location, bodyExcerpt, dnsAnswers, certExpiresAt } = check
  const now = useNow(60_000)
  const at = formatMoment(checkedAt, now)
  return (
    <div className="code">
      <div className="code-head">
        <span>{text.head({ title, moment: at, location })}</span>
      </div>
      <pre className="wrap" tabIndex={0}>
        {target !== null && `${target}\n`}
        <Outcome check={check} />
        <Timings timings={check.timings} />
        {certExpiresAt !== null && (
          <Line name={text.certificate}>{formatDay(certExpiresAt, now)}</Line>
        )}
        {dnsAnswers !== null && dnsAnswers.length > 0 && (
          <Line name={text.records}>{dnsAnswers.join(', ')}</Line>
        )}
        {bodyExcerpt !== null && bodyExcerpt !== '' && `\n\n${bodyExcerpt}`}
      </pre>
    </div>
  )
}

function Outcome({ check }: { check: Check }) {
  const { outcome, httpStatus, cause, responseMs, resolvedIp } = check
  const found = httpStatus === null ? (cause ?? text.noFailure) : text.http({ status: httpStatus })
  const mark = (inside: ReactNode) => (
    <span className={outcome === 'FAILED' ? 'bad' : ''}>{inside}</span>
  )
  const more = (inside: ReactNode) => <span className="c">{inside}</span>
  const parts = { what: found, found: mark, more }
  if (responseMs === null)
    return resolvedIp === null ? mark(found) : text.foundFrom({ ...parts, address: resolvedIp })
  const timed = { ...parts, duration: formatMs(responseMs) }
  return resolvedIp === null
    ? text.foundIn(timed)
    : text.foundInFrom({ ...timed, address: resolvedIp })
}

function Timings({ timings }: { timings: Check['timings'] }) {
  if (timings === null) return null
  const phases = [
    [text.phases.dns, timings.dnsMs],
    [text.phases.connect, timings.connectMs],
    [text.phases.tls, timings.tlsMs],
    [text.phases.firstByte, timings.firstByteMs],
  ] as const
  const known = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${formatMs(ms)}`]))
  return known.length === 0 ? null : `\n${known.join(' · ')}`
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <>
      {'\n'}
      <span className="c">{name}:</span> {children}
    </>
  )
}
