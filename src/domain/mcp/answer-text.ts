// The answer of a tool as JSON that fits into an assistant's memory: whatever is asked, it stays below 8 kB.

export const MAX_ANSWER_BYTES = 8_000

/** From generous to strict. Ids and times are shorter than the shortest text. */
const LIMITS = [
  { items: 50, characters: 2_000 },
  { items: 20, characters: 600 },
  { items: 20, characters: 200 },
  { items: 10, characters: 120 },
  { items: 5, characters: 80 },
  { items: 2, characters: 60 },
]
type Limits = (typeof LIMITS)[number]

const TOO_LARGE = JSON.stringify({ error: 'The answer is too large. Ask for less at once.' })
const encoder = new TextEncoder()

export function toAnswerText(answer: unknown): string {
  for (const limits of LIMITS) {
    const text = JSON.stringify(shorten(answer, limits))
    if (encoder.encode(text).length <= MAX_ANSWER_BYTES) return text
  }
  return TOO_LARGE
}

function shorten(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string')
    return value.length > limits.characters ? cut(value, limits.characters) : value
  if (Array.isArray(value)) return shortenList(value, limits)
  if (value === null || typeof value !== 'object') return value ?? null
  const entries = Object.entries(value).map(([name, own]) => [name, shorten(own, limits)] as const)
  return Object.fromEntries(entries)
}

function shortenList(list: readonly unknown[], limits: Limits): unknown[] {
  const shown = list.slice(0, limits.items).map((item) => shorten(item, limits))
  const left = list.length - shown.length
  return left > 0 ? [...shown, `… ${left} more`] : shown
}

/** Not within a surrogate pair. */
function cut(text: string, characters: number): string {
  const last = text.charCodeAt(characters - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, isHalf ? characters - 1 : characters)}…`
}
