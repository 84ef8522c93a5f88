// Decides which regular expressions are allowed: proven safe, or bounded with a reason.
import type { Patterns } from './find-patterns.ts'

/** By pattern: how it was proven that its time is linear in its input. */
export type Verdicts = Readonly<Record<string, string>>
/** Not proven safe, but its input is never longer than `maxLength`, and attacks of that length are fast. */
type Bounded = { pattern: string; reason: string; maxLength: number }
/** Only matches text that is part of the program. */
type OwnText = { pattern: string; reason: string }
/** Built at run time; `example` is one possible pattern. */
type ComputedRule = { source: string; reason: string; example: string }
export type Rules = {
  bounded: readonly Bounded[]
  ownText: readonly OwnText[]
  computed: readonly ComputedRule[]
}

/** Patterns that need no proof. */
export function excusedBy({ bounded, ownText }: Rules): Set<string> {
  return new Set([...bounded, ...ownText].map(({ pattern }) => pattern))
}

export function judgePatterns(
  { found, computed }: Patterns,
  verdicts: Verdicts,
  rules: Rules,
): string[] {
  const excused = excusedBy(rules)
  const known = new Set(rules.computed.map(({ source }) => source))
  const used = new Set([
    ...found.map(({ pattern }) => pattern),
    ...rules.computed.map(({ example }) => example),
  ])
  const isProven = (pattern: string) => Object.hasOwn(verdicts, pattern)
  return [
    ...found
      .filter(({ pattern }) => !isProven(pattern) && !excused.has(pattern))
      .map(({ pattern, where }) => `${where}: ${pattern} is not proven safe: npm run make:regex`),
    ...computed
      .filter(({ source }) => !known.has(source))
      .map(
        ({ source, where }) =>
          `${where}: ${source} is not fixed, and not in tools/regex/rules.json`,
      ),
    ...rules.computed
      .filter(({ example }) => !isProven(example) && !excused.has(example))
      .map(({ source, example }) => `${source}: its example ${example} is not proven safe`),
    ...[...excused, ...Object.keys(verdicts)]
      .filter((pattern) => !used.has(pattern))
      .map((pattern) => `${pattern} is listed, but nothing uses it: npm run make:regex`),
    ...[...known]
      .filter((source) => !computed.some((call) => call.source === source))
      .map((source) => `${source} is listed, but nothing uses it`),
  ]
}
