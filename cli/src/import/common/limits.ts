// The bounds of the API. What lies outside is moved to the nearest value, and the report says so.
import type { ItemDraft } from './draft.ts'
import { toShownText } from './values.ts'

type Bounds = { min: number; max: number; unit: string }

const DAY = 86_400
const BOUNDS = {
  intervalSeconds: { min: 30, max: DAY, unit: ' s' },
  timeoutSeconds: { min: 1, max: 60, unit: ' s' },
  expectedPeriodSec: { min: 60, max: 30 * DAY, unit: ' s' },
  graceSeconds: { min: 0, max: DAY, unit: ' s' },
  degradedThresholdMs: { min: 1, max: 60_000, unit: ' ms' },
  sslExpiryThresholdDays: { min: 1, max: 365, unit: ' days' },
} as const satisfies Record<string, Bounds>

const MAX_NAME = 120
// As names of people and contacts: one line that reads in one direction.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Nothing is set if the other tool says nothing: then the default applies. */
export function setNumber(
  draft: ItemDraft,
  field: keyof typeof BOUNDS,
  given: number | undefined,
): void {
  if (given === undefined) return
  const { min, max, unit } = BOUNDS[field]
  // Up: a check that is given less time than before would fail more often.
  const value = Math.min(max, Math.max(min, Math.ceil(given)))
  draft.set(field, value)
  if (value !== given)
    draft.change(field, given, value, `Upvane takes whole numbers from ${min} to ${max}${unit}.`)
}

export function setName(draft: ItemDraft, given: string): void {
  const line = given.replace(UNPRINTABLE, ' ').trim()
  const name = [...line].slice(0, MAX_NAME).join('').trim() || 'Unnamed'
  draft.set('name', name)
  if (name === given) return
  const why = line === given ? `Names have at most ${MAX_NAME} characters.` : 'Names are one line.'
  draft.change('name', given, name, given === '' ? 'It has no name.' : why)
}

/** A text with a maximum: cut, and said. */
export function setText(draft: ItemDraft, field: string, given: string, max: number): void {
  const storable = given.replaceAll('\0', '')
  if (storable === '') return
  const text = [...storable].slice(0, max).join('')
  draft.set(field, text)
  if (text === given) return
  const why = `Texts like this have at most ${max} characters, and no U+0000.`
  draft.change(field, `${given.length} characters`, `${text.length} characters`, why)
}

const DROPPED_WORDS: ReadonlySet<string> = new Set(['', 'null', '[]', '{}', '0', 'false'])

/** Settings of the other tool that Upvane has no place for, if they are set. */
export function dropAll(
  draft: ItemDraft,
  settings: Readonly<Record<string, unknown>>,
  why: string,
): void {
  for (const [field, value] of Object.entries(settings)) {
    const text = toShownText(value)
    if (!DROPPED_WORDS.has(text)) draft.drop(field, text, why)
  }
}
