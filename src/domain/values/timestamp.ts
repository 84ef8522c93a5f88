// Timestamps as callers write them: ISO 8601 with an offset, seconds optional, truncated to milliseconds.

const HOUR_MINUTE = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`
const FORM = new RegExp(
  String.raw`^\d{4}-\d{2}-\d{2}T${HOUR_MINUTE}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]${HOUR_MINUTE})$`,
)

/** Undefined for invalid text: no offset, an impossible date, or another format. */
export function parseTimestamp(text: string): Date | undefined {
  if (!FORM.test(text)) return undefined
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    // The format is right, so the month does not have this day.
    return undefined
  }
}
