// The documentation refers only to files that exist, and every image stored for it is used.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGES = globSync('{*.md,{docs,benchmarks,src,web,sdk,cli,deploy,test}/**/*.md}', {
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
  const kept = globSync('docs/images/*', { cwd: ROOT })
  assert.deepEqual(
    kept.filter((file) => !shown.has(file)),
    [],
  )
})

const LINK = /(?<!!)\[[^\]\n]{1,300}\]\(([^)\s]{1,300})\)/g

test('every link to a file or a heading of the project leads to one', () => {
  const links = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINK)]
      .map(([, to = '']) => to)
      .filter((to) => !/^[a-z]+:/.test(to))
      .map((to) => {
        const [path = '', heading] = to.split('#')
        return { page, file: path === '' ? page : join(dirname(page), path), heading }
      }),
  )
  assert.ok(links.length >= 100, `only ${links.length} links found`)
  const broken = links.filter(
    ({ file, heading }) =>
      !existsSync(join(ROOT, file)) ||
      (heading !== undefined && !headingsOf(join(ROOT, file)).has(heading)),
  )
  assert.deepEqual(broken, [])
})

/** Heading anchors as code hosts create them. */
function headingsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#{1,6} (.{1,200})$/gm)
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

const CODE = /`([^`]{1,300})`/g
// A path with a placeholder (<type>, …, *) is a pattern, not a file.
const PATH = /^(?:src|web|test|tools|migrations|sdk|cli|deploy|benchmarks|docs)\/[\w./-]+$/

test('every file that CONTRIBUTING.md names exists', () => {
  const named = [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(CODE)]
    .map(([, code = '']) => code)
    .filter((code) => PATH.test(code))
  assert.ok(named.length >= 10, `only ${named.length} paths found`)
  const gone = named.filter((path) => !existsSync(join(ROOT, path)))
  assert.deepEqual(gone, [])
})

test('every call in src/README.md is in the file it names', () => {
  const rows = readFileSync(join(ROOT, 'src/README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('.ts)'))
  assert.ok(rows.length >= 20, `only ${rows.length} calls found`)
  const gone = rows.flatMap((row) => {
    const [before = '', file = ''] = row.split(/\]\(|\.ts\)/).slice(0, 2)
    const text = readFileSync(join(ROOT, 'src', `${file}.ts`), 'utf8')
    return [...before.matchAll(CODE)]
      .map(([, code = '']) => code.split('.').at(-1) ?? '')
      .filter((name) => /^[#\w]+$/.test(name) && !text.includes(name))
      .map((name) => `${name} is not in src/${file}.ts`)
  })
  assert.deepEqual(gone, [])
})

// A name in a registry that belongs to nobody yet: anyone who takes it gets the API keys of those who follow the page.
const FROM_REGISTRY = /(?:npx|npm (?:install|i|exec)|yarn|pnpm)\b[^\n`]{0,60}[ =]@upvane\//

test('no page installs our packages from a registry that does not have them', () => {
  const pages = globSync('{README.md,{docs,sdk,cli,deploy}/**/*.{md,yml,yaml}}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  assert.ok(pages.length > 30)
  const wrong = pages.flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .filter((line) => FROM_REGISTRY.test(line) && !line.startsWith('Once it is published'))
      .map((line) => `${page}: ${line}`),
  )
  assert.deepEqual(wrong, [])
})
