// Draws the rooms as an SVG that follows the reader's light or dark theme.
import { arrowsOf, layersOf, type Rooms } from './layers.ts'

const BOX = { width: 180, height: 58 }
const GAP = { across: 26, down: 62 }
const MARGIN = 28
const HEAD = 84
const LINE_CHARACTERS = 25

const STYLE = `:root { color-scheme: light dark; --page: #fff; --box: #f3f4f7; --line: #c9cdd6; --ink: #14171f; --soft: #5b6272; --arrow: #5b3fd6; }
@media (prefers-color-scheme: dark) { :root { --page: #0f131a; --box: #1e2430; --line: #3a4252; --ink: #eef0f4; --soft: #a6adbb; --arrow: #a99bff; } }
text { font: 11px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--soft); }
.page { fill: var(--page); } .box { fill: var(--box); stroke: var(--line); } .name { font-size: 14px; font-weight: 650; fill: var(--ink); }
.title { font-size: 18px; font-weight: 650; fill: var(--ink); } .arrow { fill: none; stroke: var(--arrow); stroke-width: 1.2; opacity: 0.75; } .tip { fill: var(--arrow); }`

type Point = { x: number; y: number }

/** `about` says in a few words what is in a room. */
export function drawRooms(rooms: Rooms, about: Readonly<Record<string, string>>): string {
  const layers = layersOf(rooms).toReversed()
  const widest = Math.max(...layers.map((layer) => layer.length))
  const width = 2 * MARGIN + widest * BOX.width + (widest - 1) * GAP.across
  const height = HEAD + layers.length * (BOX.height + GAP.down) - GAP.down + MARGIN
  const places = placesOf(layers, width)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    '<title id="title">The rooms of src, web, and which of them may import which</title>',
    `<style>\n${STYLE}\n</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="34">The rooms of src, and web</text>`,
    `<text x="${MARGIN}" y="54">An arrow leads to what a room may import; what follows from other arrows is left out.</text>`,
    ...arrowsOf(rooms).map(([from, to]) => drawArrow(places, from, to)),
    ...[...places].map(([name, place]) => drawBox(name, about[name] ?? '', place)),
    '</svg>',
  ]
  return `${parts.join('\n')}\n`
}

function placesOf(layers: readonly (readonly string[])[], width: number): Map<string, Point> {
  const places = new Map<string, Point>()
  for (const [row, layer] of layers.entries()) {
    const taken = layer.length * BOX.width + (layer.length - 1) * GAP.across
    for (const [column, name] of layer.entries())
      places.set(name, {
        x: Math.round((width - taken) / 2) + column * (BOX.width + GAP.across),
        y: HEAD + row * (BOX.height + GAP.down),
      })
  }
  return places
}

function drawArrow(places: ReadonlyMap<string, Point>, from: string, to: string): string {
  const [start, end] = [places.get(from), places.get(to)]
  if (start === undefined || end === undefined) throw new Error(`No room for ${from} -> ${to}.`)
  const [x1, y1] = [start.x + BOX.width / 2, start.y + BOX.height]
  const [x2, y2] = [end.x + BOX.width / 2, end.y - 6]
  const bend = Math.round((y2 - y1) / 2)
  const line = `<path class="arrow" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`
  return `${line}<path class="tip" d="M${x2} ${y2 + 6}l-4 -8h8z"/>`
}

function drawBox(name: string, about: string, { x, y }: Point): string {
  const lines = wrap(about).map(
    (line, index) => `<text x="${x + 10}" y="${y + 37 + 13 * index}">${escapeXml(line)}</text>`,
  )
  return [
    `<rect class="box" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="6"/>`,
    `<text class="name" x="${x + 10}" y="${y + 20}">${escapeXml(name)}</text>`,
    ...lines,
  ].join('')
}

function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= LINE_CHARACTERS)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
