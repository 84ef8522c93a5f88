import { monitorText } from '../../messages/monitor.ts'
import { toBarCells } from '../../shared/bar-cells.ts'
import { formatDay } from '../../time/format.ts'
import { Bars } from '../../ui/bars.tsx'
import { dayTitles } from './day-titles.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import './monitor.css'

const text = monitorText.days
const GRID = { width: 8, gap: 4, height: 28 }

/** One bar per local day, oldest on the left. */
export function Days({ screen: { type, days, at } }: { screen: MonitorScreen }) {
  const badDays = days.bad.filter(({ downSeconds }) => downSeconds > 0).length
  return (
    <section className="card card-body days" aria-labelledby="days">
      <h2 id="days">{text.title}</h2>
      <div className="bars">
        <Bars
          cells={toBarCells(days.codes)}
          grid={GRID}
          label={text.label(badDays)}
          titles={dayTitles(days, type)}
        />
      </div>
      <div className="axis">
        <span>{formatDay(`${days.firstDate}T00:00:00Z`, at, 'UTC')}</span>
        <span>{text.today}</span>
      </div>
    </section>
  )
}
