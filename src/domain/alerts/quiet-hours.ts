// Hours in which a contact is not notified, by the wall clock of a time zone.

export type QuietHours = { from: string; to: string; zone: string }

/**
 * The end of the current quiet hours; undefined outside of them. Each night counts as one stretch, even if the clock
 * changes during it.
 */
export function quietUntil(quiet: QuietHours | null, now: Date): Date | undefined {
  if (quiet === null) return undefined
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(quiet.zone)
    .toPlainDate()
  for (const day of [today.subtract({ days: 1 }), today]) {
    const lastDay = quiet.from < quiet.to ? day : day.add({ days: 1 })
    const fromMs = instantMs(day, quiet.from, quiet.zone)
    const toMs = instantMs(lastDay, quiet.to, quiet.zone)
    if (now.getTime() >= fromMs && now.getTime() < toMs) return new Date(toMs)
  }
  return undefined
}

function instantMs(day: Temporal.PlainDate, time: string, timeZone: string): number {
  return day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .epochMilliseconds
}
