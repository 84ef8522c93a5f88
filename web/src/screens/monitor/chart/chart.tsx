import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { monitorText } from '../../../messages/monitor.ts'
import { formatMs } from '../../../time/figures.ts'
import { VIEWER_ZONE } from '../../../time/viewer.ts'
import { colorOf, useColorScheme } from '../../../ui/colors.ts'
import { paintLabels, paintLimit, paintShades } from './chart-paint.ts'
import { bucketLabel, isShort, tickLabel } from './chart-times.ts'
import {
  lonePoints,
  type Series,
  type Stretch,
  scaleOf,
  summaryOf,
  toColumns,
  zoomOf,
} from './series.ts'
import 'uplot/dist/uPlot.min.css'
import './chart.css'

const { chart: text } = monitorText
const HEIGHT = 296

type Cursor = { index: number; left: number; right: boolean }

type ChartProps = { series: Series; onZoom: (stretch: Stretch) => void }

/** p50 as a line, a band up to p95, the limit, and shaded incidents. Dragging over a part of it zooms in. */
export function Chart({ series, onZoom }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<Cursor>()
  const scheme = useColorScheme()
  useEffect(() => {
    const box = element.current
    if (box === null) return
    const columns = toColumns(series)
    const events = { onCursor: setCursor, onZoom }
    const plot = new uPlot(optionsOf(series, box.clientWidth, events), columns, box)
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: box.clientWidth, height: HEIGHT }),
    )
    observer.observe(box)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
    // The effect does not read the scheme, but the colors depend on it.
  }, [series, scheme, onZoom])
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
  return (
    <div
      className="tip"
      style={{ left: cursor.left, translate: cursor.right ? '12px 0' : 'calc(-100% - 12px) 0' }}
    >
      <b>{bucketLabel(start, series)}</b>
      <div>
        {text.p95} <b>{p95 === null ? '–' : formatMs(p95)}</b>
      </div>
      <div>
        {text.p50} <b>{p50 === null ? '–' : formatMs(p50)}</b>
      </div>
      <div>
        {text.checks} <b>{text.up({ ok, all: ok + failed })}</b>
      </div>
    </div>
  )
}

type Events = {
  onCursor: (cursor: Cursor | undefined) => void
  onZoom: (stretch: Stretch) => void
}

function optionsOf(series: Series, width: number, events: Events): uPlot.Options {
  return {
    width,
    height: HEIGHT,
    // The last label may be at the edge, and half of a date is wider than half of a time.
    padding: [24, isShort(series) ? 20 : 42, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), VIEWER_ZONE),
    scales: { y: { range: [0, scaleOf(series).top] } },
    cursor: {
      y: false,
      move: onPoint,
      points: { size: 9, fill: colorOf('--accent') },
      drag: { x: true, y: false, setScale: false },
    },
    axes: axesOf(series),
    series: [{}, lineOf('--accent', 1.75), lineOf('--accent-line', 1)],
    bands: [{ series: [2, 1], fill: colorOf('--chart-band') }],
    hooks: {
      drawAxes: [(plot) => paintShades(plot, series)],
      draw: [
        (plot) => {
          paintLimit(plot, series)
          paintLabels(plot, series)
        },
      ],
      setCursor: [(plot) => events.onCursor(cursorOf(plot))],
      setSelect: [(plot) => zoom(plot, events.onZoom)],
    },
  }
}

function axesOf(series: Series): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: colorOf('--ink-3'),
    font: '12px Inter, "Inter Fallback", sans-serif',
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  }
  return [
    {
      ...axis,
      grid: { show: false },
      size: 36,
      gap: 9,
      space: 80,
      values: (_, seconds) => seconds.map((one) => tickLabel(one, series)),
    },
    {
      ...axis,
      size: 56,
      values: (_, marks) => marks.map((ms) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`)),
    },
  ]
}

function lineOf(color: string, width: number): uPlot.Series {
  const stroke = colorOf(color)
  const filter = (plot: uPlot, index: number) => lonePoints([...(plot.data[index] ?? [])])
  return {
    stroke,
    width,
    spanGaps: false,
    points: { show: false, filter, size: 6, fill: stroke, stroke },
  }
}

/** The crosshair stands on the point that the tooltip describes. Outside of the plot its position is negative. */
function onPoint(plot: uPlot, left: number, top: number): [number, number] {
  const at = left < 0 ? undefined : plot.data[0][plot.posToIdx(left)]
  return [at === undefined ? left : plot.valToPos(at, 'x'), top]
}

function cursorOf({ cursor: { idx, left = -1 }, bbox }: uPlot): Cursor | undefined {
  if (idx === null || idx === undefined || left < 0) return undefined
  const offset = bbox.left / devicePixelRatio
  return { index: idx, left: left + offset, right: left * devicePixelRatio < bbox.width / 2 }
}

function zoom(plot: uPlot, onZoom: Events['onZoom']): void {
  const { left, width } = plot.select
  if (width === 0) return
  const stretch = zoomOf(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (stretch !== undefined) onZoom(stretch)
}
