// Instants as callers write them: ISO 8601 with an offset, seconds optional, cut to milliseconds.

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/

/** The instant, or undefined when the text is none: no offset, an impossible date, another form. */
export function parseTimestamp(text: string): Date | undefined {
  const match = FORM.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  if (hour > 23 || minute > 59 || second > 59) return undefined

  const local = new Date(0)
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  local.setUTCFullYear(year, month - 1, day)
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  local.setUTCHours(hour, minute, second, millis)

  const offsetMinutes = parseOffset(match[8] ?? '')
  return offsetMinutes === undefined
    ? undefined
    : new Date(local.getTime() - offsetMinutes * 60_000)
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(4, 6))
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
