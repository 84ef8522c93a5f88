// Parses the query of a request by the operation's schema. Unknown parameters are ignored; a known one must be in its
// canonical form. Only a list may occur more than once.
import type { Problem } from '../../../domain/values/problem.ts'
import { compile, type Schema, type Validated } from './validation.ts'

type Parsed = { value: unknown } | { problem: string }

const WHOLE_NUMBER = /^(0|[1-9][0-9]*)$/

export function compileQuery(schema: Schema): (query: string) => Validated {
  const validate = compile(schema)
  const properties = schema['properties'] as Record<string, Schema>
  return (query) => {
    const problems: Problem[] = []
    const values: Record<string, unknown> = {}
    for (const [name, texts] of knownParameters(query, properties)) {
      const parsed = parseParameter(properties[name] ?? {}, texts)
      if ('problem' in parsed) problems.push({ path: name, message: parsed.problem })
      else values[name] = parsed.value
    }
    const checked = validate(values)
    // An item of a comma-separated list has no path of its own in a query.
    const found = checked.problems.map(({ path, message }) => ({
      path: path.split('.', 1)[0] ?? path,
      message,
    }))
    return { value: checked.value, problems: [...problems, ...found] }
  }
}

function knownParameters(query: string, properties: object): Map<string, (string | undefined)[]> {
  const known = new Map<string, (string | undefined)[]>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    const decoded = decode(name)
    if (decoded === undefined || !Object.hasOwn(properties, decoded)) continue
    known.set(decoded, [...(known.get(decoded) ?? []), decode(rest.join('='))])
  }
  return known
}

function parseParameter(schema: Schema, texts: (string | undefined)[]): Parsed {
  const decoded = texts.filter((text) => text !== undefined)
  if (decoded.length < texts.length) return { problem: 'has malformed percent-encoding' }
  if (schema['type'] === 'array') return { value: decoded.flatMap((text) => text.split(',')) }
  const [text = ''] = decoded
  if (decoded.length > 1) return { problem: 'must be given only once' }
  switch (schema['type']) {
    case 'integer':
      return WHOLE_NUMBER.test(text)
        ? { value: Number(text) }
        : { problem: 'must be a whole number without sign or leading zeros' }
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { problem: 'must be true or false' }
    default:
      return { value: text }
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
