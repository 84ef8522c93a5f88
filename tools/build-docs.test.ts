// The documentation as files: everything in docs/ is in it, every link leads somewhere, and nothing is loaded from elsewhere.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { CONDITION_CODES } from '../src/domain/operating/condition.ts'
import { helpUrl } from '../src/domain/operating/condition-remedies.ts'
import { makeDocs } from './build-docs.ts'

const ROOT = join(import.meta.dirname, '..')
const FILES = makeDocs('0.0.0')
const PAGES = new Map(
  [...FILES].flatMap(([path, content]) =>
    path.endsWith('.html') ? [[path, String(content)] as const] : [],
  ),
)
const LARGE = new Set(['reference.html', 'search.html'])
// As the service compresses them.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const MAX_PAGE = 128 * 1024
const MAX_COMPRESSED = 32 * 1024
const MAX_LARGE_COMPRESSED = 256 * 1024

const idsOf = (page = '') => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
const withoutCode = (page: string) => page.replace(/<(pre|code|script)[ >].*?<\/\1>/gs, '')

test('every document in docs/ is a page', () => {
  const documents = globSync('docs/**/*.md', { cwd: ROOT }).map((file) => file.slice(5, -3))
  assert.ok(documents.length > 50)
  assert.deepEqual(
    documents.filter((path) => !PAGES.has(`${path}.html`)),
    [],
    'add it to src/api/guides/contents.ts',
  )
})

test('every page: a title and one heading, each id once, no script but that of the search', () => {
  for (const [path, page] of PAGES) {
    assert.match(page, /<title>[A-Z0-9][^<]+<\/title>/, path)
    assert.equal(page.match(/<h1/g)?.length, 1, path)
    const ids = idsOf(page)
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
      path,
    )
    if (path !== 'search.html') assert.doesNotMatch(page, /<script/, path)
    assert.doesNotMatch(page, /<(?:link|iframe|object|form)\b|@import|<[^>]+ on\w+=/i, path)
    assert.match(page, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; /)
  }
})

test('no mark of Markdown is left, and no tag is shown as text', () => {
  for (const [path, page] of PAGES) {
    if (LARGE.has(path)) continue
    const text = withoutCode(page)
    assert.doesNotMatch(text, /^\|/m, `${path}: a table that was not read`)
    assert.doesNotMatch(text, /\]\(|^#{1,4} |\*\*/m, path)
    assert.doesNotMatch(text, /&lt;(?:img|details|summary|!--)/, path)
  }
})

test('every link, picture and font leads to a file of the folder, and every anchor to an id', () => {
  let links = 0
  for (const [path, page] of PAGES) {
    for (const [, to = ''] of page.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^(?:https:\/\/|mailto:)/.test(to)) continue
      links++
      const [name = '', id] = to.split('#')
      const target = name === '' ? path : posix.join(posix.dirname(path), name)
      assert.ok(FILES.has(target), `${path}: ${to}`)
      if (id === undefined || id === '') continue
      assert.ok(idsOf(PAGES.get(target)).includes(id), `${path}: ${to}`)
    }
    const [, font = ''] = /src:url\(([^)]+)\)/.exec(page) ?? []
    assert.ok(FILES.has(posix.join(posix.dirname(path), font)), `${path}: ${font}`)
  }
  assert.ok(links > 5_000, `only ${links} links`)
})

test('the search knows only addresses that exist', () => {
  const [, json = ''] = /id="index">(.*?)<\/script>/s.exec(PAGES.get('search.html') ?? '') ?? []
  const index = JSON.parse(json) as { url: string; sections: [string, string, string][] }[]
  const urls = index.map(({ url }) => url)
  assert.deepEqual(
    [...PAGES.keys()].filter((path) => !urls.includes(path)),
    ['index.html', 'decisions.html', 'search.html'],
  )
  for (const { url, sections } of index) {
    const ids = idsOf(PAGES.get(url))
    for (const [, anchor] of sections) assert.ok(ids.includes(anchor), `${url}#${anchor}`)
  }
})

test('llms.txt lists every page, and what it lists is there', () => {
  const text = String(FILES.get('llms.txt'))
  const listed = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  for (const path of listed) assert.ok(FILES.has(path), path)
  const pages = new Set(listed.map((path) => path.replace(/\.md$/, '.html')))
  assert.deepEqual(
    [...PAGES.keys()].filter((path) => !pages.has(path)),
    ['index.html', 'search.html'],
  )
})

test('sizes: a page has at most 128 KiB, 32 compressed; search and reference 256 compressed', () => {
  for (const [path, page] of PAGES) {
    const compressed = brotliCompressSync(page, BROTLI).length
    if (LARGE.has(path)) assert.ok(compressed <= MAX_LARGE_COMPRESSED, `${path}: ${compressed}`)
    else
      assert.ok(
        page.length <= MAX_PAGE && compressed <= MAX_COMPRESSED,
        `${path}: ${page.length}, compressed ${compressed}`,
      )
  }
})

test('the link in an email about a condition leads to its section', () => {
  for (const code of CONDITION_CODES) {
    const { origin, pathname, hash } = new URL(helpUrl('https://upvane.example', code))
    assert.equal(origin, 'https://upvane.example')
    const page = PAGES.get(`${pathname.slice('/docs/'.length)}.html`)
    assert.ok(idsOf(page).includes(hash.slice(1)), code)
  }
})
