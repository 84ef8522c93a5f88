// The documentation shows only what is there, and everything that is kept for it is shown.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGES = globSync('{*.md,{docs,bench,web,sdk,cli,deploy,test}/**/*.md}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
const IMAGE = /!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]+src="([^"]+)"|<source[^>]+srcset="([^"]+)"/g

const named = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(IMAGE)]
    .map(([, inText, inTag, inSource]) => inText ?? inTag ?? inSource ?? '')
    .filter((path) => !/^https?:/.test(path))
    .map((path) => ({ page, file: join(dirname(page), path) })),
)

test('every picture that a page of the documentation names is there', () => {
  assert.ok(named.length >= 10, `only ${named.length} pictures seen: the check is not looking`)
  const missing = named.filter(({ file }) => !existsSync(join(ROOT, file)))
  assert.deepEqual(missing, [])
})

test('every picture that is kept for the documentation is shown in it', () => {
  const shown = new Set(named.map(({ file }) => file))
  const kept = globSync('docs/{images,pictures}/*', { cwd: ROOT })
  assert.deepEqual(
    kept.filter((file) => !shown.has(file)),
    [],
  )
})
