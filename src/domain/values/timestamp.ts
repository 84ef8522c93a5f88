// Instants as callers write them: ISO 8601 with an offset, seconds optional, cut to milliseconds.

const HOUR_MINUTE = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`
const FORM = new RegExp(
  String.raw`^\d{4}-\d{2}-\d{2}T${HOUR_MINUTE}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]${HOUR_MINUTE})$`,
)

/** The instant, or undefined when the text is none: no offset, an impossible date, another form. */
export function parseTimestamp(text: string): Date | undefined {
  if (!FORM.test(text)) return undefined
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    // The form is right, so this is a day that month does not have.
    return undefined
  }
}
