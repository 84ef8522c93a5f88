// A small state badge for a README or a website: name, mark and state.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { type StateTone, toneOf } from '../snapshot/tone.ts'
import { markShapes } from '../views/drawings.ts'

const HEIGHT = 20
const PADDING = 7
const MARK = 13
const GAP = 4
const MAX_LABEL = 40
const FONT = raw(
  'font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" fill="#fff" lengthAdjust="spacingAndGlyphs"',
)
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
  const [nameWidth, wordWidth] = [widthOf(name), widthOf(word)]
  const left = nameWidth + 2 * PADDING
  const width = left + MARK + GAP + wordWidth + 2 * PADDING
  const ground = GROUNDS[toneOf(state)]
  const shapes = raw(markShapes(state).text.replaceAll('var(--mark-on)', ground))
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${name}: ${word}"><title>${name}: ${word}</title><clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#2b333e"/><rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${ground}"/></g><svg x="${left + PADDING}" y="3.5" width="${MARK}" height="${MARK}" viewBox="0 0 16 16" color="#fff">${shapes}</svg><text x="${PADDING}" y="14" textLength="${nameWidth}" ${FONT}>${name}</text><text x="${left + PADDING + MARK + GAP}" y="14" textLength="${wordWidth}" ${FONT}>${word}</text></svg>
`
}

function cut(label: string): string {
  const characters = [...label]
  return characters.length <= MAX_LABEL ? label : `${characters.slice(0, MAX_LABEL - 1).join('')}…`
}

/** Approximate width in common fonts; the SVG fits the text into it. */
function widthOf(text: string): number {
  const width = [...text].reduce((sum, character) => sum + widthOfOne(character), 0)
  return Math.max(1, Math.round(width))
}

function widthOfOne(character: string): number {
  if (/[ijlrtf.,:;'|!()[\] ]/.test(character)) return 4
  if (/[mwMW@%…—]/.test(character)) return 10
  if (/\p{Lu}/u.test(character)) return 8
  return /[\u1100-\uffee]|\p{Extended_Pictographic}/u.test(character) ? 11 : 6.9
}
