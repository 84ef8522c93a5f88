// Reads the YAML of Gatus. Anchors are bounded: a small file could otherwise unfold to an enormous one.
import { parseDocument } from 'yaml'
import { CommandError } from '../../command.ts'
import { isRow, type SourceRow } from '../common/values.ts'

const MAX_ALIASES = 100
const MAX_DEPTH = 30
const MAX_NODES = 2_000_000
// Brackets in texts count too, and need not be closed there.
const MAX_OPEN_BRACKETS = 1000

export function readGatus(path: string, text: string): SourceRow {
  const json = parseYaml(path, text)
  if (
    !isRow(json) ||
    (!Array.isArray(json['endpoints']) && !Array.isArray(json['external-endpoints']))
  )
    throw new CommandError(1, `${path} is no configuration of Gatus: it has no list "endpoints".`)
  return json
}

function parseYaml(path: string, text: string): unknown {
  if (isTooDeep(text)) throw new CommandError(1, `${path} is nested too deeply.`)
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'error' })
    const [problem] = document.errors
    if (problem !== undefined) throw problem
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    let left = MAX_NODES
    if (!fits(value, MAX_DEPTH, () => (left -= 1) >= 0)) throw new Error('it is too large')
    return value
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new CommandError(1, `${path} is not YAML that can be read: ${line.slice(0, 200)}`)
  }
}

/** Before it is parsed: the parser would overflow the stack, and take long for it. */
function isTooDeep(text: string): boolean {
  let open = 0
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open += sign === '[' || sign === '{' ? 1 : -1
    if (open > MAX_OPEN_BRACKETS) return true
  }
  return false
}

function fits(value: unknown, depth: number, count: () => boolean): boolean {
  if (!count() || depth < 0) return false
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every((each) => fits(each, depth - 1, count))
}
