// Text that people wrote, on its way into the header of a mail.

const MAX_CHARACTERS = 200
// Line breaks would begin a header of their own; marks of direction would turn around what stands behind them.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

export function toHeaderText(text: string): string {
  const line = text.toWellFormed().replace(UNFIT, ' ').replace(/ {2,}/g, ' ').trim()
  const characters = [...line]
  return characters.length <= MAX_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}

const MILLIS_HEX_DIGITS = 12

/** A UUIDv7 says when it was made: a mail has the same date however often it is sent. */
export function bornAt(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, MILLIS_HEX_DIGITS), 16))
}
