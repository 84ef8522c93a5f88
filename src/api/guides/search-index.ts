// What the search knows: every section of every document, and what the API reference explains.
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
import { ERRORS } from '../../contract/public/errors.ts'
import { EVENTS } from '../../contract/public/events.ts'
import { GUIDE } from '../../contract/public/guide.ts'
import { OPERATIONS } from '../../contract/public/operations.ts'
import { sectionsOf } from '../../render/guide-blocks.ts'
import { REFERENCE, SEARCH } from './contents.ts'
import { documentsOf } from './library.ts'
import type { Site } from './page.ts'
import type { IndexedPage, IndexedSection } from './rank.js'

// Of a history, what is in it is rarely the answer.
const WEIGHTS: Readonly<Record<string, number>> = {
  changelog: 0.4,
  'upgrade-notes': 0.5,
  benchmarks: 0.5,
  'data-model': 0.6,
  simulator: 0.5,
  scale: 0.7,
}
const DECISION_WEIGHT = 0.4
const REFERENCE_WEIGHT = 0.8

/** In pieces. */
export function* makeSearchIndex(site: Site): Generator<undefined, IndexedPage[]> {
  const { library, places } = site
  const pages: IndexedPage[] = []
  for (const { path, file, title, summary } of documentsOf(library)) {
    const sections = sectionsOf(library.read(file).toString()).map(
      (section): IndexedSection => [section.title, section.id, section.text],
    )
    const weight = WEIGHTS[path] ?? (summary === '' ? DECISION_WEIGHT : 1)
    pages.push({ url: places.toPage(SEARCH, path), title, summary, weight, sections })
    yield
  }
  return [...pages, referencePage(places.toPage(SEARCH, REFERENCE))]
}

function referencePage(url: string): IndexedPage {
  const operations = [...OPERATIONS, ...EXT_OPERATIONS].map(
    ({ summary, id, method, path, description }): IndexedSection => [
      summary,
      id,
      `${id} ${method} ${path} ${plain(description ?? '')}`,
    ],
  )
  const chapters = GUIDE.map(
    ({ title, id, text }): IndexedSection => [title, id, plain(text.join(' '))],
  )
  const events = EVENTS.map(({ type, summary }): IndexedSection => [type, `event-${type}`, summary])
  const errors = Object.entries(ERRORS).map(
    ([code, { status, meaning }]): IndexedSection => [
      code,
      `error-${code}`,
      `${status} ${plain(meaning)}`,
    ],
  )
  return {
    url,
    title: 'API reference',
    summary: '',
    weight: REFERENCE_WEIGHT,
    sections: [...chapters, ...operations, ...events, ...errors],
  }
}

const plain = (text: string) => text.replaceAll('`', '')
