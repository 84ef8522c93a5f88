// `npm run check:messages`: fails if a component of the dashboard has text that is in no catalog. How many such texts a
// file still has is in tools/messages/not-in-catalogs.json, which may only shrink; `--update` writes it after some moved.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const LEFT = join(import.meta.dirname, 'messages/not-in-catalogs.json')
const FEWEST_FILES = 100
/** Words that are the same in every language: names, keys and protocols. */
const ALLOWED = new Set(
  'Upvane Ctrl Alt Enter Esc CSV HTTP curl upv_… SMTP_URL SMTP_FROM'.split(' '),
)
/** Examples of addresses, which end in a domain for examples. */
const EXAMPLE = /^(?:https:\/\/)?(?:[\w-]+\.)?example\.com(?:\/\w+)?$|^https:\/\/$/
const isTheSame = (text: string) => ALLOWED.has(text) || EXAMPLE.test(text)
const ATTRIBUTES = new Set(
  'aria-label title label placeholder alt about hint action keep word summary'.split(' '),
)

type Found = { line: number; text: string }

/** Texts between tags and in attributes that people read or hear. */
export function textsOutside(file: string, source: string): Found[] {
  const found: Found[] = []
  const add = (at: number, text: string) => {
    const words = text.replaceAll(/\s+/g, ' ').trim()
    if (!/\p{L}{2}/u.test(words.replaceAll(/&\w+;/g, '')) || isTheSame(words)) return
    found.push({ line: source.slice(0, at).split('\n').length, text: words })
  }
  new Visitor({
    JSXText: ({ start, value }) => add(start, value),
    JSXAttribute: ({ name, value }) => {
      if (name.type !== 'JSXIdentifier' || !ATTRIBUTES.has(name.name)) return
      if (value?.type === 'Literal' && typeof value.value === 'string')
        add(value.start, value.value)
    },
  }).visit(parseSync(file, source).program)
  return found
}

type Counts = Readonly<Record<string, number>>

export function findProblems(found: ReadonlyMap<string, readonly Found[]>, left: Counts): string[] {
  const files = [...new Set([...found.keys(), ...Object.keys(left)])].sort()
  return files.flatMap((file) => {
    const texts = found.get(file) ?? []
    const allowed = left[file] ?? 0
    if (texts.length < allowed)
      return [
        `${file}: ${texts.length} texts are in no catalog, the list says ${allowed}: --update`,
      ]
    if (texts.length === allowed) return []
    return texts.map(({ line, text }) => `${file}:${line}: "${text}" is in no catalog`)
  })
}

function run(): void {
  const files = globSync('web/src/**/*.tsx', { cwd: ROOT })
  if (files.length < FEWEST_FILES) throw new Error(`Only ${files.length} components found.`)
  const found = new Map(
    files.map((file) => [file, textsOutside(file, readFileSync(join(ROOT, file), 'utf8'))]),
  )
  const left: Counts = JSON.parse(readFileSync(LEFT, 'utf8'))
  if (process.argv.includes('--update')) return update(found, left)
  const problems = findProblems(found, left)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** Never writes a larger number. */
function update(found: ReadonlyMap<string, readonly Found[]>, left: Counts): void {
  const rows = Object.entries(left).map(
    ([file, count]) => [file, Math.min(count, found.get(file)?.length ?? 0)] as const,
  )
  const remaining = rows.filter(([, count]) => count > 0)
  writeFileSync(LEFT, `${JSON.stringify(Object.fromEntries(remaining), null, 2)}\n`)
}

if (import.meta.main) run()
