// The days of a month in a calendar: whole weeks, starting on Monday.
const DAY_MS = 24 * 3_600_000

/** `2026-11` -> `2026-10-26` … `2026-12-06`. */
export function daysOfMonth(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00Z`)
  const next = Date.parse(`${shiftMonth(month, 1)}-01T00:00Z`)
  const lead = (new Date(first).getUTCDay() + 6) % 7
  const weeks = Math.ceil((lead + (next - first) / DAY_MS) / 7)
  return Array.from({ length: weeks * 7 }, (_, at) =>
    new Date(first + (at - lead) * DAY_MS).toISOString().slice(0, 10),
  )
}

export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

/** The number of days of this week that the bar's name may span. The day that shows the end time is kept free. */
export function daysForName(last: string, day: string): number {
  const at = Date.parse(`${day}T00:00Z`)
  const left = 6 - ((new Date(at).getUTCDay() + 6) % 7)
  const toEnd = Math.round((Date.parse(`${last}T00:00Z`) - at) / DAY_MS)
  return Math.max(1, toEnd > left ? left + 1 : toEnd)
}

/** The position of a day within a span of days; undefined if it is outside. */
export function partOn(
  first: string,
  last: string,
  day: string,
): 'all' | 'from' | 'mid' | 'to' | undefined {
  if (day < first || day > last) return undefined
  if (first === last) return 'all'
  if (day === first) return 'from'
  return day === last ? 'to' : 'mid'
}
