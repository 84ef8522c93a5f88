// How well a label matches what was typed, and with which letters. Pure.

export type MatchSpan = readonly [start: number, end: number]
type Match = {
  /** The lower, the better. */
  rank: number
  spans: readonly MatchSpan[]
}

const RANKS = { start: 0, wordStart: 1, anywhere: 2, words: 3 } as const

/** Undefined if the label contains neither the text nor all of its words. Empty text matches everything. */
export function matchLabel(label: string, text: string): Match | undefined {
  const wanted = fold(text.trim())
  if (wanted === '') return { rank: RANKS.start, spans: [] }
  const own = fold(label)
  const at = findPlace(own, wanted)
  if (at !== -1) {
    const rank = at === 0 ? RANKS.start : isWordStart(own, at) ? RANKS.wordStart : RANKS.anywhere
    return { rank, spans: [[at, at + wanted.length]] }
  }
  const words = wanted.split(' ').filter((word) => word !== '')
  const spans = words.map((word): MatchSpan => {
    const place = findPlace(own, word)
    return [place, place + word.length]
  })
  if (words.length < 2 || spans.some(([start]) => start === -1)) return undefined
  return { rank: RANKS.words, spans: merge(spans) }
}

type Part = { text: string; isMatch: boolean; at: number }

/** The label in pieces, to show which of its letters match. */
export function toParts(label: string, spans: readonly MatchSpan[]): Part[] {
  const parts: Part[] = []
  let at = 0
  const add = (end: number, isMatch: boolean) => {
    if (end > at) parts.push({ text: label.slice(at, end), isMatch, at })
    at = Math.max(at, end)
  }
  for (const [start, end] of spans) {
    add(start, false)
    add(end, true)
  }
  add(label.length, false)
  return parts
}

/** In lower case, letter by letter, so that places stay the same: some letters become two. */
function fold(text: string): string {
  let folded = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const lower = letter.toLowerCase()
    folded += lower.length === 1 ? lower : letter
  }
  return folded
}

/** The first word that starts with it, otherwise the first place that contains it. */
function findPlace(own: string, wanted: string): number {
  const first = own.indexOf(wanted)
  for (let at = first; at !== -1; at = own.indexOf(wanted, at + 1))
    if (isWordStart(own, at)) return at
  return first
}

const isWordStart = (own: string, at: number): boolean => at === 0 || !isOfWord(own.charAt(at - 1))

const isOfWord = (letter: string): boolean =>
  letter.toLowerCase() !== letter.toUpperCase() || (letter >= '0' && letter <= '9')

function merge(spans: readonly MatchSpan[]): MatchSpan[] {
  const merged: MatchSpan[] = []
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
    else merged.push([start, end])
  }
  return merged
}
