// All pages and files of the documentation, each made when it is first asked for. The service serves them below /docs; `npm
// run docs` writes them into a folder.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { DECISIONS, HOME, type PageEntry, SEARCH } from './contents.ts'
import { renderDocument } from './document-page.ts'
import { documentsOf } from './library.ts'
import { renderDecisions, renderHome, renderLlms, renderSearch } from './overviews.ts'
import type { Site } from './page.ts'
import { makeSearchIndex } from './search-index.ts'
import { guideStyle, searchStyle } from './style.ts'

type Work<T> = Generator<undefined, T>
export type SiteFile = {
  type: string
  /** In pieces, which the caller takes when there is time. */
  body(): Work<string | Buffer>
  policy: string
  isPicture?: true
}

const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' }
const MARKDOWN = 'text/markdown; charset=utf-8'
const NOTHING = "default-src 'none'"
// A picture that is opened by itself has styles of its own.
const PICTURE = `${NOTHING}; style-src 'unsafe-inline'; sandbox`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What a page may load: its own style, and pictures and the font of its own site. */
export function policyOf(style: string, script?: string): string {
  const scripts =
    script === undefined ? '' : `; script-src ${hashOf(script)}; require-trusted-types-for 'script'`
  return `${NOTHING}; style-src ${hashOf(style)}${scripts}; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'`
}

/** By path: pages without an ending, files with theirs. Not the API reference. */
export function siteFiles(site: Site, urlOf: (page: PageEntry) => string): Map<string, SiteFile> {
  const { library, places } = site
  const pageAt = (path: string, body: () => Work<string>): [string, SiteFile] => [
    path,
    { type: HTML, body, policy: policyOf(guideStyle(places.font(path))) },
  ]
  const script = readScript()
  const documents = documentsOf(library)
  return new Map<string, SiteFile>([
    pageAt(HOME, () => atOnce(renderHome(site))),
    pageAt(DECISIONS, () => atOnce(renderDecisions(site))),
    [
      SEARCH,
      {
        type: HTML,
        body: () => searchPage(site, script),
        policy: policyOf(searchStyle(places.font(SEARCH)), script),
      },
    ],
    ...documents.map((page) => pageAt(page.path, () => renderDocument(site, page))),
    ...documents.map(({ path, file }): [string, SiteFile] => [
      `${path}.md`,
      { type: MARKDOWN, body: () => atOnce(library.read(file)), policy: NOTHING },
    ]),
    ...library.files.map((name): [string, SiteFile] => [name, fileOf(site, name)]),
    ['llms.txt', { type: TEXT, body: () => atOnce(renderLlms(site, urlOf)), policy: NOTHING }],
  ])
}

function* atOnce<T>(value: T): Work<T> {
  yield
  return value
}

function* searchPage(site: Site, script: string): Work<string> {
  const index = yield* makeSearchIndex(site)
  return renderSearch(site, JSON.stringify(index), script)
}

function fileOf({ library }: Site, name: string): SiteFile {
  const body = () => atOnce(library.read(`docs/${name}`))
  const type = TYPES[extname(name)]
  if (type === undefined) return { type: TEXT, body, policy: NOTHING }
  return { type, body, policy: PICTURE, isPicture: true }
}

const readScript = () =>
  ['rank.js', 'search-page.js']
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n')
