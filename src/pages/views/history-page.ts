// The page's history by day: published incidents and measured problems.
import type { BadDay } from '../../domain/monitors/day-bars.ts'
import { localDate } from '../../domain/monitors/day-bars.ts'
import { type Html, html } from '../../render/html.ts'
import { allComponents, type PageIncident } from '../snapshot/snapshot.ts'
import { describeBadDay } from './bars.ts'
import { stateLabel } from './drawings.ts'
import { renderDocument, type View } from './layout.ts'
import { quietDays, renderPastIncident } from './overview.ts'

type Measured = { name: string; day: BadDay }
type HistoryDay = { incidents: PageIncident[]; measured: Measured[] }

const STATES = { DOWN: 'MAJOR_OUTAGE', DEGRADED: 'DEGRADED', MAINTENANCE: 'MAINTENANCE' } as const

export function renderHistoryPage(view: View): Html {
  const { snapshot, format } = view
  const { messages } = format
  const byDate = gather(view)
  const main = html`<main class="pub near" id="main"><section aria-labelledby="history"><div class="inc-head"><h1 id="history">${messages.history}</h1><p class="muted">${messages.daysIn(snapshot.page.timezone)}</p></div><div class="days">
${renderDays(view, byDate)}</div></section></main>`
  return renderDocument(view, {
    title: `${messages.history} – ${messages.title(snapshot.page.name)}`,
    summary: messages.title(snapshot.page.name),
    path: '/history',
    current: 'HISTORY',
    main,
  })
}

/** Days older than the bars only have what was published. */
function gather({ snapshot }: View): Map<string, HistoryDay> {
  const days = new Map<string, HistoryDay>(
    snapshot.days.map(({ date }) => [date, { incidents: [], measured: [] }]),
  )
  for (const incident of snapshot.incidents) {
    const date = localDate(incident.startedAt, snapshot.page.timezone).toString()
    const day = days.get(date) ?? { incidents: [], measured: [] }
    day.incidents.push(incident)
    days.set(date, day)
  }
  for (const { name, bars } of allComponents(snapshot))
    for (const day of bars.bad)
      days.get(snapshot.days[day.index]?.date ?? '')?.measured.push({ name, day })
  return days
}

function renderDays(view: View, byDate: ReadonlyMap<string, HistoryDay>): Html[] {
  const lines: Html[] = []
  let quietFrom: string | undefined
  let quietTo: string | undefined
  const endQuiet = () => {
    if (quietFrom !== undefined) lines.push(quietDays(view, quietFrom, quietTo ?? quietFrom))
    quietFrom = undefined
    quietTo = undefined
  }
  for (const [date, day] of [...byDate].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    if (day.incidents.length === 0 && day.measured.length === 0) {
      quietTo ??= date
      quietFrom = date
      continue
    }
    endQuiet()
    lines.push(renderDay(view, date, day))
  }
  endQuiet()
  return lines
}

function renderDay(view: View, date: string, { incidents, measured }: HistoryDay): Html {
  const { format, snapshot } = view
  const lines = measured.map(
    ({ name, day }) =>
      html`<li><bdi>${name}</bdi>${stateLabel(STATES[day.state], describeBadDay(day, format))}</li>`,
  )
  return html`<div class="day" id="d-${date}"><h2>${format.date(date, snapshot.asOf)}</h2><div>${incidents.map((incident) => renderPastIncident(view, incident, 3))}${lines.length > 0 && html`<ul class="measured">${lines}</ul>`}</div></div>
`
}
