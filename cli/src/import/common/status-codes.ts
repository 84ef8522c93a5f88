// Statuses that count as up. Upvane takes at most 100 of them.
import type { ItemDraft } from './draft.ts'

const MAX_STATUSES = 100
const RANGE = /^([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?$/
const CLASS = /^([1-5])xx$/i

const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n)

/** Every status that has a meaning by now. */
const REGISTERED: ReadonlySet<number> = new Set([
  ...span(100, 103),
  ...span(200, 208),
  226,
  ...span(300, 305),
  ...span(307, 308),
  ...span(400, 418),
  ...span(421, 426),
  428,
  429,
  431,
  451,
  ...span(500, 508),
  510,
  511,
])

/** `200`, `200-299` or `2xx`; undefined for anything else. */
function parseStatus(given: unknown): number[] | undefined {
  const text =
    typeof given === 'number' ? String(given) : typeof given === 'string' ? given.trim() : ''
  const [, first, last] = RANGE.exec(text) ?? []
  if (first !== undefined) {
    const codes = span(Number(first), Number(last ?? first))
    return codes.length > 0 ? codes : undefined
  }
  const [, hundred] = CLASS.exec(text) ?? []
  return hundred === undefined ? undefined : span(Number(hundred) * 100, Number(hundred) * 100 + 99)
}

/** An empty list means that the other tool says nothing. */
export function setStatuses(draft: ItemDraft, given: readonly unknown[]): void {
  if (given.length === 0) return
  const parsed = given.map(parseStatus)
  const unreadable = given.filter((_, at) => parsed[at] === undefined)
  const all = [...new Set(parsed.flatMap((codes) => codes ?? []))].toSorted((a, b) => a - b)
  if (all.length === 0) return draft.refuse('None of its accepted statuses is one.')
  if (unreadable.length > 0)
    draft.drop('expectedStatus', unreadable, 'It is no status from 100 to 599.')
  if (all.length <= MAX_STATUSES) return draft.set('expectedStatus', toRanges(all))
  const known = all.filter((code) => REGISTERED.has(code))
  draft.set('expectedStatus', toRanges(known))
  draft.change(
    'expectedStatus',
    given,
    `the ${known.length} registered ones`,
    `Upvane takes at most ${MAX_STATUSES} statuses; those without a meaning are left out.`,
  )
}

/** As the file writes them: 200-299. */
function toRanges(codes: readonly number[]): (number | string)[] {
  const ranges: (number | string)[] = []
  let from = 0
  for (const [at, code] of codes.entries()) {
    if (at === 0 || codes[at - 1] !== code - 1) from = code
    if (codes[at + 1] !== code + 1) ranges.push(from === code ? code : `${from}-${code}`)
  }
  return ranges
}
