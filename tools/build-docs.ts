// `npm run docs -- DIR`: writes the documentation that every installation serves at /docs into a folder. It needs no server:
// any host of static files, or a browser that opens index.html.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HOME, type PageEntry, REFERENCE } from '../src/api/guides/contents.ts'
import { openLibrary } from '../src/api/guides/library.ts'
import type { Places } from '../src/api/guides/page.ts'
import { policyOf, siteFiles } from '../src/api/guides/site.ts'
import { renderDocs } from '../src/api/reference/page.ts'
import { docsStyle } from '../src/api/reference/style.ts'
import { EXT_API } from '../src/contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../src/contract/ext/operations.ts'
import { createOpenapi } from '../src/contract/public/openapi.ts'
import { OPERATIONS } from '../src/contract/public/operations.ts'

const ROOT = join(import.meta.dirname, '..')
const FONT = 'inter-latin.woff2'
const COPIES = ['openapi.json', 'openapi-ext.json']

const fileOf = (path: string) => (path === HOME ? 'index.html' : `${path}.html`)
/** Relative, so that the folder works below any address and without a server. */
const between = (from: string, to: string) => '../'.repeat(from.split('/').length - 1) + to

const PLACES: Places = {
  toPage: (from, to) => between(from, fileOf(to)),
  toFile: between,
  font: (from) => between(from, FONT),
  head: (style, script) =>
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">\n`,
}

/** The paths of all files, by what they contain. */
export function makeDocs(version: string): Map<string, string | Buffer> {
  const site = { library: openLibrary(ROOT), places: PLACES, version }
  const urlOf = ({ path, file }: PageEntry) => (file === undefined ? fileOf(path) : `${path}.md`)
  const made = [...siteFiles(site, urlOf)].map(
    ([path, { type, body }]): [string, string | Buffer] => [
      type.startsWith('text/html') ? fileOf(path) : path,
      finish(body()),
    ],
  )
  return new Map<string, string | Buffer>([
    ...made,
    [fileOf(REFERENCE), makeReference()],
    [FONT, readFileSync(join(ROOT, 'src/pages/assets', FONT))],
    ...COPIES.map((name): [string, Buffer] => [name, readFileSync(join(ROOT, name))]),
  ])
}

function makeReference(): string {
  const style = docsStyle(FONT)
  const head = PLACES.head(style)
  const ways = { guides: fileOf(HOME), search: fileOf('search'), style, head }
  const extension = createOpenapi(EXT_OPERATIONS, { subject: EXT_API })
  return finish(renderDocs(createOpenapi(OPERATIONS), extension, ways))
}

function finish<T>(work: Generator<undefined, T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    console.error('npm run docs -- DIR: writes the documentation as static files into DIR')
    process.exit(2)
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
  }
  const files = makeDocs(version)
  for (const [path, content] of files) {
    const target = join(resolve(folder), path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  console.log(`${files.size} files: ${join(resolve(folder), 'index.html')}`)
}
