// The figures at the top of a monitor's page: uptime by range, only over time that was measured. Pure.
import { coversPeriod } from '../../../../src/domain/monitors/uptime.ts'
import { UPTIME_RANGES } from '../../../../src/domain/monitors/uptime-ranges.ts'
import { monitorText } from '../../messages/monitor.ts'
import { formatUptime } from '../../time/figures.ts'
import { formatDuration, formatMoment } from '../../time/format.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import type { MonitorScreen } from './monitor-screen.ts'

const text = monitorText.uptime
const DAY_MS = 86_400_000
// A range that was measured from its start may begin with the wait for a result.
const LATE_MS = 60_000

type Tile = {
  name: keyof MonitorScreen['uptime']
  label: string
  figure: string
  unit: string | undefined
  under: string
}

type Measured = Pick<MonitorScreen, 'uptime' | 'at' | 'state' | 'inMaintenance'>

/** With `now`, an ongoing outage counts up to it, as in the banner above: the figures are as old as the last read. */
export function tilesOf(
  { uptime, at, state, inMaintenance }: Measured,
  now: number,
  zone = VIEWER_ZONE,
): Tile[] {
  const isCounted = state === 'DOWN' && !inMaintenance
  const moreMs = isCounted ? Math.max(0, now - Date.parse(at)) : 0
  return UPTIME_RANGES.map(({ name, days }) => {
    const given = uptime[name]
    const isShown = coversPeriod(given.measuredSeconds * 1000, days * DAY_MS)
    const share = formatUptime(isShown ? given.ratio : null)
    const unit = share.endsWith('%') ? '%' : undefined
    const figure = unit === undefined ? share : share.slice(0, -1)
    const under = isShown
      ? downtimeLabel(given.downSeconds * 1000 + moreMs)
      : measuredLabel(given, { days, at, zone })
    return { name, label: text.ranges[name], figure, unit, under }
  })
}

const MINUTE_MS = 60_000

/** In whole minutes from one minute on. */
function downtimeLabel(downMs: number): string {
  if (downMs < 1000) return text.noDowntime
  return text.down({
    duration: formatDuration(downMs < MINUTE_MS ? downMs : downMs - (downMs % MINUTE_MS)),
  })
}

type Figure = MonitorScreen['uptime']['last24h']
type Range = { days: number; at: string; zone: string }

/** Why a range has no figure yet: measuring began within it, or stopped for most of it. */
function measuredLabel(
  { measuredFrom, measuredSeconds }: Figure,
  { days, at, zone }: Range,
): string {
  if (measuredFrom === null || measuredSeconds === 0) return text.noData
  const rangeMs = Date.parse(at) - days * DAY_MS
  return Date.parse(measuredFrom) > rangeMs + LATE_MS
    ? text.measuredSince({ moment: formatMoment(measuredFrom, at, zone) })
    : text.measuredFor({ duration: formatDuration(measuredSeconds * 1000) })
}
