import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorText } from '../../messages/monitor.ts'
import { toBarCells } from '../../shared/bar-cells.ts'
import { formatDay } from '../../time/format.ts'
import { Bars } from '../../ui/bars.tsx'
import { dayTitles, outageDays } from './day-titles.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import './monitor.css'

const text = monitorText.days
/** The incidents of a day, which is one of the viewer's. */
const toIncidents = (monitor: string, day: string) => ({
  to: PATHS.incidents,
  search: { monitor, day },
})

const GRID = { width: 8, gap: 4, height: 28 }

/** One bar per local day, oldest on the left. */
export function Days({ screen: { id, type, days, at } }: { screen: MonitorScreen }) {
  const badDays = days.bad.filter(({ downSeconds }) => downSeconds > 0).length
  return (
    <section className="card card-body days" aria-labelledby="days">
      <h2 id="days">{text.title}</h2>
      <div className="bars">
        <Bars
          cells={toBarCells(days.codes)}
          grid={GRID}
          label={text.label({ bad: badDays })}
          titles={dayTitles(days, type)}
          links={outageDays(days).map((day) =>
            day === undefined ? undefined : toIncidents(id, day),
          )}
        />
      </div>
      <div className="axis">
        <span>{formatDay(`${days.firstDate}T00:00:00Z`, at, 'UTC')}</span>
        <span>{text.today}</span>
      </div>
    </section>
  )
}
