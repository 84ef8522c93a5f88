// Local dates and times as people read and type them: `Mon, Nov 16, 2026, 03:00`. Between the fields of a form and the
// strings of `wall-time.ts`.
import { formatDate } from './format.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const two = (number: number): string => String(number).padStart(2, '0')

/** `Mon, Nov 16, 2026` of `2026-11-16`; empty if it is empty. */
export function formatWallDay(day: string): string {
  return Number.isNaN(Date.parse(`${day}T00:00Z`)) ? '' : formatDate(day)
}

/** `Mon, Nov 16, 2026, 03:00` of `2026-11-16T03:00`; empty if it is empty. */
export function formatWall(wall: string): string {
  const day = formatWallDay(wall.slice(0, 10))
  return day === '' ? '' : `${day}, ${wall.slice(11, 16)}`
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(',', ' ')
    .replaceAll('T', ' ')
    .replaceAll('\u00a0', ' ')
    .split(' ')
    .filter((word) => word !== '')

/** `2026-11-16` of `Mon, Nov 16, 2026`, `16 November 2026`, `Nov 16 2026` or `2026-11-16`. */
export function parseWallDay(text: string): string | undefined {
  return parseDay(dayWords(text))
}

/** `2026-11-16T03:00` of a day and a time: `Nov 16, 2026, 03:00`, `2026-11-16 3 pm`. */
export function parseWall(text: string): string | undefined {
  const words = dayWords(text)
  const dayLength = words[0]?.includes('-') ? 1 : 3
  const day = parseDay(words.slice(0, dayLength))
  const clock = parseClock(words.slice(dayLength).join(' '))
  return day === undefined || clock === undefined ? undefined : `${day}T${clock}`
}

/** `22:00` of `22:00`, `22`, `10 pm` or `10:00 PM`. */
export function parseClock(text: string): string | undefined {
  const plain = text.trim().toLowerCase().replaceAll(' ', '')
  const half = plain.endsWith('am') ? 'am' : plain.endsWith('pm') ? 'pm' : undefined
  const [hourText = '', minuteText = '0', ...rest] = (half ? plain.slice(0, -2) : plain).split(':')
  const [hour, minute] = [toNumber(hourText), toNumber(minuteText)]
  if (hour === undefined || minute === undefined || rest.length > 0 || minute > 59) return undefined
  const full = toFullHour(hour, half)
  return full === undefined ? undefined : `${two(full)}:${two(minute)}`
}

/** The hour from 0 to 23. */
function toFullHour(hour: number, half: 'am' | 'pm' | undefined): number | undefined {
  if (half === undefined) return hour > 23 ? undefined : hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** The words of a text without the day of the week, which only helps to read it. */
function dayWords(text: string): string[] {
  // A `T` separates only in `2026-11-16T03:00`: `Tue` and `Oct` keep theirs.
  const isIso = toNumber(text.trim().slice(0, 4)) !== undefined
  const words = isIso ? wordsOf(text) : wordsOf(text.replaceAll('T', 't'))
  const [first = ''] = words
  return DAYS.some((day) => startsAlike(first, day)) ? words.slice(1) : words
}

const startsAlike = (word: string, name: string): boolean =>
  word.slice(0, 3).toLowerCase() === name.toLowerCase()

function parseDay(words: readonly string[]): string | undefined {
  const [first = '', second = '', third = ''] = words
  if (words.length === 1) return toDay(first.split('-').map(toNumber))
  if (words.length !== 3) return undefined
  const month = (word: string) => MONTHS.findIndex((name) => startsAlike(word, name)) + 1
  return month(second) > 0
    ? toDay([toNumber(third), month(second), toNumber(first)])
    : toDay([toNumber(third), month(first), toNumber(second)])
}

/** Undefined for a day that does not exist, such as 31 February. */
function toDay(parts: readonly (number | undefined)[]): string | undefined {
  const [year = 0, month = 0, day = 0, ...rest] = parts
  if (year < 1000 || year > 9999 || rest.length > 0) return undefined
  const text = `${year}-${two(month)}-${two(day)}`
  const at = new Date(`${text}T00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? undefined : text
}

/** A whole number of digits alone. */
function toNumber(text: string): number | undefined {
  const digits = [...text]
  return digits.length > 0 && digits.every((one) => one >= '0' && one <= '9')
    ? Number(text)
    : undefined
}
