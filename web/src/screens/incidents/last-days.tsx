import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { incidentsText } from '../../messages/incidents.ts'
import { useRead } from '../../session/use-api.ts'
import { formatCount } from '../../time/figures.ts'
import { formatDay, formatDuration } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import type { Address } from '../../ui/address.ts'
import { daySummary, daysOf, type IncidentDay, lastDays } from './days.ts'
import { dayOf } from './filters.ts'
import './last-days.css'

const text = incidentsText.lastDays
const DAYS = 90
const MOST = 100
const GRID = { width: 7, gap: 6, height: 28 }

/** 90 days at a glance. If there are more incidents than one response holds, only the figures are shown. */
export function LastDays() {
  const now = useNow(60_000)
  const today = dayOf(now)
  const days = useMemo(() => lastDays(Date.parse(`${today}T12:00:00`), DAYS), [today])
  const from = days[0]?.toISOString() ?? ''
  const { data, error } = useRead('GET /overview/incidents', { query: { from, limit: MOST } })
  if (data === undefined && error !== null) return null
  if (data === undefined) return <div className="wait" aria-hidden="true" />
  const isWhole = data.pagination.total <= MOST
  if (data.counts.all === 0) return null
  return (
    <section className="year" aria-labelledby="last-days">
      <div className="row between wrap">
        <h2 id="last-days">{text.title(DAYS)}</h2>
        <Totals response={data} />
      </div>
      {isWhole && (
        <>
          <div className="bars">
            <DayBars days={daysOf(days, data.data, now)} />
          </div>
          <div className="axis">
            <span>{formatDay(from, now)}</span>
            <span>{text.today}</span>
          </div>
        </>
      )}
    </section>
  )
}

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
  const now = useNow(60_000)
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
      aria-label={text.bars(days.length, bad.length)}
    >
      <path className="b-up" d={quiet.join('')} />
      {days.map((day, index) =>
        day.incidents === 0 ? null : (
          <Link
            key={day.from.toISOString()}
            to="."
            search={(before: Address): Address => ({ ...before, day: dayOf(day.from) })}
            aria-label={`${formatDay(day.from, now)}: ${daySummary(day)}`}
          >
            <title>{`${formatDay(day.from, now)}: ${daySummary(day)}`}</title>
            <path className="b-down" d={box(index, 1, 3) + box(index, 9, height - 8)} />
          </Link>
        ),
      )}
    </svg>
  )
}
