// The file as people read and change it. Texts that could be read as anything else are quoted.
import { type ImportedFile, SECTIONS } from './collector.ts'

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/
const WORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'yes',
  'no',
  'on',
  'off',
  'y',
  'n',
])
// JSON keeps them as they are, YAML does not print them.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
const MAX_PLAIN = 80

export function toYaml(source: string, head: readonly string[], file: ImportedFile): string {
  const lines = [
    ...head.map((line) => `# ${line.replace(/[\r\n]+/g, ' ')}`),
    'version: 1',
    `source: ${scalar(source)}`,
  ]
  for (const section of SECTIONS) {
    const resources = file.get(section)
    if (resources === undefined || resources.size === 0) continue
    lines.push('', `${section}:`)
    for (const [key, fields] of resources) lines.push(...entry(key, fields, 1))
  }
  return `${lines.join('\n')}\n`
}

function entry(key: string, value: unknown, depth: number): string[] {
  const name = `${'  '.repeat(depth)}${scalar(key)}:`
  if (isFlat(value)) return [`${name} ${flat(value)}`]
  if (Array.isArray(value)) return [name, ...items(value, depth + 1)]
  return [name, ...map(value as object, depth + 1)]
}

const map = (value: object, depth: number): string[] =>
  Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : entry(key, each, depth),
  )

function items(list: readonly unknown[], depth: number): string[] {
  const pad = '  '.repeat(depth)
  return list.flatMap((each) => {
    if (isFlat(each)) return [`${pad}- ${flat(each)}`]
    const [first = '', ...rest] = map(each as object, depth + 1)
    return [`${pad}- ${first.trimStart()}`, ...rest]
  })
}

/** Fits on the line of its key. */
function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each !== 'object' || each === null)
  if (typeof value !== 'object' || value === null) return true
  return Object.keys(value).length === 0
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  if (typeof value === 'string') return scalar(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'object') return '{}'
  throw new Error(`The file cannot have a ${typeof value}`)
}

function scalar(text: string): string {
  if (text.length <= MAX_PLAIN && PLAIN.test(text) && !WORDS.has(text.toLowerCase())) return text
  return JSON.stringify(text.toWellFormed()).replace(
    UNPRINTABLE,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
