// The routes below a page's URL.
import { fromPublicId } from '../../domain/values/id.ts'

type EmbedTheme = 'LIGHT' | 'DARK'

export type PageRoute =
  | { kind: 'OVERVIEW' | 'HISTORY' | 'LEDGER' | 'RSS' | 'ATOM' | 'SUMMARY' | 'BADGE' }
  | { kind: 'EMBED'; theme?: EmbedTheme }
  | { kind: 'INCIDENT' | 'WINDOW' | 'COMPONENT_BADGE'; id: string }

const FIXED: Readonly<Record<string, PageRoute>> = {
  '': { kind: 'OVERVIEW' },
  '/history': { kind: 'HISTORY' },
  '/ledger': { kind: 'LEDGER' },
  '/feed.rss': { kind: 'RSS' },
  '/feed.atom': { kind: 'ATOM' },
  '/status.json': { kind: 'SUMMARY' },
  '/badge.svg': { kind: 'BADGE' },
}
const WITH_ID = [
  ['INCIDENT', 'sin', /^\/incidents\/(\w+)$/],
  ['WINDOW', 'mw', /^\/maintenance\/(\w+)$/],
  ['COMPONENT_BADGE', 'cmp', /^\/badge\/(\w+)\.svg$/],
] as const

const THEMES: ReadonlyMap<string | null, EmbedTheme> = new Map<string | null, EmbedTheme>([
  ['light', 'LIGHT'],
  ['dark', 'DARK'],
])

/** `path` is empty for the page itself, otherwise it starts with a slash. */
export function parseRoute(path: string, query = ''): PageRoute | undefined {
  if (path === '/embed') return embedRoute(query)
  if (Object.hasOwn(FIXED, path)) return FIXED[path]
  for (const [kind, prefix, pattern] of WITH_ID) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined && fromPublicId(prefix, id) !== undefined) return { kind, id }
  }
  return undefined
}

/** Without a theme of its own it has the page's. */
function embedRoute(query: string): PageRoute {
  const theme = THEMES.get(new URLSearchParams(query).get('theme'))
  return { kind: 'EMBED', ...(theme && { theme }) }
}

const FOR_PEOPLE: ReadonlySet<PageRoute['kind']> = new Set<PageRoute['kind']>([
  'OVERVIEW',
  'HISTORY',
  'LEDGER',
  'INCIDENT',
  'WINDOW',
])

/** Pages for people; the others are for machines, which get only a status on errors. */
export function isForPeople({ kind }: PageRoute): boolean {
  return FOR_PEOPLE.has(kind)
}
