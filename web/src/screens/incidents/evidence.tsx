// The request and the response of the failed check.
import { ChevronRight } from 'lucide-react'
import { formatMs } from '../../time/figures.ts'
import { formatDay, formatMoment, zoneName } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import type { IncidentScreen } from './screen.ts'
import '../../ui/copy.css'
import './incident.css'

type Check = IncidentScreen['openedBy']

export function Cause({ incident }: { incident: IncidentScreen }) {
  const { cause, causeCode, target, openedBy, lastFailure, resolvedBy } = incident
  const isOther = openedBy.checkId !== lastFailure.checkId
  return (
    <section className="card" aria-labelledby="cause">
      <header>
        <h2 id="cause">Cause</h2>
        <span className="badge">{causeCode}</span>
      </header>
      <div className="card-body stack">
        <p className="cause">{cause}</p>
        <Evidence check={lastFailure} target={target} title="Last failure" />
        {isOther && (
          <details className="more-evidence">
            <summary>
              <ChevronRight className="icon dir" aria-hidden="true" />
              The check that opened it
            </summary>
            <Evidence check={openedBy} target={target} title="First failure" />
          </details>
        )}
        {resolvedBy !== null && (
          <details className="more-evidence">
            <summary>
              <ChevronRight className="icon dir" aria-hidden="true" />
              The check that found it well again
            </summary>
            <Evidence check={resolvedBy} target={target} title="Recovered" />
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
  const at = `${formatMoment(checkedAt, now)} ${zoneName(checkedAt)}`
  return (
    <div className="code">
      <div className="code-head">
        <span>
          {title}, {at} from {location}
        </span>
      </div>
      <pre className="wrap" tabIndex={0}>
        {target !== null && `${target}\n`}
        <Outcome check={check} />
        <Timings timings={check.timings} />
        {certExpiresAt !== null && (
          <Line name="certificate until">{formatDay(certExpiresAt, now)}</Line>
        )}
        {dnsAnswers !== null && dnsAnswers.length > 0 && (
          <Line name="records">{dnsAnswers.join(', ')}</Line>
        )}
        {bodyExcerpt !== null && bodyExcerpt !== '' && `\n\n${bodyExcerpt}`}
      </pre>
    </div>
  )
}

function Outcome({ check }: { check: Check }) {
  const { outcome, httpStatus, cause, responseMs, resolvedIp } = check
  const answer = httpStatus === null ? (cause ?? 'No failure') : `HTTP ${httpStatus}`
  const took = responseMs === null ? '' : ` in ${formatMs(responseMs)}`
  const from = resolvedIp === null ? '' : ` from ${resolvedIp}`
  return (
    <>
      <span className={outcome === 'FAILED' ? 'bad' : ''}>{answer}</span>
      <span className="c">{`${took}${from}`}</span>
    </>
  )
}

function Timings({ timings }: { timings: Check['timings'] }) {
  if (timings === null) return null
  const phases = [
    ['name', timings.dnsMs],
    ['connection', timings.connectMs],
    ['TLS', timings.tlsMs],
    ['first byte', timings.firstByteMs],
  ] as const
  const known = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${formatMs(ms)}`]))
  return known.length === 0 ? null : <Line name="time">{known.join(', ')}</Line>
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <>
      {'\n'}
      <span className="c">{name}:</span> {children}
    </>
  )
}
