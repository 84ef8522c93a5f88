// A small state badge for a README or a website: name, mark and state.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { type StateTone, toneOf } from '../snapshot/tone.ts'
import { markShapes } from '../views/drawings.ts'
import { textWidth } from './text-width.ts'

const HEIGHT = 20
const PADDING = 7
const MARK = 13
const GAP = 4
const MAX_LABEL = 40
const FONT = raw('font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" fill="#fff"')
// White text on these has a contrast of at least 4.5.
const GROUNDS: Readonly<Record<StateTone, string>> = {
  up: '#15803d',
  degraded: '#b45309',
  down: '#b91c1c',
  maint: '#1d4ed8',
  none: '#5f6977',
}

export function renderBadge(label: string, state: ComponentState, word: string): Html {
  const name = cut(label)
  const [nameWidth, wordWidth] = [textWidth(name).width, textWidth(word).width]
  const left = nameWidth + 2 * PADDING
  const width = left + MARK + GAP + wordWidth + 2 * PADDING
  const ground = GROUNDS[toneOf(state)]
  const shapes = raw(markShapes(state).text.replaceAll('var(--mark-on)', ground))
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}: ${word}"><title>${name}: ${word}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#2b333e"/><rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${ground}"/></g><svg x="${left + PADDING}" y="3.5" width="${MARK}" height="${MARK}" viewBox="0 0 16 16" color="#fff">${shapes}</svg>${renderText(name, PADDING)}${renderText(word, left + PADDING + MARK + GAP)}</svg>
`
}

/** Other fonts are spaced to the same width. Their letters keep their shape, and joined scripts are left alone. */
function renderText(text: string, x: number): Html {
  const { width, isExact } = textWidth(text)
  return html`<text x="${x}" y="14"${isExact && html` textLength="${width}"`} ${FONT}>${text}</text>`
}

function cut(label: string): string {
  const characters = [...label]
  return characters.length <= MAX_LABEL ? label : `${characters.slice(0, MAX_LABEL - 1).join('')}…`
}
