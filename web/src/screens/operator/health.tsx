// What needs attention: conditions, queues, storage and backups.
import type { ReactNode } from 'react'
import { operatorText } from '../../messages/operator.ts'
import { formatCount } from '../../time/figures.ts'
import { formatSpan } from '../../time/format.ts'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { formatBytes } from './bytes.ts'
import { Section } from './section.tsx'
import type { Installation } from './shown.ts'
import '../../ui/facts.css'

const HOUR_MS = 3_600_000

export function Conditions({ of: { conditions } }: { of: Installation }) {
  const text = operatorText.conditions
  return (
    <Section title={text.title} about={text.about}>
      {conditions.length === 0 && <StateLabel state="UP" word={text.none} />}
      {conditions.length > 0 && (
        <ul className="installation-list">
          {conditions.map(({ code, message, remedy, since, help }) => (
            <li key={`${code} ${message}`}>
              <span className="wrap-any">
                <StateLabel state="DOWN" word={message} />
              </span>
              <span>{remedy}</span>
              <span className="hint">
                <span className="mono">{code}</span>, {text.begun} <Time at={since} />
                {' · '}
                <a className="link" href={help} target="_blank" rel="noreferrer">
                  {text.guide}
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}

export function Queues({ of: { checks, deliveries, alerts } }: { of: Installation }) {
  const text = operatorText.queues
  const late = (seconds: number) =>
    seconds >= 1 && `, ${text.late({ duration: formatSpan(seconds * 1000) })}`
  const overdue = formatCount(checks.overdue)
  const due = formatCount(deliveries.due)
  return (
    <Section title={text.title} about={text.about}>
      <dl className="facts">
        <Fact label={text.checks}>
          {checks.overdue === 0
            ? text.none
            : checks.isEstimate
              ? text.estimate({ count: overdue })
              : overdue}
          {late(checks.lateSeconds)}
        </Fact>
        <Fact label={text.deliveries}>
          {deliveries.due === 0 ? text.none : deliveries.isMore ? text.most({ count: due }) : due}
          {late(deliveries.lateSeconds)}
        </Fact>
        <Fact label={text.alerts}>
          {alerts.lateSeconds < 1
            ? text.onTime
            : text.late({ duration: formatSpan(alerts.lateSeconds * 1000) })}
        </Fact>
      </dl>
    </Section>
  )
}

export function Storage({ of: { database, disks } }: { of: Installation }) {
  const text = operatorText.database
  const { bytes, limitBytes, growth } = database
  return (
    <Section title={text.title}>
      <dl className="facts">
        <Fact label={text.size}>
          {formatBytes(bytes)} {limitBytes !== null && text.of({ limit: formatBytes(limitBytes) })}
        </Fact>
        <Fact label={text.growth}>
          {growth === null
            ? text.unknown
            : text.perDay({ change: signedBytes(growth.bytesPerDay), days: growth.days })}
        </Fact>
        {disks.map(({ path, usedBytes, totalBytes }) => (
          <Fact key={path} label={text.disk({ path })}>
            {text.free({
              free: formatBytes(totalBytes - usedBytes),
              total: formatBytes(totalBytes),
            })}
          </Fact>
        ))}
      </dl>
    </Section>
  )
}

type BackupsProps = { of: Installation['backup']; now: string }

export function Backups({ of, now }: BackupsProps) {
  const text = operatorText.backups
  return (
    <Section title={text.title}>
      <div>
        <BackupState of={of} now={now} />
        <p className="hint">
          {of.maxAgeHours === 0
            ? text.notWatched
            : of.isScheduled
              ? text.limit({ hours: of.maxAgeHours })
              : text.never}
        </p>
      </div>
      {of.newestAt !== null && (
        <dl className="facts">
          <Fact label={text.newest}>
            <Time at={of.newestAt} as="minutesAgo" />
          </Fact>
        </dl>
      )}
    </Section>
  )
}

function BackupState({ of, now }: BackupsProps) {
  const text = operatorText.backups
  if (of.hasFailed) return <StateLabel state="DOWN" word={text.failed} />
  if (of.newestAt === null) return <StateLabel state="UNKNOWN" word={text.none} />
  const ageMs = Date.parse(now) - Date.parse(of.newestAt)
  if (of.isScheduled && of.maxAgeHours > 0 && ageMs > of.maxAgeHours * HOUR_MS)
    return <StateLabel state="DOWN" word={text.old} />
  return <StateLabel state="UP" word={text.fine} />
}

const signedBytes = (bytes: number) => `${bytes < 0 ? '−' : '+'}${formatBytes(Math.abs(bytes))}`
