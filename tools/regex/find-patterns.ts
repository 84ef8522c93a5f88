// Finds every regular expression of the product: literals, `new RegExp` with fixed text, and JSON schema patterns.
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { EXT_API } from '../../src/contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../../src/contract/ext/operations.ts'
import { PRIVATE_OPERATIONS } from '../../src/contract/private/operations.ts'
import { createOpenapi } from '../../src/contract/public/openapi.ts'
import { OPERATIONS } from '../../src/contract/public/operations.ts'

/** `pattern` is written as a literal, with its flags. */
type Found = { pattern: string; where: string }
/** `source` is the text of a call whose pattern is known only at run time. */
type Computed = { source: string; where: string }
export type Patterns = { found: Found[]; computed: Computed[] }

const FILES = ['src/**/*.ts', 'sdk/**/*.ts', 'cli/**/*.ts', 'web/src/**/*.{ts,tsx}']
// Parsing takes most of the time, and most files have no slash where a literal could start.
const MAY_HAVE_PATTERN = /(?:^|[\s(,=:[!&|?{};>+])\/(?![/*])|\bRegExp\b/m

export function findPatterns(): Patterns {
  const patterns: Patterns = { found: [], computed: [] }
  const files = globSync(FILES, { exclude: ['**/node_modules/**'] })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted()
  for (const file of files) findInSource(file, readFileSync(file, 'utf8'), patterns)
  findInSchemas(
    'openapi.json',
    createOpenapi(OPERATIONS, { serverUrl: 'http://x' }),
    patterns.found,
  )
  findInSchemas(
    'openapi-ext.json',
    createOpenapi(EXT_OPERATIONS, { subject: EXT_API }),
    patterns.found,
  )
  findInSchemas('src/contract/private', PRIVATE_OPERATIONS, patterns.found)
  return patterns
}

export function findInSource(file: string, text: string, patterns: Patterns): void {
  if (!MAY_HAVE_PATTERN.test(text)) return
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const where = `${file}:${text.slice(0, Number(node['start'])).split('\n').length}`
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (node['type'] === 'Literal' && regex !== undefined)
      patterns.found.push({ pattern: `/${regex.pattern}/${regex.flags}`, where })
    if (isRegExpCall(node)) {
      const fixed = fixedPattern(node['arguments'])
      if (fixed !== undefined) patterns.found.push({ pattern: fixed, where })
      else {
        const source = text.slice(Number(node['start']), Number(node['end']))
        patterns.computed.push({ source: source.replace(/\s+/g, ' '), where })
      }
    }
  })
}

type Node = Record<string, unknown>

function isRegExpCall(node: Node): boolean {
  const callee = node['callee'] as Node | undefined
  return (
    (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') &&
    callee?.['type'] === 'Identifier' &&
    callee['name'] === 'RegExp'
  )
}

function fixedPattern(given: unknown): string | undefined {
  const values = (given as Node[]).map(({ type, value }) =>
    type === 'Literal' ? value : undefined,
  )
  const [source, flags = ''] = values
  if (values.length !== (given as Node[]).length || typeof source !== 'string') return undefined
  return values.includes(undefined) ? undefined : `/${source}/${String(flags)}`
}

/** The validator compiles every `pattern` of a schema. */
function findInSchemas(where: string, schema: unknown, found: Found[]): void {
  const known = new Set<string>()
  visit(schema, ({ pattern }) => {
    if (typeof pattern !== 'string' || known.has(pattern)) return
    known.add(pattern)
    found.push({ pattern: `/${pattern}/u`, where })
  })
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) onNode(value as Node)
  for (const part of Object.values(value)) visit(part, onNode)
}
