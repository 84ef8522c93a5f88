// Marks and icons. Each state has its own silhouette, so that it is recognizable without color.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { toneOf } from '../snapshot/tone.ts'

const MARKS: Readonly<Record<ComponentState, string>> = {
  OPERATIONAL: 'm-up',
  DEGRADED: 'm-degraded',
  PARTIAL_OUTAGE: 'm-partial',
  MAJOR_OUTAGE: 'm-down',
  MAINTENANCE: 'm-maint',
  UNKNOWN: 'm-none',
}

// `--mark-on` is the background color of a mark.
const SYMBOLS: Readonly<Record<string, string>> = {
  'm-up':
    '<circle cx="8" cy="8" r="7" fill="currentColor"/><path d="m4.9 8.3 2.2 2.2 4-4.5" fill="none" stroke="var(--mark-on)" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>',
  'm-degraded':
    '<path d="M8 2 14.5 13.5h-13L8 2Z" fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path d="M8 6v3.6M8 12v.01" stroke="var(--mark-on)" stroke-width="1.7" stroke-linecap="round"/>',
  'm-down':
    '<rect x="1.25" y="1.25" width="13.5" height="13.5" rx="3" fill="currentColor"/><path d="m5.3 5.3 5.4 5.4M10.7 5.3l-5.4 5.4" stroke="var(--mark-on)" stroke-width="1.8" stroke-linecap="round"/>',
  'm-partial':
    '<rect x="2" y="2" width="12" height="12" rx="2.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
  'm-maint':
    '<path d="M11.2 1.9a3.6 3.6 0 1 0 2.9 2.9" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/><path d="M7.8 8.2 3 13" stroke="currentColor" stroke-width="2.8" stroke-linecap="round"/>',
  'm-none':
    '<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M5.4 8h5.2" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>',
  'i-bell': '<path d="M4 11V7.5a4 4 0 0 1 8 0V11l1 1H3l1-1ZM6.8 14h2.4"/>',
  'i-right': '<path d="m6.5 4.5 3.5 3.5-3.5 3.5"/>',
  'i-left': '<path d="M9.5 4.5 6 8l3.5 3.5"/>',
  'i-siren': '<path d="M8 2.2 14 13H2L8 2.2ZM8 6.5v3M8 11.2v.01"/>',
  'i-search': '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3 3"/>',
  'i-eye':
    '<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8Z"/><circle cx="8" cy="8" r="1.8"/>',
  'i-check': '<path d="m3.5 8.5 3 3 6-7"/>',
}
export type Icon = 'bell' | 'right' | 'left' | 'siren' | 'search' | 'eye' | 'check'

const HATCH =
  '<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="4" fill="var(--maint-soft)"/><rect width="2.8" height="4" fill="var(--maint-fill)"/></pattern>'

/** The symbols that a body refers to, to be placed before it. */
export function definitions(body: Html): Html {
  const symbols = Object.entries(SYMBOLS)
    .filter(([id]) => body.text.includes(`"#${id}"`))
    .map(([id, shape]) => `<symbol id="${id}" viewBox="0 0 16 16">${shape}</symbol>`)
  const hatch = body.text.includes('b-maint') ? HATCH : ''
  return raw(
    `<svg class="defs" width="0" height="0" aria-hidden="true">${hatch}${symbols.join('')}</svg>`,
  )
}

/** The shapes of a mark alone, for standalone images. */
export function markShapes(state: ComponentState): Html {
  return raw(SYMBOLS[MARKS[state]] ?? '')
}

export function mark(state: ComponentState, size: '' | 'xl' = ''): Html {
  const name = size === '' ? 'mark' : `mark ${size}`
  return html`<svg class="${name}" aria-hidden="true"><use href="#${MARKS[state]}"/></svg>`
}

export function icon(name: Icon): Html {
  const turns = name === 'left' || name === 'right' ? ' dir' : ''
  return html`<svg class="icon${turns}" aria-hidden="true"><use href="#i-${name}"/></svg>`
}

/** Mark and text. Good states are unobtrusive: their text is gray. */
export function stateLabel(state: ComponentState, word: string): Html {
  const calm = state === 'OPERATIONAL' || state === 'UNKNOWN' ? ' calm' : ''
  return html`<span class="state is-${toneOf(state)}${calm}">${mark(state)}${word}</span>`
}

export const UPVANE_MARK = raw(
  '<svg width="14" height="14" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 3.5 21 12 16.2Z" fill="currentColor"/><path d="M12 2 20.5 21 12 16.2Z" fill="var(--accent)"/></svg>',
)

/** For a page without a logo: the first letter of its name on a tile. */
export function letterTile(name: string): Html {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return html`<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="var(--ink)"/><text x="12" y="16.6" text-anchor="middle" font-size="13" font-weight="600" fill="var(--canvas)">${first?.segment.toUpperCase()}</text></svg>`
}
