// `npm run check:commands`: every command in docs/operating is run by a test that names the document, or is marked
// untried. A block starts with ```sh test=<test file> or ```sh untried: <reason>. The commands of CONTRIBUTING.md are run
// here, or guide-commands.ts has the reason.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { findWrongCommands } from './guide-commands.ts'

const ROOT = join(import.meta.dirname, '..')
const FENCE = /^```(?:sh|bash|shell|console)\b(.*)$/
const MARK = /^(?:untried: .{10,200}|test=([\w./-]{1,200}))$/

type TestFile = { path: string; text: string }

/** Every problem of one document as `file:line: sentence`. */
export function findUnmarkedCommands(
  document: { path: string; text: string },
  tests: readonly TestFile[],
): string[] {
  let isOpen = false
  return document.text.split('\n').flatMap((line, index) => {
    if (isOpen || !line.startsWith('```')) {
      if (line === '```') isOpen = false
      return []
    }
    isOpen = true
    const problem = FENCE.test(line) ? problemOf(line, document.path, tests) : undefined
    return problem === undefined ? [] : [`${document.path}:${index + 1}: ${problem}`]
  })
}

function problemOf(line: string, path: string, tests: readonly TestFile[]): string | undefined {
  const mark = MARK.exec((FENCE.exec(line)?.[1] ?? '').trim())
  if (mark === null)
    return 'say which test runs this (```sh test=name.test.ts), or why none can (```sh untried: reason)'
  const name = mark[1]
  if (name === undefined) return undefined
  const named = tests.filter((each) => each.path === name || basename(each.path) === name)
  if (named.length === 0) return `there is no test file ${name}`
  const isRun = named.some(({ text }) => text.includes(basename(path)))
  return isRun ? undefined : `${named[0]?.path} does not name this document`
}

if (import.meta.main) {
  const load = (path: string) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })
  const documents = globSync('docs/operating/*.md', { cwd: ROOT }).toSorted().map(load)
  const found = globSync('{src,test,tools}/**/*.test.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  const problems = documents.flatMap((document) => findUnmarkedCommands(document, found.map(load)))
  problems.push(...findWrongCommands(load('CONTRIBUTING.md').text, manifest.scripts))
  if (documents.length === 0) problems.push('docs/operating has no document.')
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
