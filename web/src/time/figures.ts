// Figures for people: thin groups, the unit after a space.
const NARROW = '\u202f'
const NO_BREAK = '\u00a0'

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, NARROW)
}

export const formatMs = (ms: number): string =>
  ms < 10_000
    ? `${formatCount(Math.round(ms))}${NO_BREAK}ms`
    : `${(ms / 1000).toFixed(1)}${NO_BREAK}s`

/** A share of 1 with two decimals, cut off and not rounded: `100 %` only when nothing was lost. */
export function formatUptime(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined) return '–'
  if (ratio >= 1) return `100${NO_BREAK}%`
  // Through a whole number: 0.9998 * 10000 is a little less than 9998 in floating point.
  return `${(Math.floor(ratio * 10_000 + 1e-7) / 100).toFixed(2)}${NO_BREAK}%`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
