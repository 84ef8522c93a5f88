// How long a job by a cron expression may be silent: Upvane expects a period, not a schedule.

const DAY_MINUTES = 1440
const DAY_MS = DAY_MINUTES * 60_000
const START = Date.UTC(2024, 0, 1)
// Has two leap days.
const DAYS = 5 * 366
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const PART = /^(?:\*|([a-z0-9]{1,3})(?:-([a-z0-9]{1,3}))?)(?:\/(\d{1,3}))?$/

type Field = { min: number; max: number; names?: readonly string[] }

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, names: WEEKDAYS },
]

/** In seconds, by UTC; undefined if the expression cannot be read, or never comes true. */
export function largestGap(expression: string): number | undefined {
  const words = expression.trim().toLowerCase().split(/\s+/)
  if (words.length !== FIELDS.length) return undefined
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) =>
    parseField(words[at] ?? '', field),
  )
  if (!minutes || !hours || !days || !months || !weekdays) return undefined
  if (weekdays.has(7)) weekdays.add(0)
  const isAnyDay = words[2]?.startsWith('*') === true
  const isAnyWeekday = words[4]?.startsWith('*') === true
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => hour * 60 + minute))
  times.sort((a, b) => a - b)
  const fits = (at: Date): boolean => {
    const [day, weekday] = [days.has(at.getUTCDate()), weekdays.has(at.getUTCDay())]
    if (!months.has(at.getUTCMonth() + 1)) return false
    // As cron does: if both are given, one of them is enough.
    return isAnyDay || isAnyWeekday ? day && weekday : day || weekday
  }
  return gapOver(fits, times)
}

/** `times` are minutes of the day, in order. */
function gapOver(fits: (day: Date) => boolean, times: readonly number[]): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return undefined
  let largest = 0
  for (const [at, time] of times.entries())
    largest = Math.max(largest, time - (times[at - 1] ?? time))
  let previous: number | undefined
  let seen = 0
  for (let day = 0; day < DAYS; day += 1) {
    if (!fits(new Date(START + day * DAY_MS))) continue
    if (previous !== undefined)
      largest = Math.max(largest, (day - previous) * DAY_MINUTES - last + first)
    previous = day
    seen += 1
  }
  return seen < 2 ? undefined : largest * 60
}

function parseField(text: string, field: Field): Set<number> | undefined {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const steps = parsePart(part, field)
    if (steps === undefined) return undefined
    for (let value = steps.from; value <= steps.to; value += steps.by) values.add(value)
  }
  return values
}

/** `*`, `5`, `1-5`, each with `/2` or without. */
function parsePart(
  part: string,
  field: Field,
): { from: number; to: number; by: number } | undefined {
  const match = PART.exec(part)
  if (match === null) return undefined
  const [, first, last, step] = match
  const from = first === undefined ? field.min : toNumber(first, field)
  const open = first === undefined || step !== undefined ? field.max : from
  const to = last === undefined ? open : toNumber(last, field)
  const by = step === undefined ? 1 : Number(step)
  if (from === undefined || to === undefined || from > to || by === 0) return undefined
  return { from, to, by }
}

function toNumber(text: string, { min, max, names }: Field): number | undefined {
  const at = names?.indexOf(text) ?? -1
  const value = at >= 0 ? at + (min === 1 ? 1 : 0) : /^\d+$/.test(text) ? Number(text) : -1
  return value >= min && value <= max ? value : undefined
}
