import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { formatMs } from '../../time/figures.ts'
import { formatClock, formatDay, VIEWER_ZONE } from '../../time/format.ts'
import { colorOf, useColorScheme } from '../../ui/colors.ts'
import { paintIncidents, paintLimit } from './chart-paint.ts'
import { type Series, summaryOf, toColumns, topOf } from './series.ts'
import 'uplot/dist/uPlot.min.css'
import './chart.css'

const HEIGHT = 296

type Cursor = { index: number; left: number; right: boolean }

/** p50 as a line, a band up to p95, the threshold, and hatched incidents. */
export function Chart({ series }: { series: Series }) {
  const element = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<Cursor>()
  const scheme = useColorScheme()
  useEffect(() => {
    const box = element.current
    if (box === null) return
    const columns = toColumns(series)
    const plot = new uPlot(optionsOf(series, box.clientWidth, setCursor), columns, box)
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: box.clientWidth, height: HEIGHT }),
    )
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
    // The effect does not read the scheme, but the colors depend on it.
  }, [series, scheme])
  return (
    <div className="plot" role="img" aria-label={summaryOf(series)}>
      <div ref={element} />
      {cursor && <Tip series={series} cursor={cursor} />}
    </div>
  )
}

function Tip({ series, cursor }: { series: Series; cursor: Cursor }) {
  const columns = toColumns(series)
  const at = columns[0][cursor.index]
  const bucket = series.buckets.find(([start]) => start === at)
  if (bucket === undefined) return null
  const [start, p50, p95, , ok, failed] = bucket
  const to = (start + series.bucketSeconds) * 1000
  return (
    <div
      className="tip"
      style={{ left: cursor.left, translate: cursor.right ? '12px 0' : 'calc(-100% - 12px) 0' }}
    >
      <b>
        {formatDay(start * 1000, series.to)}, {formatClock(start * 1000)} – {formatClock(to)}
      </b>
      <div>
        p95 <b>{p95 === null ? '–' : formatMs(p95)}</b>
      </div>
      <div>
        p50 <b>{p50 === null ? '–' : formatMs(p50)}</b>
      </div>
      <div>
        Checks{' '}
        <b>
          {ok} of {ok + failed} up
        </b>
      </div>
    </div>
  )
}

function optionsOf(
  series: Series,
  width: number,
  onCursor: (cursor: Cursor | undefined) => void,
): uPlot.Options {
  const accent = colorOf('--accent')
  const line = colorOf('--line')
  const axis: uPlot.Axis = {
    stroke: colorOf('--ink-3'),
    font: '12px Inter, "Inter Fallback", sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height: HEIGHT,
    padding: [28, 20, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), VIEWER_ZONE),
    scales: { y: { range: [0, topOf(series)] } },
    cursor: { y: false, points: { size: 9, fill: accent }, drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 36,
        gap: 9,
        space: 80,
        values: (_, seconds) => seconds.map((one) => tick(one, series)),
      },
      {
        ...axis,
        size: 56,
        values: (_, marks) => marks.map((ms) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`)),
      },
    ],
    series: [
      {},
      { stroke: accent, width: 1.75, points: { show: false }, spanGaps: false },
      { stroke: colorOf('--accent-line'), width: 1, points: { show: false }, spanGaps: false },
    ],
    bands: [{ series: [2, 1], fill: colorOf('--chart-band') }],
    hooks: {
      drawAxes: [(plot) => paintIncidents(plot, series)],
      draw: [(plot) => paintLimit(plot, series)],
      setCursor: [
        ({ cursor: { idx, left = -1 }, bbox }) => {
          const offset = bbox.left / devicePixelRatio
          onCursor(
            idx === null || idx === undefined || left < 0
              ? undefined
              : {
                  index: idx,
                  left: left + offset,
                  right: left * devicePixelRatio < bbox.width / 2,
                },
          )
        },
      ],
    },
  }
}

/** Times of day for up to two days, dates beyond that. */
function tick(seconds: number, { from, to }: Series): string {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
  return days <= 2 ? formatClock(seconds * 1000) : formatDay(seconds * 1000, to)
}
