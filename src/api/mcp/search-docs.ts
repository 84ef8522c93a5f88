// Searches the reference: operations of both APIs and the chapters of the guide. They are ours, so nothing is untrusted.
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
import { GUIDE } from '../../contract/public/guide.ts'
import { OPERATIONS } from '../../contract/public/operations.ts'

type Entry = { title: string; where: string; text: string }
type Scored = { entry: Entry; score: number }

const MAX_RESULTS = 5
const TITLE_WEIGHT = 3

const ENTRIES: readonly Entry[] = [
  ...[...OPERATIONS, ...EXT_OPERATIONS].map((operation) => ({
    title: operation.summary,
    where: `${operation.method} ${operation.path}`,
    text: operation.description ?? '',
  })),
  ...GUIDE.map(({ title, text }) => ({ title, where: '/docs', text: text.join(' ') })),
]

/** The best first. Every word counts where it occurs, most in the title. */
export function searchDocs(q: string): Entry[] {
  const words = new Set(
    q
      .toLowerCase()
      .split(' ')
      .filter((word) => word.length > 1),
  )
  return ENTRIES.map((entry): Scored => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry)
}

function scoreOf({ title, where, text }: Entry, words: ReadonlySet<string>): number {
  const [head, body] = [title.toLowerCase(), `${where} ${text}`.toLowerCase()]
  let score = 0
  for (const word of words)
    score += (head.includes(word) ? TITLE_WEIGHT : 0) + (body.includes(word) ? 1 : 0)
  return score
}
