// Names for groups of monitors. Two tags of an organization never differ only in case.
import type { Problem } from '../values/problem.ts'

export const MAX_TAGS = 200
export const MAX_TAGS_OF_MONITOR = 20
export const MAX_TAG_CHARACTERS = 40

export type Tag = { uuid: string; name: string }

/** As it is stored and shown. */
export const toTagName = (text: string): string => text.normalize('NFC').trim()

/** As it is compared. */
export const tagKey = (name: string): string => toTagName(name).toLowerCase()

export function tagNameProblems(path: string, text: string): Problem[] {
  const characters = [...toTagName(text)].length
  if (characters === 0) return [{ path, message: 'must have at least one visible character' }]
  if (characters <= MAX_TAG_CHARACTERS) return []
  return [{ path, message: `must have at most ${MAX_TAG_CHARACTERS} characters` }]
}

/** Each name once, however it is written: the first spelling wins. */
export function distinctTagNames(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const text of texts) if (!byKey.has(tagKey(text))) byKey.set(tagKey(text), toTagName(text))
  return [...byKey.values()]
}

/** Which of these names are tags already, and which would be new. */
export function splitByKnown<Known extends Tag>(
  names: readonly string[],
  known: readonly Known[],
): { tags: Known[]; unknown: string[] } {
  const byKey = new Map(known.map((tag) => [tagKey(tag.name), tag]))
  return {
    tags: names.flatMap((name) => byKey.get(tagKey(name)) ?? []),
    unknown: names.filter((name) => !byKey.has(tagKey(name))),
  }
}
