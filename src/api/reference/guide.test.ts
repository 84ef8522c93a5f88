import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { TROUBLE_CODES } from '../../domain/operating/trouble.ts'
import { GUIDE_PATH, helpUrl } from '../../domain/operating/trouble-remedies.ts'
import { renderGuide } from '../../render/guide.ts'
import { guidePage } from './guide.ts'

const DIRECTORY = join(import.meta.dirname, '../../../docs/operating')
const PAGES = new Map(
  globSync('*.md', { cwd: DIRECTORY }).map((file) => [
    `${GUIDE_PATH}/${basename(file, '.md')}`,
    guidePage(readFileSync(join(DIRECTORY, file), 'utf8')),
  ]),
)
const idsOf = (page = '') => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

test('every page of the guide: a title, each id once, no script, and nothing is loaded', () => {
  assert.ok(PAGES.size > 5)
  for (const [path, page] of PAGES) {
    assert.match(page, /<title>[A-Z][^<]+ · Upvane<\/title>/, path)
    assert.equal(new Set(idsOf(page)).size, idsOf(page).length, path)
    assert.doesNotMatch(page, /<script|<link|<img|<iframe|\bsrc=|@import|\son\w+=/i, path)
    assert.doesNotMatch(page, /^\|/m, `${path}: a table that was not read`)
  }
})

test('every link inside the guide leads to a page and a heading that exist', () => {
  for (const [path, page] of PAGES)
    for (const [, href = ''] of page.matchAll(/<a href="([^"]+)"/g)) {
      if (href.startsWith('https://')) continue
      const [target = '', id] = href.split('#')
      const linked = PAGES.get(target === '' ? path : target)
      assert.ok(linked, `${path}: ${href}`)
      if (id !== undefined) assert.ok(idsOf(linked).includes(id), `${path}: ${href}`)
    }
})

test('the link in an email about a trouble leads to its section', () => {
  for (const code of TROUBLE_CODES) {
    const { origin, pathname, hash } = new URL(helpUrl('https://upvane.example', code))
    assert.equal(origin, 'https://upvane.example')
    assert.ok(idsOf(PAGES.get(pathname)).includes(hash.slice(1)), code)
  }
})

test('renderGuide: tables, code and links; markup stays text', () => {
  const html = renderGuide(
    [
      '# A `b`',
      '',
      'See [health](health.md#a-b), [scaling](../scaling.md) and <b>this</b>.',
      '',
      '| m | n |',
      '|---|---|',
      '| `x <y>` | [z](#a-b) |',
      '',
      '```sh test=x',
      '# no heading',
      '| no table',
      '```',
    ].join('\n'),
    '/guide',
  )
  assert.ok(html.includes('<h1 id="a-b">A <code>b</code></h1>'), html)
  assert.ok(html.includes('<a href="/guide/health#a-b">health</a>, <a>scaling</a>'), html)
  assert.ok(html.includes('&lt;b&gt;this&lt;/b&gt;'), html)
  assert.ok(html.includes('<td><code>x &lt;y&gt;</code></td><td><a href="#a-b">z</a></td>'), html)
  assert.ok(html.includes('# no heading\n| no table'), html)
})
