// `npm run check:styles`: fails if a stylesheet of the dashboard is too long, styles a class that no component names, or
// if a component names a class without a rule, if the rules of one class are spread over more than two stylesheets, or if
// a component imports one that does not exist.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const MOST_LINES = 300
const MOST_FILES_OF_A_CLASS = 2
const FEWEST_STYLESHEETS = 20
// Names that are composed when they are used: `b-` of <Bars>, `u-` of the chart library.
const COMPOSED = ['b-', 'u-']

const COMMENT = /\/\*.*?\*\//gs
const STRING = /"[^"\n]*"/g
const PRELUDE = /([^{};]*)\{/g
const CLASS = /\.(-?[A-Za-z_][\w-]*)/g
const CLASS_ATTRIBUTE = /[cC]lassName=\{/g
// A text that consists of nothing but class names: "btn", 'row wrap tells'.
const CLASS_NAMES = /["'`]([a-z][\w-]*(?: [a-z][\w-]*)*)["'`]/g
// Composed names are left out: their parts may be no classes.
const PLAIN_ATTRIBUTE = /className="([^"\n]*)"/g
// Relative paths only: packages have stylesheets of their own.
const IMPORTED = /^import '(\.[^'\n]*\.css)'$/gm
const WORD = /[A-Za-z_][\w-]*/g

type Source = { path: string; text: string }

/** Every problem as `file: sentence`. */
export function findProblems(stylesheets: readonly Source[], components: readonly Source[]) {
  const named = new Set(components.flatMap(({ text }) => classNamesIn(text)))
  const isNamed = (name: string) =>
    named.has(name) || COMPOSED.some((prefix) => name.startsWith(prefix))
  return [
    ...stylesheets.flatMap(tooLong),
    ...stylesheets.flatMap(({ path, text }) =>
      [...new Set(selectorsOf(text).flatMap(classesOf))]
        .filter((name) => !isNamed(name))
        .map((name) => `${path}: no component names the class .${name}`),
    ),
    ...spreadClasses(stylesheets),
    ...missingStylesheets(stylesheets, components),
  ]
}

/** A class without a rule: mostly a forgotten stylesheet. */
export function findUnstyled(stylesheets: readonly Source[], components: readonly Source[]) {
  const styled = new Set(
    stylesheets.flatMap(({ text }) => selectorsOf(text).flatMap((one) => classesOf(one))),
  )
  return components.flatMap(({ path, text }) =>
    [...text.matchAll(PLAIN_ATTRIBUTE)]
      .flatMap(([, names = '']) => names.split(' '))
      .filter((name) => name !== '' && !styled.has(name))
      .map((name) => `${path}: no stylesheet has a rule for the class ${name}`),
  )
}

function tooLong({ path, text }: Source): string[] {
  const lines = text.trimEnd().split('\n').length
  return lines > MOST_LINES ? [`${path}: ${lines} lines; at most ${MOST_LINES}`] : []
}

/** A rule belongs to the class its selector begins with: `.menu .icon` is a rule of the menu. */
function spreadClasses(stylesheets: readonly Source[]): string[] {
  const owned = stylesheets.flatMap(({ path, text }) =>
    [...new Set(selectorsOf(text).flatMap((selector) => classesOf(selector).slice(0, 1)))].map(
      (name) => ({ name, path }),
    ),
  )
  return [...Map.groupBy(owned, ({ name }) => name)]
    .filter(([, files]) => files.length > MOST_FILES_OF_A_CLASS)
    .map(([name, files]) => `${files.map(({ path }) => path).join(', ')}: all style .${name}`)
}

// The type checker does not look at these imports.
function missingStylesheets(
  stylesheets: readonly Source[],
  components: readonly Source[],
): string[] {
  const known = new Set(stylesheets.map(({ path }) => path))
  return components.flatMap(({ path, text }) =>
    [...text.matchAll(IMPORTED)]
      .map(([, target = '']) => normalize(join(dirname(path), target)))
      .filter((target) => !known.has(target))
      .map((target) => `${path}: imports ${target}, which does not exist`),
  )
}

const classesOf = (selector: string): string[] =>
  [...selector.matchAll(CLASS)].map(([, name = '']) => name)

function selectorsOf(css: string): string[] {
  const plain = css.replaceAll(COMMENT, '').replaceAll(STRING, '""')
  return [...plain.matchAll(PRELUDE)]
    .map(([, prelude = '']) => prelude.trim())
    .filter((prelude) => !prelude.startsWith('@'))
    .flatMap(splitList)
}

/** At commas, except inside parentheses. */
function splitList(selectors: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of selectors) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts.push((parts.pop() ?? '') + letter)
  }
  return parts
}

function classNamesIn(code: string): string[] {
  const texts = [...code.matchAll(CLASS_NAMES)].flatMap(([, names = '']) => names.split(' '))
  const computed = [...code.matchAll(CLASS_ATTRIBUTE)].flatMap(({ 0: start, index }) =>
    wordsOf(untilClosed(code, index + start.length)),
  )
  return [...texts, ...computed]
}

const wordsOf = (code: string): string[] => [...code.matchAll(WORD)].map(([word]) => word)

function untilClosed(code: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < code.length) {
    if (code[end] === '{') depth += 1
    if (code[end] === '}') depth -= 1
    end += 1
  }
  return code.slice(start, end)
}

function read(pattern: string): Source[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((path) => !path.includes('.test.'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

if (import.meta.main) {
  const stylesheets = read('web/src/**/*.css')
  const components = read('web/src/**/*.{ts,tsx}')
  const problems = [
    ...findProblems(stylesheets, components),
    ...findUnstyled(stylesheets, components),
  ]
  if (stylesheets.length < FEWEST_STYLESHEETS)
    problems.push(`Only ${stylesheets.length} stylesheets found: the search is broken.`)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
