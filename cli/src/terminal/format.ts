// Times, durations and states for people.
import type { Cell } from './table.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const UNITS: Readonly<Record<string, number>> = { s: 1, m: MINUTE, h: HOUR, d: DAY }
const DURATION = /^(\d{1,6})([smhd])$/

/** Two units at most, such as `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < MINUTE) return `${whole} s`
  if (whole < HOUR) return join(whole, MINUTE, ['min', 's'])
  if (whole < DAY) return join(Math.floor(whole / MINUTE), MINUTE, ['h', 'min'])
  return join(Math.floor(whole / HOUR), DAY / HOUR, ['d', 'h'])
}

function join(amount: number, size: number, [large, small]: readonly [string, string]): string {
  const rest = amount % size
  return `${Math.floor(amount / size)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`
}

/** Such as `5 min ago`; `-` for what never happened. */
export function formatAgo(at: string | null, now: Date): string {
  return at === null ? '-' : `${formatSeconds((now.getTime() - Date.parse(at)) / 1000)} ago`
}

/** The local time with its offset left out, such as `2026-11-16 14:31`. */
export function formatTime(at: string | Date): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return '-'
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

export function formatMs(ms: number | null): string {
  return ms === null ? '-' : `${ms} ms`
}

/** Seconds of a duration such as 45s, 30m, 12h or 7d. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ''] = DURATION.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 1)
}

const GOOD = new Set(['UP', 'OK', 'OPERATIONAL', 'RESOLVED'])
const BAD = new Set(['DOWN', 'FAILED', 'ONGOING', 'MAJOR_OUTAGE', 'BROKEN'])

/** A state in its color. */
export function toStateCell(state: string): Cell {
  if (GOOD.has(state)) return { text: state, style: 'green' }
  if (BAD.has(state)) return { text: state, style: 'red' }
  return { text: state, style: 'yellow' }
}
