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

/** Two decimals, cut off and not rounded: `100 %` only when nothing was lost. */
export function formatUptime(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return '–'
  if (percent >= 100) return `100${NO_BREAK}%`
  return `${(Math.floor(percent * 100) / 100).toFixed(2)}${NO_BREAK}%`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
