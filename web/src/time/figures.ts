// Formats numbers for people: narrow group separators, the unit after a space.
const NARROW = '\u202f'
const NO_BREAK = '\u00a0'

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, NARROW)
}

export const formatMs = (ms: number): string =>
  ms < 10_000
    ? `${formatCount(Math.round(ms))}${NO_BREAK}ms`
    : `${(ms / 1000).toFixed(1)}${NO_BREAK}s`

/** A ratio, truncated instead of rounded: `100 %` only if nothing was lost. */
export function formatShare(ratio: number, decimals: number): string {
  if (ratio >= 1) return `100${NO_BREAK}%`
  const steps = 100 * 10 ** decimals
  // Through an integer, because 0.9998 * 10000 is slightly less than 9998 in floating point.
  const whole = Math.min(Math.floor(ratio * steps + 1e-7), steps - 1)
  return `${((whole * 100) / steps).toFixed(decimals)}${NO_BREAK}%`
}

export const formatUptime = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined ? '–' : formatShare(ratio, 2)

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
