// All monitors in one line, worst first: one bar each, or proportions when there are too many.

import { LISTED_STATES } from '../../../../src/domain/monitors/list-order.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { listOf } from '../../messages/list.ts'
import { monitorsText } from '../../messages/monitors/monitors.ts'
import { type BarCell, Bars } from '../../ui/bars.tsx'
import { appearanceOf } from '../../ui/state.tsx'
import './overview-bar.css'

export type MonitorCounts = ResponseOf<'GET /overview/monitors'>['counts']

const text = monitorsText.overview
const MOST_BARS = 300
const WIDTH = 1122
const LEAST_SHARE = 8
// A few monitors make a short line, not a few wide blocks.
const WIDEST_BAR = 14
const GRID = { width: 6, gap: 3, height: 30 }

const CELLS = {
  DOWN: 'DOWN',
  DEGRADED: 'DEGRADED',
  EXPIRING: 'EXPIRING',
  PENDING: 'NONE',
  UP: 'UP',
  PAUSED: 'NONE',
} as const
const SHAPES = {
  DOWN: 's-down',
  DEGRADED: 's-degraded',
  EXPIRING: 's-expiring',
  PENDING: 's-none',
  UP: 's-up',
  PAUSED: 's-none',
} as const

type OverviewBarProps = { counts: MonitorCounts | undefined; isFiltered: boolean }

export function OverviewBar({ counts, isFiltered }: OverviewBarProps) {
  // Keeps its space, so the content below does not move while it loads or while the person types a search.
  if (counts === undefined || (counts.all === 0 && isFiltered))
    return <div className="fleet fleet-wait" />
  if (counts.all === 0) return null
  return (
    <div className="fleet">
      {counts.all <= MOST_BARS ? (
        <div className="bars" style={{ maxWidth: counts.all * WIDEST_BAR }}>
          <Bars cells={cellsOf(counts)} grid={GRID} label={sentenceOf(counts)} />
        </div>
      ) : (
        <Shares counts={counts} />
      )}
    </div>
  )
}

function cellsOf(counts: MonitorCounts): BarCell[] {
  return LISTED_STATES.flatMap((state) => Array<BarCell>(counts[state]).fill(CELLS[state]))
}

function sentenceOf(counts: MonitorCounts): string {
  const parts = LISTED_STATES.filter((state) => counts[state] > 0).map((state) =>
    monitorsText.countOf({ count: counts[state], state: appearanceOf(state).word.toLowerCase() }),
  )
  return text.label({ all: counts.all, parts: listOf(parts) })
}

function Shares({ counts }: { counts: MonitorCounts }) {
  return (
    <div className="shares">
      <svg
        viewBox={`0 0 ${WIDTH} 30`}
        preserveAspectRatio="none"
        role="img"
        aria-label={sentenceOf(counts)}
      >
        <title>{text.shares}</title>
        {sharesOf(counts).map(({ state, x, width }) => (
          <rect key={state} className={SHAPES[state]} x={x} width={width} height="30" rx="2" />
        ))}
      </svg>
    </div>
  )
}

function sharesOf(counts: MonitorCounts) {
  const shown = LISTED_STATES.filter((state) => counts[state] > 0)
  const free = WIDTH - LEAST_SHARE * shown.length - GRID.gap * (shown.length - 1)
  let end = -GRID.gap
  return shown.map((state) => {
    const x = end + GRID.gap
    const width = LEAST_SHARE + (free * counts[state]) / counts.all
    end = x + width
    return { state, x, width }
  })
}
