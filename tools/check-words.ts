// `npm run check:words`: fails if a banned phrase is used. tools/words.json and tools/words-*.json list the phrases, the
// files they apply to, their replacements, and the exceptions. An unneeded exception fails too.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FEWEST_FILES = 20

export type Match =
  /** Whole words in any case, also across a line break. Code in Markdown is ignored. */
  | 'text'
  /** Part of a name: "desk" matches KeyDesk, openDesks and key-desk.ts, but not desktop. */
  | 'name'

type Rule = {
  /** Globs: every file that matches one of `files` and none of `except`. */
  files: readonly string[]
  except?: readonly string[]
  match: Match
  /** Names that stay although they contain a phrase, such as those of tables. */
  keep?: readonly string[]
  /** Each phrase and its replacement. */
  phrases: Readonly<Record<string, string>>
}
type Exception = { file: string; phrase: string; reason: string }
type Words = { rules: readonly Rule[]; exceptions: readonly Exception[] }
type Source = { path: string; text: string }

type Finding = { path: string; line: number; phrase: string; instead: string }

/** Every problem as `file:line: sentence`. */
export function findProblems(
  rules: readonly (Rule & { sources: readonly Source[] })[],
  exceptions: readonly Exception[],
): string[] {
  const findings = rules.flatMap((rule) =>
    rule.sources.flatMap((source) => findPhrases(rule, source)),
  )
  const isExcused = ({ path, phrase }: Finding) =>
    exceptions.some((one) => one.file === path && one.phrase === phrase)
  const stale = exceptions.filter(
    ({ file, phrase }) => !findings.some((one) => one.path === file && one.phrase === phrase),
  )
  return [
    ...findings
      .filter((finding) => !isExcused(finding))
      .map(({ path, line, phrase, instead }) => `${path}:${line}: "${phrase}": write ${instead}`),
    ...stale.map(
      ({ file, phrase }) =>
        `tools/words*.json: the exception for "${phrase}" in ${file} is not needed`,
    ),
  ]
}

function findPhrases({ match, keep, phrases }: Rule, { path, text }: Source): Finding[] {
  const prose = match === 'text' && path.endsWith('.md') ? withoutCode(text) : text
  const searched = keep === undefined ? prose : without(prose, keep)
  return Object.entries(phrases).flatMap(([phrase, instead]) =>
    [...searched.matchAll(toPattern(phrase, match))].map(({ index }) => {
      const line = searched.slice(0, index).split('\n').length
      return { path, line, phrase, instead }
    }),
  )
}

function toPattern(phrase: string, match: Match): RegExp {
  const words = phrase.split(' ').map((word) => RegExp.escape(word))
  if (match === 'text') return new RegExp(`(?<![\\w-])${words.join('\\s+')}(?![\\w-])`, 'gi')
  const [first = '', rest] = [phrase.slice(0, 1), phrase.slice(1)]
  const inside = RegExp.escape(first.toUpperCase() + rest)
  const start = `(?<![A-Za-z])${RegExp.escape(phrase)}`
  const constant = `(?<![A-Za-z])${RegExp.escape(phrase.toUpperCase())}(?:E?S)?(?![A-Za-z])`
  return new RegExp(`(?:${start}|${inside})(?:e?s)?(?![a-z])|${constant}`, 'g')
}

function without(text: string, names: readonly string[]): string {
  const kept = names.map((name) => RegExp.escape(name)).join('|')
  return text.replaceAll(new RegExp(`(?<!\\w)(?:${kept})(?!\\w)`, 'g'), '')
}

const FENCE = /^ {0,8}```/
const INLINE = /`[^`\n]{1,500}`/g

/** Blanks out code and keeps the line numbers. */
function withoutCode(markdown: string): string {
  let isCode = false
  return markdown
    .split('\n')
    .map((line) => {
      const isFence = FENCE.test(line)
      if (isFence) isCode = !isCode
      return isCode || isFence ? '' : line.replaceAll(INLINE, '`')
    })
    .join('\n')
}

function readSources({ files, except = [] }: Rule): Source[] {
  const exclude = ['**/node_modules/**', ...except]
  return globSync([...files], { cwd: ROOT, exclude })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

if (import.meta.main) {
  const lists = globSync('words*.json', { cwd: import.meta.dirname }).map(
    (name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Words,
  )
  const rules = lists.flatMap((list) =>
    list.rules.map((rule) => ({ ...rule, sources: readSources(rule) })),
  )
  const seen = rules.reduce((sum, { sources }) => sum + sources.length, 0)
  const problems = findProblems(
    rules,
    lists.flatMap(({ exceptions }) => exceptions),
  )
  if (seen < FEWEST_FILES) problems.push(`Only ${seen} files found: the search is broken.`)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
