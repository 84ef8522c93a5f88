// Durations as Go writes them: 1h30m, 90s, 500ms.

const PARTS = /(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g
const WHOLE = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h)){1,4}$/
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
])

/** Undefined if it is no duration. */
export function toSeconds(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined
  return [...text.matchAll(PARTS)].reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (SECONDS.get(unit) ?? 0),
    0,
  )
}

export function toHours(text: string): number | undefined {
  const seconds = toSeconds(text)
  return seconds === undefined ? undefined : seconds / 3600
}
