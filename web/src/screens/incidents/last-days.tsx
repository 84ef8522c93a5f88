import { Link } from '@tanstack/react-router'
import type { ResponseOf } from '../../api/contract.ts'
import { incidentsText } from '../../messages/incidents.ts'
import { useRead } from '../../session/use-api.ts'
import { formatCount } from '../../time/figures.ts'
import { formatDay, formatDuration } from '../../time/format.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import type { Address } from '../../ui/address.ts'
import { daySummary, type IncidentDay } from './days.ts'
import { spanOfDay } from './filters.ts'
import './last-days.css'

const text = incidentsText.lastDays
const GRID = { width: 7, gap: 6, height: 28 }

/** 90 days at a glance. */
export function LastDays() {
  const { data } = useRead('GET /overview/incident-days', { query: { timezone: VIEWER_ZONE } })
  const from = data?.days[0]?.date ?? ''
  const totals = useRead(
    'GET /overview/incidents',
    { query: { from: spanOfDay(from)?.from ?? '', limit: 1 } },
    { enabled: from !== '' },
  )
  const error = totals.error
  if (totals.data === undefined && error !== null) return null
  if (data === undefined || totals.data === undefined)
    return <div className="wait" aria-hidden="true" />
  if (totals.data.counts.all === 0) return null
  return (
    <section className="year" aria-labelledby="last-days">
      <div className="row between wrap">
        <h2 id="last-days">{text.title({ days: data.days.length })}</h2>
        <Totals response={totals.data} />
      </div>
      <div className="bars">
        <DayBars days={data.days} />
      </div>
      <div className="axis">
        <span>{dayLabel(from)}</span>
        <span>{text.today}</span>
      </div>
    </section>
  )
}

/** `Sat, Nov 14`: a day of the viewer, which is a date without a zone. */
const dayLabel = (date: string): string => formatDay(`${date}T00:00:00Z`, Date.now(), 'UTC')

function Totals({
  response: { counts, summary },
}: {
  response: ResponseOf<'GET /overview/incidents'>
}) {
  const span = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds * 1000))
  const totals = [
    [text.incidents, formatCount(counts.all)],
    [text.downtime, span(summary.downSeconds)],
    [text.recover, span(summary.medianDurationSeconds)],
    [text.acknowledge, span(summary.medianTakenSeconds)],
  ]
  return (
    <dl className="inline-facts">
      {totals.map(([term, figure]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

function DayBars({ days }: { days: readonly IncidentDay[] }) {
  const { width, gap, height } = GRID
  const box = (index: number, y: number, h: number) =>
    `M${index * (width + gap) + 1} ${y}h${width}v${h}h-${width}z`
  const quiet = days.map(({ incidents }, index) => (incidents > 0 ? '' : box(index, 1, height)))
  const bad = days.filter(({ incidents }) => incidents > 0)
  return (
    <svg
      viewBox={`0 0 ${days.length * (width + gap) - gap + 2} ${height + 2}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={text.bars({ days: days.length, bad: bad.length })}
    >
      <path className="b-up" d={quiet.join('')} />
      {days.map((day, index) =>
        day.incidents === 0 ? null : (
          <Link
            key={day.date}
            to="."
            search={(before: Address): Address => ({ ...before, day: day.date })}
            aria-label={`${dayLabel(day.date)}: ${daySummary(day)}`}
          >
            <title>{`${dayLabel(day.date)}: ${daySummary(day)}`}</title>
            <path className="b-down" d={box(index, 1, 3) + box(index, 9, height - 8)} />
          </Link>
        ),
      )}
    </svg>
  )
}
