// The headers of a custom webhook, one in a line. They may hold placeholders, and no value can add a line.
import { bodyProblem, fill, type TemplateValues } from './template.ts'

const MAX_HEADERS = 20
const MAX_VALUE = 1024
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const VALUE = /^[\x20-\x7e]*$/
// Set by the connection, or by the guard of outgoing requests.
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

type Line = { name: string; value: string }

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return colon < 0
        ? { name: '', value: line }
        : { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() }
    })
}

export function headersProblem(text: string): string | undefined {
  const lines = linesOf(text)
  if (lines.length > MAX_HEADERS) return `must be at most ${MAX_HEADERS} headers`
  for (const { name, value } of lines) {
    if (!NAME.test(name) || !VALUE.test(value)) return 'must be lines such as X-Token: abc'
    if (value.length > MAX_VALUE) return `must have values of up to ${MAX_VALUE} characters`
    if (RESERVED.has(name)) return `must not set ${name}`
    const problem = bodyProblem(value)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** With lowercase names. Values are cut where a server would refuse them. */
export function fillHeaders(text: string, values: TemplateValues): Record<string, string> {
  const headers = linesOf(text).map(({ name, value }): [string, string] => [
    name,
    fill(value, values, inHeader).slice(0, 2 * MAX_VALUE),
  ])
  return Object.fromEntries(headers)
}

/** The values of the headers, and their words: any of them may be a secret. */
export function headerSecrets(text: string): string[] {
  return linesOf(text).flatMap(({ value }) => [value, ...value.split(' ')])
}

/** A line break would begin another header. */
const inHeader = (value: string): string =>
  value
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_VALUE)
