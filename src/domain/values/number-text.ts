// Writes numbers as people read them, in a language such as `en`, which is American English.

const counts = new Map<string, Intl.NumberFormat>()

/** `5,000` */
export function countText(tag: string, count: number): string {
  const format = counts.get(tag) ?? new Intl.NumberFormat(tag)
  counts.set(tag, format)
  return format.format(count)
}

const shares = new Map<string, Intl.NumberFormat>()

/** `99.98%`. Rounded down: `100%` only if nothing was lost. */
export function shareText(tag: string, ratio: number, decimals = 2): string {
  const digits = ratio >= 1 ? 0 : decimals
  const key = `${tag} ${digits}`
  const format =
    shares.get(key) ??
    new Intl.NumberFormat(tag, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  shares.set(key, format)
  return format.format(ratio >= 1 ? 1 : cut(ratio, decimals))
}

function cut(ratio: number, decimals: number): number {
  const steps = 100 * 10 ** decimals
  // Through an integer, because 0.9998 * 10000 is slightly less than 9998 in floating point.
  return Math.min(Math.floor(ratio * steps + 1e-7), steps - 1) / steps
}
