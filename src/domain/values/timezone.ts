/**
 * An IANA name such as `Europe/Berlin`, in any case. Offsets and whole timestamps, which can also name a zone, are not
 * accepted.
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return timeZoneId.toLowerCase() === name.toLowerCase()
  } catch {
    return false
  }
}
