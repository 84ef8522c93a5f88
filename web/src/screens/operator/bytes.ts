// Sizes for people. Only this screen has them, so they are not part of the first one.
import { formatCount } from '../../time/figures.ts'

const NO_BREAK = '\u00a0'
const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'] as const

/** `48 kB`, `1.3 GB`: steps of 1,000, as in DATABASE_SIZE_LIMIT. */
export function formatBytes(bytes: number): string {
  const size = Math.abs(bytes)
  const step = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, size)) / 3)))
  const count = bytes / 1000 ** step
  const decimals = Math.abs(count) < 10 && step > 1 ? 1 : 0
  const shown = formatCount(Number(count.toFixed(decimals)))
  return `${shown}${NO_BREAK}${UNITS[step - 1]}`
}
