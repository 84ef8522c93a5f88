// What uPlot does not draw itself: incidents behind the lines, and the threshold with its label.
import type uPlot from 'uplot'
import { colorOf } from '../../ui/colors.ts'
import type { Series } from './series.ts'

const HATCH = 6
const LEAST_WIDTH = 3

export function paintIncidents(
  { ctx, bbox, valToPos }: uPlot,
  { incidents, windows, to }: Series,
): void {
  const paint = (shades: readonly { from: string; to: string | null }[], token: string) => {
    const color = colorOf(token)
    for (const shade of shades) {
      const left = Math.max(bbox.left, valToPos(Date.parse(shade.from) / 1000, 'x', true))
      const right = Math.min(
        bbox.left + bbox.width,
        valToPos(Date.parse(shade.to ?? to) / 1000, 'x', true),
      )
      hatch(
        ctx,
        {
          left,
          width: Math.max(LEAST_WIDTH * devicePixelRatio, right - left),
          top: bbox.top,
          height: bbox.height,
        },
        color,
      )
    }
  }
  paint(windows, '--maint-fill')
  paint(incidents, '--down-fill')
}

type Box = { left: number; width: number; top: number; height: number }

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

export function paintLimit({ ctx, bbox, valToPos }: uPlot, { thresholdMs }: Series): void {
  if (thresholdMs === null) return
  const y = Math.round(valToPos(thresholdMs, 'y', true))
  const text = `Degraded over ${thresholdMs} ms`
  ctx.save()
  ctx.strokeStyle = colorOf('--degraded')
  ctx.lineWidth = 1.25 * devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.font = `500 ${12 * devicePixelRatio}px Inter, "Inter Fallback", sans-serif`
  const left = bbox.left + 12 * devicePixelRatio
  ctx.fillStyle = colorOf('--surface')
  ctx.fillRect(
    left - 4 * devicePixelRatio,
    y - 9 * devicePixelRatio,
    ctx.measureText(text).width + 8 * devicePixelRatio,
    18 * devicePixelRatio,
  )
  ctx.fillStyle = colorOf('--degraded')
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillText(text, left, y)
  ctx.restore()
}
