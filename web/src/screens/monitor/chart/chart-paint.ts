// What uPlot does not draw itself: shades behind the lines with their labels, and the limit.
import type uPlot from 'uplot'
import { monitorText } from '../../../messages/monitor.ts'
import { formatSpan } from '../../../time/format.ts'
import { colorOf } from '../../../ui/colors.ts'
import { placeLabels, type Series, scaleOf } from './series.ts'

const { chart: text } = monitorText
const HATCH = 6
const LEAST_WIDTH = 3
const LABEL_GAP = 8

type Shade = { from: string; to: string | null }
type Box = { left: number; width: number; top: number; height: number }

/** Behind the lines: degraded periods, maintenance windows, then incidents. */
export function paintShades(plot: uPlot, series: Series): void {
  const boxesOf = (shades: readonly Shade[]) => shades.map((shade) => boxOf(plot, shade, series.to))
  for (const box of boxesOf(series.degraded)) fill(plot.ctx, box, colorOf('--degraded-fill'))
  for (const box of boxesOf(series.windows)) hatch(plot.ctx, box, colorOf('--maint-fill'))
  for (const box of boxesOf(series.incidents)) hatch(plot.ctx, box, colorOf('--down-fill'))
}

/** Part of the plot between two instants, wide enough to be seen. */
function boxOf({ bbox, valToPos }: uPlot, { from, to }: Shade, end: string): Box {
  const left = Math.max(bbox.left, valToPos(Date.parse(from) / 1000, 'x', true))
  const right = Math.min(bbox.left + bbox.width, valToPos(Date.parse(to ?? end) / 1000, 'x', true))
  const width = Math.max(LEAST_WIDTH * devicePixelRatio, right - left)
  return { left, width, top: bbox.top, height: bbox.height }
}

function fill(ctx: CanvasRenderingContext2D, box: Box, color: string): void {
  ctx.save()
  ctx.globalAlpha = 0.14
  ctx.fillStyle = color
  ctx.fillRect(box.left, box.top, box.width, box.height)
  ctx.restore()
}

/** Diagonal lines within a box, and its left and right edges. */
function hatch(
  ctx: CanvasRenderingContext2D,
  { left, width, top, height }: Box,
  color: string,
): void {
  const step = HATCH * devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, width, height)
  ctx.clip()
  ctx.strokeStyle = color
  ctx.globalAlpha = 0.45
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.beginPath()
  for (let x = left - height; x < left + width; x += step) {
    ctx.moveTo(x, top + height)
    ctx.lineTo(x + height, top)
  }
  ctx.stroke()
  ctx.globalAlpha = 1
  ctx.lineWidth = devicePixelRatio
  ctx.strokeRect(left, top - 2, width, height + 4)
  ctx.restore()
}

/** Above the plot: what the bands are, and a limit that is out of range. */
export function paintLabels(plot: uPlot, series: Series): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.font = `500 ${12 * devicePixelRatio}px Inter, "Inter Fallback", sans-serif`
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const y = bbox.top - 11 * devicePixelRatio
  const end = bbox.left + bbox.width
  const to = scaleOf(series).limit === 'EDGE' ? paintEdgeLimit(ctx, series, { end, y }) : end
  const labels = bandLabels(series).map(({ shade, label, color }) => {
    const { left, width } = boxOf(plot, shade, series.to)
    return { center: left + width / 2, width: ctx.measureText(label).width, label, color }
  })
  const gap = LABEL_GAP * devicePixelRatio
  placeLabels(labels, { from: bbox.left, to, gap }).forEach((left, index) => {
    const placed = labels[index]
    if (left === undefined || placed === undefined) return
    ctx.fillStyle = colorOf(placed.color)
    ctx.fillText(placed.label, left, y)
  })
  ctx.restore()
}

function bandLabels({ incidents, windows }: Series) {
  const down = incidents.map((shade) => {
    // Of an ongoing one, the banner says how long: the chart is as old as its last read.
    const lasted = shade.to && formatSpan(Date.parse(shade.to) - Date.parse(shade.from))
    return {
      shade,
      label: lasted ? text.downBand({ duration: lasted }) : text.down,
      color: '--down',
    }
  })
  const maintenance = windows.map((shade) => ({
    shade,
    label: text.maintenanceBand,
    color: '--maint',
  }))
  return [...down, ...maintenance]
}

/** Returns where the tag begins: labels end before it. */
function paintEdgeLimit(
  ctx: CanvasRenderingContext2D,
  { thresholdMs }: Series,
  { end, y }: { end: number; y: number },
): number {
  const label = `↑ ${text.limitTag({ limitMs: thresholdMs ?? 0 })}`
  const left = end - ctx.measureText(label).width
  ctx.fillStyle = colorOf('--degraded')
  ctx.fillText(label, left, y)
  return left - LABEL_GAP * devicePixelRatio
}

/** A limit within the range: a dotted line, named above its right end. */
export function paintLimit({ ctx, bbox, valToPos }: uPlot, series: Series): void {
  const { thresholdMs } = series
  if (thresholdMs === null || scaleOf(series).limit !== 'LINE') return
  const y = Math.round(valToPos(thresholdMs, 'y', true))
  ctx.save()
  ctx.strokeStyle = colorOf('--degraded')
  ctx.lineWidth = 1.25 * devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.font = `500 ${12 * devicePixelRatio}px Inter, "Inter Fallback", sans-serif`
  ctx.fillStyle = colorOf('--degraded')
  ctx.textBaseline = 'bottom'
  ctx.textAlign = 'right'
  ctx.fillText(
    text.limitLine({ limitMs: thresholdMs }),
    bbox.left + bbox.width,
    y - 3 * devicePixelRatio,
  )
  ctx.restore()
}
